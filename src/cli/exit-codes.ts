/** Every exit code with its meaning; printed by each --help. */
export const EXIT_CODES = {
  0: 'done',
  1: 'done, and the answer is no: faults or nothing found',
  2: 'wrong usage',
  3: 'the archive or database is damaged or was refused',
  5: 'loaded or written, but incomplete',
  130: 'interrupted',
} as const

export type ExitCode = 0 | 1 | 2 | 3 | 5 | 130
