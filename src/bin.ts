#!/usr/bin/env node
import module from 'node:module'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { makePrivateFolder } from './cli/process/own-folder.ts'

// Only what runs on any Node.js is imported before the version is known: on an older one than 22.14 the native SQLite
// module ends the process with a segmentation fault as soon as it is used.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 14)) {
  process.stderr.write(
    `marc: Node.js 22.14 or newer is needed, this is ${process.versions.node}.\nInstall a newer one.\n`,
  )
  process.exit(2)
}

// Almost all that is parsed is thrown away at once. V8 would answer with 100 MiB of room for young objects, where 4 MiB
// hold many batches of records, twice, as it copies what stays; and to wake threads that help to collect so few takes
// longer than to do without them. (Flags of V8 in Node.js 22 to 24. How large that room may become, V8 asks only when
// the program starts, but not by how much it is to grow. Before a thread has started, this flag would take longer than
// it saves: with another one, V8 compiles anew what Node.js brings compiled.)
const keepYoungSpace = () => {
  if (major <= 24) setFlagsFromString('--semi-space-growth-factor=1')
  clearInterval(watch)
}
const watch = setInterval(() => {
  const room = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')
  if (room && room.space_size >= 2 * 4 * 2 ** 20) keepYoungSpace()
}, 250).unref()
if (major <= 24) setFlagsFromString('--no-parallel-scavenge')

// Most of a short command's time goes to compiling it, so the compiled code is kept. Node.js runs whatever lies in that
// cache: its default folder below the system's temporary one belongs to whoever makes it first, so this one is our own.
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
// Nobody reads messages any more: no reason to end with another one.
stderr.on('error', () => {})
// Kept if what is awaited never comes.
process.exitCode = 3
process.exitCode = await main(argv.slice(2), {
  stdin,
  stdout,
  stderr,
  env,
  signal: interrupt.signal,
  keepYoungSpace,
  mayEndAtOnce: () => {
    for (const signal of SIGNALS) process.removeAllListeners(signal)
  },
})
// Whatever is still open, such as an idle standard input, must not keep the process.
process.exit()
