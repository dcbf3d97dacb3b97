import { ArchiveError } from '../errors.ts'
import type { Failure } from './page.ts'

/** What a page says of an error. A fault of our own is thrown again. */
export function failureOf(error: unknown): Failure {
  if (error instanceof ArchiveError) return { message: error.message }
  throw error
}
