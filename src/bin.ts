#!/usr/bin/env node
import module from 'node:module'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { makePrivateFolder } from './cli/process/own-folder.ts'
import { watchYoungSpace } from './cli/process/young-space.ts'

// Imports only modules that run on any Node.js before the version is checked: below 22.14, the native SQLite module ends
// the process with a segmentation fault; below 22.15, zlib has no zstd.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 15)) {
  process.stderr.write(
    `marc: Node.js 22.15 or newer is needed, this is ${process.versions.node}.\nInstall a newer one.\n`,
  )
  process.exit(2)
}

const young = watchYoungSpace(major)

// V8 collects young objects when there are many, but those of a network stream are few and hold a buffer each: 60 MiB of
// buffers gather, until V8 collects old objects as well, again and again, which is a third of the time of a download.
let collect: ((options: { type: 'minor' }) => void) | undefined
const collectYoung = () => {
  if (!collect) {
    setFlagsFromString('--expose-gc')
    collect = runInNewContext('gc') as typeof collect
  }
  collect?.({ type: 'minor' })
}

// Most of the time of a short command goes into compilation, so the compiled code is cached. Node.js runs any code in that
// cache, and anybody may create its default folder below the system's temporary folder first, so this one is private.
const { NODE_COMPILE_CACHE: named, NODE_DISABLE_COMPILE_CACHE: isOff } = process.env
if (!named && !isOff) {
  const folder = makePrivateFolder('compiled', process.env)
  if (folder !== undefined) module.enableCompileCache(folder)
}

const { main } = await import('./cli/main.ts')
const SIGNALS = ['SIGINT', 'SIGTERM'] as const
const interrupt = new AbortController()
for (const signal of SIGNALS) process.once(signal, () => interrupt.abort())
const { stdin, stdout, stderr, env, argv } = process
// Ignore a closed standard error.
stderr.on('error', () => {})
// The exit code if the awaited promise never resolves.
process.exitCode = 3
process.exitCode = await main(argv.slice(2), {
  stdin,
  stdout,
  stderr,
  env,
  signal: interrupt.signal,
  onHangup: (work) => void process.on('SIGHUP', work),
  keepYoungSpace: young.keep,
  growYoungSpace: young.grow,
  collectYoung,
  mayEndAtOnce: () => {
    for (const signal of SIGNALS) process.removeAllListeners(signal)
  },
})
// Open handles, such as an idle standard input, must not keep the process alive.
process.exit()
