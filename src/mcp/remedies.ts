import type { ErrorCode } from '../base/error-codes.ts'
import type { ArchiveError } from '../base/errors.ts'

const REMEDIES: Readonly<Partial<Record<ErrorCode, string>>> = {
  'repository-not-found': 'Call list_repositories for the names.',
  'record-not-found': 'Call list_threads or search to find it.',
  'person-not-found': 'Call query for their names: SELECT login FROM people.',
  'label-not-found': 'Call query for their names: SELECT DISTINCT name FROM labels.',
  'milestone-not-found': 'Call query for their names: SELECT DISTINCT title FROM milestones.',
  'kind-not-found': 'Call schema without a table for their names.',
  'query-invalid': 'Call schema for the tables and columns.',
  'query-writes': 'Send one SELECT statement.',
  'query-timeout': 'Ask for less: add conditions, or a LIMIT.',
  'query-busy': 'Try again when other calls are answered.',
  'limit-memory': 'Ask for less: add conditions, or a LIMIT.',
  'search-invalid': 'Quote words that are not meant as operators.',
  'git-revision-not-found': 'Call list_files without a revision, or log, for names that are there.',
  'git-path-not-found': 'Call list_files for the paths.',
  'database-busy': 'Another program writes to the database: try again.',
}

/** What the caller of a tool can do about an error; an empty text if nothing. */
export function remedyOf({ code, value, meant }: ArchiveError): string {
  if (meant !== undefined) return `Did you mean ${meant}?`
  return code === 'table-empty' ? `Fill it with: ${value}` : (REMEDIES[code] ?? '')
}
