import { readFileSync } from 'node:fs'

/** Bytes of memory that a process uses; 0 if unknown. */
export function residentBytes(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1')
    return Number(/^VmRSS:\s*(\d+)/m.exec(status)?.[1] ?? 0) * 1024
  } catch {
    return 0
  }
}
