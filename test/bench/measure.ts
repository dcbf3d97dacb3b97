import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { processorSeconds } from './server/child-server.ts'

/** Time and memory of one run of a command. */
export interface Measurement {
  seconds: number
  /** Seconds of processors that it used, with its own processes: on a busy machine they say more than the clock. */
  processorSeconds?: number
  /** Seconds of processors that a hypervisor gave to others meanwhile; none where the system does not tell. */
  stolen: number
  /** Most memory it held at once, in MiB; known for our own commands alone. */
  peakMiB?: number
}

// Our processes report their peak memory on a separate channel.
const TELL_PEAK = `data:text/javascript,${encodeURIComponent(
  "import { writeSync } from 'node:fs'; process.on('exit', () => writeSync(3, String(process.resourceUsage().maxRSS)))",
)}`

/** More than this share of a run stolen, and it says little of the command. */
const CALM = 0.05
const TRIES = 3

/** Repeats `run` on a busy machine; returns the first calm run, or else the calmest. */
export async function calmest(run: () => Promise<Measurement>): Promise<Measurement> {
  const tried: Measurement[] = []
  const shareOf = ({ stolen, seconds }: Measurement) => stolen / seconds
  while (tried.length < TRIES && !tried.some((one) => shareOf(one) <= CALM)) tried.push(await run())
  return tried.reduce((calm, one) => (shareOf(one) < shareOf(calm) ? one : calm))
}

/** Runs a command in a process of its own, its output thrown away. Throws if it fails. */
export function measure(command: string, args: readonly string[]): Promise<Measurement> {
  const own = command === process.execPath
  const before = stolenSoFar()
  const used = usedSoFar()
  const start = performance.now()
  const child = spawn(command, own ? ['--import', TELL_PEAK, ...args] : args, {
    stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
  })
  let peak = ''
  child.stdio[3]?.on('data', (chunk: Buffer) => {
    peak += chunk
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => {
      const seconds = (performance.now() - start) / 1000
      const stolen = stolenSoFar() - before
      const processor = usedSoFar() - used
      if (code === 0) {
        resolve({
          seconds,
          stolen,
          ...(processor > 0 && { processorSeconds: processor }),
          ...(peak && { peakMiB: Number(peak) / 1024 }),
        })
      }
      if (code !== 0) reject(new Error(`${command} ${args.join(' ')} ended with exit code ${code}`))
    })
  })
}

/** Seconds of processors that this process and those that have ended used; 0 where the system does not tell. */
function usedSoFar(): number {
  try {
    return processorSeconds('self')
  } catch {
    return 0
  }
}

/** Since the system started, in seconds of all processors together. */
function stolenSoFar(): number {
  try {
    // `cpu user nice system idle iowait irq softirq steal ...`, in hundredths of a second: proc_stat(5).
    return Number(readFileSync('/proc/stat', 'utf8').split(/\s+/, 9)[8]) / 100
  } catch {
    return 0
  }
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
