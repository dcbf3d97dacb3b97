import type { Readable } from 'node:stream'
import type { SourceOptions } from '../../sources/source-options.ts'
import type { ExitCode } from './exit-codes.ts'
import type { SafeText } from './safe-text.ts'

/** A stream to write to, which may be a terminal. */
export type Output = Omit<NodeJS.WritableStream, 'write'> & {
  write(text: SafeText | Uint8Array, done?: (error?: Error | null) => void): boolean
  isTTY?: boolean
  columns?: number
}

/** Everything outside the process that a command uses. */
export interface Io {
  stdin: Readable & { isTTY?: boolean }
  stdout: Output
  stderr: Output
  env: Readonly<Record<string, string | undefined>>
  /** Aborts when the user interrupts the command, or the system asks it to end, or its terminal is closed. */
  signal?: AbortSignal | undefined
  /** Registers work for each SIGHUP, which asks a server to read its files again instead of ending it. */
  onHangup?(work: () => void): void
  /** Keeps V8's space for young objects at its size from now on: during long synchronous work no timer can watch it grow. */
  keepYoungSpace?(): void
  /** The same, after it has grown at once to the size that lasting work needs; and collects old objects more often. */
  growYoungSpace?(): void
  /** Compiles in less memory from now on: for a process that waits more than it works. */
  compileInLessMemory?(): void
  /** Collects young objects that are garbage, and the buffers that they hold. */
  collectYoung?(): void
  /**
   * From now on an interrupt may end the process immediately: SQLite cannot be interrupted, and nothing is half-written. Throws
   * `interrupted` for one that came before.
   */
  mayEndAtOnce?(): Promise<void>
  /** Runs a command line in another process, which can be killed when it does not see an interrupt. */
  runApart?:
    | ((argv: readonly string[], options: Readonly<Record<string, unknown>>) => Promise<ExitCode>)
    | undefined
  /** Opens an address in a browser, instead of the system's default way. Returns whether it succeeded. */
  openBrowser?(url: string): Promise<boolean>
  /** The options on the command line for backups and exports of other programs. */
  foreign?: SourceOptions | undefined
  /** Registers work to do when the command has ended, whether it succeeded or not. */
  atEnd?(work: () => void): void
}
