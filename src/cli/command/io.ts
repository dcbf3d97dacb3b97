import type { Readable } from 'node:stream'
import type { SafeText } from '../output/safe-text.ts'

/** A stream to write to, which may be a terminal. */
export type Output = Omit<NodeJS.WritableStream, 'write'> & {
  write(text: SafeText | Uint8Array, done?: (error?: Error | null) => void): boolean
  isTTY?: boolean
  columns?: number
}

/** Everything a command touches of the world outside. */
export interface Io {
  stdin: Readable & { isTTY?: boolean }
  stdout: Output
  stderr: Output
  env: Readonly<Record<string, string | undefined>>
  /** Says when the user wants to stop. */
  signal?: AbortSignal | undefined
  /** From here on room for young objects stays as it is: in long work without a pause, no timer sees it grow. */
  keepYoungSpace?(): void
  /** From here on an interrupt may end the process at once: SQLite cannot be stopped, and nothing is half done. */
  mayEndAtOnce?(): void
  /** Has something done when the command has ended, however it ended. */
  atEnd?(work: () => void): void
}
