import { ArchiveError } from '../../errors.ts'

const BROKEN = new Set(['git-object-damaged', 'git-object-missing', 'git-too-large'])

/** Whether an error says that an object is missing, damaged or too large, and nothing else is wrong. */
export const isBroken = (error: unknown): boolean =>
  error instanceof ArchiveError && BROKEN.has(error.code)
