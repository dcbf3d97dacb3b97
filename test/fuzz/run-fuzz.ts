/**
 * Reads and loads mutated archives for as long as asked: `npm run fuzz -- --minutes 15 --seed 7`, or a single case:
 * `npm run fuzz -- --seed 7 --case 1234`; `--layers pages,values,relations` are those of databases. Prints every case that breaks a promise, and what became of the others.
 */

import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { makeRoot } from '../crash/crash.ts'
import { type LayerName, openWorld } from './layers.ts'
import { archiveOf, caseOf, runCase } from './run-case.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    case: { type: 'string' },
    /** Where to write the archive of a single case. */
    output: { type: 'string' },
    /** Layers to mutate, with commas between; all of them unless told otherwise. */
    layers: { type: 'string' },
    base: { type: 'string', default: 'samples/hello.tar.gz' },
  },
})

/** Bytes of memory that no case of a few KiB may push the process beyond. */
const MOST_MEMORY = 900 * 2 ** 20

const print = (line: string) => void process.stdout.write(`${line}\n`)
const seed = Number(values.seed)
const layers = values.layers?.split(',') as LayerName[] | undefined
const world = await openWorld(values.base)
const root = makeRoot()
const folder = join(root, 'case')

// A case that never ends keeps this thread from saying so.
const at = new Int32Array(new SharedArrayBuffer(4))
const watch = `const { workerData } = require('node:worker_threads')
let last = -1
setInterval(() => {
  const now = Atomics.load(workerData, 0)
  if (now === last) { require('node:fs').writeSync(1, 'seed ${seed}, case ' + now + ': it does not end\\n'); process.kill(process.pid, 'SIGKILL') }
  last = now
}, 300000)`
const watcher = new Worker(watch, { eval: true, workerData: at })
watcher.unref()

const outcomes: Record<string, number> = {}
let failures = 0
async function run(number: number): Promise<void> {
  Atomics.store(at, 0, number)
  mkdirSync(folder, { recursive: true })
  try {
    const outcome = await runCase(caseOf(seed, number, layers), world, folder)
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
    const { rss } = process.memoryUsage()
    if (rss > MOST_MEMORY) throw new Error(`seed ${seed}, case ${number}: ${rss} bytes of memory`)
  } catch (error) {
    failures++
    print((error as Error).message)
  }
}

// Where nothing is left to do, Node.js ends, whoever still waits.
let isDone = false
process.on('exit', () => {
  if (!isDone) print(`seed ${seed}, case ${at[0]}: it waits for what never comes`)
})
process.on('unhandledRejection', (error) => {
  print(`seed ${seed}, case ${at[0]}: nobody waited for ${(error as Error).stack}`)
  process.exitCode = 1
})

if (values.case === undefined) {
  const end = Date.now() + Number(values.minutes) * 60_000
  let number = 0
  while (Date.now() < end) await run(number++)
  print(`seed ${seed}: ${number} archives, ${failures} failures`)
  for (const [outcome, count] of Object.entries(outcomes).sort(([, a], [, b]) => b - a)) {
    print(`  ${outcome}: ${count}`)
  }
} else {
  const number = Number(values.case)
  if (values.output) writeFileSync(values.output, archiveOf(caseOf(seed, number, layers), world))
  await run(number)
  print(JSON.stringify(outcomes))
}
isDone = true
rmSync(root, { recursive: true, force: true })
if (failures > 0) process.exitCode = 1
