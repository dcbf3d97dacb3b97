// npm run bench -- [--size small|medium|large] [--runs 3] [--json] [words that names of trials contain]
// Every trial runs in a process of its own, all of them in turn, so that a machine whose speed drifts treats
// them alike, and beside it what it is compared with. Quote ratios, not seconds.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { env } from 'node:process'
import { setImmediate } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { calmest, type Measurement, measure } from './measure.ts'
import { prepareBench, SIZES } from './prepare.ts'
import { printTable, summarise } from './summarise.ts'
import { chooseTrials, POSTGRES, type Trial } from './trials.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    size: { type: 'string', default: 'medium' },
    runs: { type: 'string', default: '3' },
    json: { type: 'boolean', default: false },
  },
})
const size = SIZES[values.size]
if (!size)
  throw new Error(`There is no size ${values.size}: choose ${Object.keys(SIZES).join(', ')}`)

// npm run engines installs there what some trials need.
const engines = createRequire(join(import.meta.dirname, '../engines/package.json'))
env.NODE_PATH ??= join(import.meta.dirname, '../engines/node_modules')

const tell = (what: string) => process.stderr.write(`${what}\n`)
const isThere = ({ name, needs, program }: Trial): boolean => {
  try {
    if (needs) engines.resolve(needs)
    if (program) execFileSync(program, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    tell(`${name} is left out: it needs ${[needs, program].filter(Boolean).join(' and ')}`)
    return false
  }
}

// The first Ctrl-C ends the trial that runs and shows what was measured before; a second one ends it all.
const stop = new AbortController()
process.once('SIGINT', () => stop.abort())

const folder = mkdtempSync(join(tmpdir(), 'marc-bench-'))
const trials = chooseTrials(positionals).filter(isThere)
let bench: Awaited<ReturnType<typeof prepareBench>> | undefined
try {
  const withPostgres = trials.some(({ needs }) => needs === POSTGRES)
  const prepared = await prepareBench(folder, size, { tell, withPostgres })
  bench = prepared
  const runs = new Map<string, Measurement[]>(trials.map(({ name }) => [name, []]))
  const measureTrial = (trial: Trial) => {
    const [command = '', ...args] = trial.command(prepared)
    return calmest(() => {
      trial.before?.(prepared)
      // Or it waits for what the trials before it wrote.
      execFileSync('sync')
      return measure(command, args)
    })
  }
  for (let run = 1; run <= Number(values.runs); run++) {
    for (const trial of trials) {
      if (stop.signal.aborted) break
      tell(`run ${run}: ${trial.name}`)
      const measured = await measureTrial(trial).catch(async (error: unknown) => {
        // Ctrl-C reaches the command too, and a command that one waits for ends before this process hears of it.
        await setImmediate()
        if (!stop.signal.aborted) throw error
      })
      if (measured) runs.get(trial.name)?.push(measured)
    }
  }
  const done = trials.filter(({ name }) => runs.get(name)?.length)
  const machine = {
    processor: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    node: process.version,
  }
  const { records } = size
  const archiveBytes = statSync(prepared.archive).size
  const input = {
    records,
    archiveBytes,
    bytes: prepared.bytes,
    runs: Math.max(...[...runs.values()].map(({ length }) => length)),
  }
  const results = summarise(done, runs, input)
  process.stdout.write(
    values.json
      ? `${JSON.stringify({ machine, input, results }, null, 2)}\n`
      : printTable(results, machine, input),
  )
} finally {
  await bench?.stop()
  rmSync(folder, { recursive: true, force: true })
}
