#!/usr/bin/env node
import module from 'node:module'
import { makePrivateFolder } from './files/private-folder.ts'

// Imports only modules that run on any Node.js before the version is checked: below 22.14, the native SQLite module ends
// the process with a segmentation fault; below 22.15, zlib has no zstd.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 15)) {
  process.stderr.write(
    `marc: Node.js 22.15 or newer is needed, this is ${process.versions.node}.\nInstall a newer one.\n`,
  )
  process.exit(2)
}

// Most of the time of a short command goes into compilation, so the compiled code is cached. Node.js runs any code in that
// cache, and anybody may create its default folder below the system's temporary folder first, so this one is private.
const { NODE_COMPILE_CACHE: named, NODE_DISABLE_COMPILE_CACHE: isOff } = process.env
if (!named && !isOff) {
  const folder = makePrivateFolder('compiled', process.env)
  if (folder !== undefined) module.enableCompileCache(folder)
}

const { main } = await import('./cli/main.ts')
const { INTERRUPTED, SIGNAL_EXITS } = await import('./cli/command/exit-codes.ts')
const { processIo, SIGNALS } = await import('./cli/command-program.ts')
const interrupt = new AbortController()
let ended: number = INTERRUPTED
for (const signal of SIGNALS) {
  process.once(signal, () => {
    if (!interrupt.signal.aborted) ended = SIGNAL_EXITS[signal]
    interrupt.abort()
  })
}
const io = processIo(interrupt.signal)
// The exit code if the awaited promise never resolves.
process.exitCode = 3
const code = await main(process.argv.slice(2), {
  ...io,
  async runApart(argv, options) {
    const { runApart } = await import('./cli/process/run-in-process.ts')
    return runApart(argv, options, io)
  },
})
process.exitCode = code === INTERRUPTED ? ended : code
// Open handles, such as an idle standard input, must not keep the process alive.
process.exit()
