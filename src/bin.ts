#!/usr/bin/env node
import module from 'node:module'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { makePrivateFolder } from './cli/process/own-folder.ts'

// Imports only modules that run on any Node.js before the version is checked: below 22.14, the native SQLite module ends
// the process with a segmentation fault; below 22.15, zlib has no zstd.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 15)) {
  process.stderr.write(
    `marc: Node.js 22.15 or newer is needed, this is ${process.versions.node}.\nInstall a newer one.\n`,
  )
  process.exit(2)
}

// Almost all parsed objects are garbage at once. V8 would grow the space of young objects to 100 MiB, although 4 MiB hold
// many batches of records (twice, because the collector copies survivors), and waking threads that help to collect so few
// takes longer than collecting without them. These are flags of V8 in Node.js 22 to 24. V8 reads the maximum size only at
// start, but the growth factor at any time. Setting it before a thread starts would cost more than it saves, because V8
// then compiles again what Node.js brings compiled.
const keepYoungSpace = () => {
  if (major <= 24) setFlagsFromString('--semi-space-growth-factor=1')
  clearInterval(watch)
}
const watch = setInterval(() => {
  const room = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')
  if (room && room.space_size >= 2 * 4 * 2 ** 20) keepYoungSpace()
}, 250).unref()
if (major <= 24) setFlagsFromString('--no-parallel-scavenge')

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
  keepYoungSpace,
  collectYoung,
  mayEndAtOnce: () => {
    for (const signal of SIGNALS) process.removeAllListeners(signal)
  },
})
// Open handles, such as an idle standard input, must not keep the process alive.
process.exit()
