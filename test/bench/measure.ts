import { spawn } from 'node:child_process'

/** What one run of a command took. */
export interface Measurement {
  seconds: number
  /** Most memory it held at once, in MiB; known for our own commands alone. */
  peakMiB?: number
}

// A process of ours tells its peak on a channel of its own, which its output does not pass.
const TELL_PEAK = `data:text/javascript,${encodeURIComponent(
  "import { writeSync } from 'node:fs'; process.on('exit', () => writeSync(3, String(process.resourceUsage().maxRSS)))",
)}`

/** Runs a command in a process of its own, its output thrown away. Throws if it fails. */
export function measure(command: string, args: readonly string[]): Promise<Measurement> {
  const own = command === process.execPath
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
      if (code === 0) resolve({ seconds, ...(peak && { peakMiB: Number(peak) / 1024 }) })
      else reject(new Error(`${command} ${args.join(' ')} ended with exit code ${code}`))
    })
  })
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
