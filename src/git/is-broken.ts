import { ArchiveError } from '../errors.ts'

/** Whether an error says that an object is missing or damaged, and nothing else is wrong. */
export const isBroken = (error: unknown): boolean =>
  error instanceof ArchiveError &&
  (error.code === 'git-object-damaged' || error.code === 'git-object-missing')
