import { ArchiveError } from '../errors.ts'
import type { Failure } from './page.ts'

/** The text of a page about an error. Bugs of this program are thrown again. */
export function failureOf(error: unknown): Failure {
  if (error instanceof ArchiveError) return { message: error.message }
  throw error
}
