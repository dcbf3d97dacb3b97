/** Where a fault lies: the archive, the entry in it, the record in that (from 1), the member of that. */
export interface Place {
  archive?: string | undefined
  entry?: string | undefined
  record?: number | undefined
  member?: string | undefined
}

/** What stops the work, by code, and what a person can do about it. */
export const ERRORS = {
  'archive-not-found': 'Check the path.',
  'archive-unreadable': 'Check that the file can be read.',
  'not-an-archive':
    'Download the archive again: the address of an archive expires after seven days.',
  'gzip-damaged': 'Download the archive again and compare its size with what the server announces.',
  'gzip-truncated': 'The download stopped early: download the archive again.',
  'tar-damaged': 'Download the archive again and compare its size with what the server announces.',
  'tar-truncated': 'The download stopped early: download the archive again.',
  'path-hostile': 'The archive tries to write outside of itself: do not trust its source.',
  'limit-path': 'Raise maxPath (--max-path) if you trust the archive.',
  'limit-parts': 'Raise maxParts (--max-parts) if you trust the archive.',
  'limit-header': 'Raise maxHeader (--max-header) if you trust the archive.',
  'limit-depth': 'Raise maxDepth (--max-depth) if you trust the archive.',
  'limit-record': 'Raise maxRecord (--max-record) if you trust the archive.',
  'limit-entries': 'Raise maxEntries (--max-entries) if you trust the archive.',
  'limit-expansion': 'Raise maxExpansion (--max-expansion) if you trust the archive.',
  'json-damaged': 'Download the archive again; what stands before this entry is intact.',
  'json-not-array': 'A file of records holds one array of objects.',
  'database-not-found': 'Make one with: marc load <archive>',
  'database-foreign': 'Name a database that marc load made, or another output.',
  'database-newer': 'Update migration-archive.',
  'database-older': 'Load the archives again with this version.',
  'database-damaged': 'Load the archives again.',
  'database-busy': 'Wait until the other program is done with it.',
  'database-full': 'Make room on the disk, or name another place with --output.',
  'output-exists': 'Name another output, or pass --force.',
  'output-refused': 'Check that the folder exists and can be written to.',
  'query-invalid': 'See the tables and columns with: marc schema <database>',
  'query-writes': 'A query is one statement that reads and returns rows.',
  'entry-not-found': 'List the entries with: marc ls <archive>',
  'record-not-found': 'List the tables with: marc tables <database>',
  interrupted: 'Nothing was changed.',
  usage: 'See: marc --help',
} as const satisfies Record<string, string>

export type ErrorCode = keyof typeof ERRORS

/** What is wrong but need not stop the work, by code. */
export const PROBLEMS = {
  'entry-type': 'an entry that is neither a file nor a directory was left out',
  'entry-repeated': 'several entries have one path; all of them were read',
  'entry-unknown': 'a file whose purpose is not known was kept',
  'gzip-trailing': 'bytes after the end of the compressed data were left out',
  'schema-version': 'schema.json names a version this program does not know',
  'schema-invalid': 'schema.json or urls.json is not a JSON object',
  'kind-unknown': 'records of a kind this program does not know were kept in a table of their own',
  'member-unknown': 'members this program does not know were kept in _rest',
  'member-type': 'members of another JSON type than expected were kept in _rest',
  'record-not-object': 'something other than an object stands where a record should',
  'record-no-url': 'a record without a url was kept without identity',
  'record-type': 'the type of a record does not fit its file; the type was believed',
  'record-duplicate': 'one url stands twice in an archive; the later record was kept',
  'text-bom': 'a byte order mark was left out',
  'text-not-utf8': 'bytes that are not UTF-8 were replaced by U+FFFD',
} as const satisfies Record<string, string>

export type ProblemCode = keyof typeof PROBLEMS

/** A harmless fault, reported while work goes on. `content` is JSON that found no place elsewhere. */
export interface Problem {
  code: ProblemCode
  place: Place
  message: string
  content?: string
}

export type Report = (problem: Problem) => void

/** The one error this package throws on bad input: a code, a place and a remedy. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError'
  readonly code: ErrorCode
  readonly place: Place

  constructor(code: ErrorCode, message: string, place: Place = {}, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.place = place
  }

  get remedy(): string {
    return ERRORS[this.code]
  }

  /** The same error with what an outer stage knows of its place. */
  at(outer: Place): ArchiveError {
    return new ArchiveError(this.code, this.message, { ...outer, ...this.place }, this.cause)
  }
}

/** `archive, issues_000012.json, record 7`; empty where nothing is known. */
export function describePlace({ archive, entry, record, member }: Place): string {
  const parts = [archive, entry, record && `record ${record}`, member && `member ${member}`]
  return parts.filter(Boolean).join(', ')
}
