/** Every exit code with its meaning; each --help prints those of its command. */
export const EXIT_CODES = {
  0: 'done',
  1: 'done, but faults were found or nothing matched',
  2: 'wrong usage',
  3: 'the archive or database is damaged or was refused',
  4: 'a server could not be reached, or refused',
  5: 'loaded or written, but incomplete',
  130: 'interrupted; by SIGTERM 143, by SIGHUP 129',
} as const

/** The exit code of a command that was interrupted, by whatever. */
export const INTERRUPTED = 130

/** The exit codes of a process that a signal interrupted, which are those that a shell shows for one that it killed. */
export const SIGNAL_EXITS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const

export type ExitCode = 0 | 1 | 2 | 3 | 4 | 5 | 130

/** The exit codes of every command that reads a source. */
const COMMON_EXITS: readonly ExitCode[] = [0, 2, 3, 130]

/** The exit codes of a command, in order. */
export const exitsOf = ({ exits = [] }: { exits?: readonly ExitCode[] }): ExitCode[] =>
  [...COMMON_EXITS, ...exits].sort((a, b) => a - b)
