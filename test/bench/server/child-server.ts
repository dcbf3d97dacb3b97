import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { Readable } from 'node:stream'

/** A server in a process of its own. */
export interface ChildServer {
  url: string
  /** Seconds from the start of the process to its address. */
  seconds: number
  /** Seconds of processors that it has used: on a busy machine they say more than the clock. */
  processorSeconds(): number
  /** Memory that it holds, in MiB. */
  resident(): number
  stop(): Promise<void>
}

/** Starts a program that prints its address on a line when it is ready. */
export async function startServer(argv: readonly string[]): Promise<ChildServer> {
  const start = performance.now()
  const child: ChildProcess = spawn(process.execPath, argv, {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  running.add(child)
  const ended = once(child, 'exit')
  const { stdout } = child as { stdout: Readable }
  const [line] = (await once(stdout.setEncoding('utf8'), 'data')) as [string]
  const seconds = (performance.now() - start) / 1000
  return {
    url: line.trim(),
    seconds,
    processorSeconds: () => processorSeconds(child.pid as number),
    resident() {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
      return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024
    },
    async stop() {
      running.delete(child)
      child.kill()
      await ended
    },
  }
}

/** Seconds of processors that a process has used, and its own processes that have ended: see proc_pid_stat(5). */
export function processorSeconds(process: number | 'self'): number {
  // The name of the program, before the fields, may hold spaces.
  const fields = readFileSync(`/proc/${process}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return [11, 12, 13, 14].reduce((sum, field) => sum + Number(fields[field]) / 100, 0)
}

const running = new Set<ChildProcess>()

// A bench that fails or is interrupted leaves nothing behind.
process.once('SIGTERM', () => process.exit(1))
process.on('exit', () => {
  for (const child of running) child.kill()
})
