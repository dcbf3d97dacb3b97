import { RULE_PROBLEMS, type RuleCode } from './rule-codes.ts'

export type { RuleCode }

/** Where a fault is: the archive, its entry, the record in the entry (from 1), the member of the record. */
export interface Place {
  archive?: string | undefined
  entry?: string | undefined
  record?: number | undefined
  member?: string | undefined
}

/** Errors, which stop the work, by code. The message has the facts; `cli/remedies.ts` says how to fix it. */
export const ERRORS = {
  ...RULE_PROBLEMS,
  'archive-not-found': 'no file has the path of the archive',
  'archive-unreadable': 'the archive cannot be opened',
  'not-an-archive': 'the file is neither gzip nor tar',
  'archive-unsupported': 'the file is an archive of another format',
  'archive-is-json': 'the file is a record file, not an archive',
  'archive-is-database': 'the file is a database, not an archive',
  'archive-unrecognized': 'the tar holds nothing of a migration archive',
  'gzip-damaged': 'the compressed data is damaged',
  'gzip-truncated': 'the compressed data ends too early',
  'tar-damaged': 'the tar is damaged',
  'tar-truncated': 'the tar ends too early',
  'path-hostile': 'a path leads out of the archive',
  'limit-path': 'a path has too many bytes',
  'limit-parts': 'a path has too many parts',
  'limit-header': 'an extended header is too large',
  'limit-members': 'the gzip data has too many members',
  'limit-time': 'a pattern takes too much time',
  'limit-memory': 'a query needs too much memory',
  'limit-rows': 'a query returns too many rows',
  'limit-depth': 'a record is nested too deeply',
  'limit-record': 'a record is too large',
  'limit-entries': 'the archive has too many entries',
  'limit-expansion': 'the data expands too much for its compressed size',
  'limit-extracted': 'the content is too large in all',
  'json-damaged': 'a record file is not valid JSON',
  'json-not-array': 'a record file is not an array of objects',
  'database-not-found': 'no file has the path of the database',
  'database-foreign': 'the file is not a database of this program',
  'database-newer': 'a newer version made the database',
  'database-older': 'an older version made the database',
  'database-damaged': 'the database is damaged',
  'database-busy': 'another program is using the database',
  'database-read-only': 'the database cannot be written to',
  'database-full': 'the disk of the database is full',
  'repository-not-found': 'the database has no such repository',
  'person-not-found': 'the database has no such person',
  'label-not-found': 'the database has no such label',
  'map-invalid': 'a map of names cannot be used',
  'map-incomplete': 'people have no new name',
  'redaction-incomplete': 'a value that should have been removed is still there',
  'kind-unknown': 'the library knows no such kind of record',
  'kind-not-found': 'the database has no such kind of record',
  'records-not-found': 'no record was chosen',
  'content-missing': 'the database was loaded without the contents of files',
  'address-in-use': 'another program listens on the address',
  'address-refused': 'the server cannot listen on the address',
  'output-full': 'the disk of the output is full',
  'output-exists': 'the output exists',
  'output-failed': 'the output could not be written completely',
  'output-refused': 'the output cannot be created',
  'dataset-foreign': 'the target holds something other than exports',
  'dataset-newer': 'a newer version wrote the target',
  'partition-busy': 'another process writes the partition',
  'package-missing': 'a target needs a package that is not installed',
  'target-failed': 'the server or engine of a target reported an error',
  'query-invalid': 'SQLite rejects the statement',
  'query-timeout': 'the query took too long',
  'query-writes': 'the statement is not a query',
  'search-invalid': 'the words to search for cannot be parsed',
  'search-index-missing': 'the database has no search index',
  'entry-repeated': 'several entries would have the same path',
  'entry-not-found': 'the archive has no such entry',
  'record-ambiguous': 'several records match',
  'record-not-found': 'no record matches',
  'kind-name': 'the name of a kind has an invalid form',
  'content-size': 'a content does not have the announced size',
  'content-not-bytes': 'a content is not bytes',
  'record-not-object': 'a record is not an object',
  'file-path': 'the path of a file is not one for uploads',
  'record-not-json': 'a record holds a value that JSON does not have',
  'file-unreadable': 'a file cannot be read',
  'git-directory': 'the folder is not a bare repository',
  'git-link': 'a repository contains a symbolic link',
  'git-incomplete': 'objects of a repository are missing',
  'git-ref-broken': 'a ref names an object that is missing',
  'git-unsupported': 'the repository has an unsupported format',
  'git-object-damaged': 'a Git object is damaged',
  'git-object-missing': 'a Git object is missing',
  'git-too-large': 'a Git object is too large',
  'git-revision-not-found': 'the repository has no such revision',
  'git-path-not-found': 'the revision has no such path',
  'accounts-invalid': 'the accounts file is invalid',
  'state-foreign': 'the state folder holds no state of this program',
  'state-newer': 'a newer version made the state',
  'server-unreachable': 'the server could not be reached, or the connection broke',
  'server-failed': 'the server failed, or answered something that makes no sense',
  'server-insecure': 'others could read what is sent to the server',
  'credentials-missing': 'there is no token',
  'credentials-refused': 'the server refuses the token or the password',
  'otp-required': 'the server asks for a one-time password',
  'sso-required': 'the token is not authorized for an organization',
  'rate-limited': 'the server takes no more requests for a while',
  'preview-refused': 'the server does not offer migrations',
  'request-refused': 'the server refuses a request',
  'migration-not-found': 'the server has no such migration',
  'migration-failed': 'the server could not export the repositories',
  'migration-timeout': 'the migration took too long',
  'archive-not-ready': 'the migration is not exported yet',
  'archive-gone': 'the server has no archive of the migration',
  'download-damaged': 'the downloaded archive is damaged',
  'download-busy': 'another process downloads to the same file',
  'download-changed': 'the archive changed while it was downloaded',
  interrupted: 'the caller stopped the work',
  'option-invalid': 'an option or argument is invalid',
  usage: 'the command line is invalid',
} as const satisfies Record<string, string>

export type ErrorCode = keyof typeof ERRORS

/** Problems, which do not stop the work, by code: the text that a report prints. */
export const PROBLEMS = {
  ...RULE_PROBLEMS,
  'archive-older': 'records of an older archive replaced newer ones',
  'entry-type': 'an entry that is neither a file nor a directory was skipped',
  'entry-repeated':
    'several entries, or a file and a folder, have the same path; all of them were read',
  'entry-unknown': 'a file of unknown purpose was kept',
  'gzip-trailing': 'bytes after the end of the compressed data were skipped',
  'entry-lost': 'an incomplete file was skipped',
  'rest-lost': 'the archive is damaged or truncated; everything before that point was kept',
  'git-unsupported': 'Git data in an unsupported form was kept as files',
  'ref-invalid': 'a ref that Git rejects was skipped',
  'ref-unresolved': 'a symbolic ref that leads back to itself was kept without an object',
  'path-not-utf8': 'bytes of a name that are not UTF-8 were kept as %ff and the like',
  'schema-version': 'schema.json has an unknown version',
  'schema-invalid': 'schema.json or urls.json is not a JSON object',
  'json-layout': "a record file with another layout will be built with the host's",
  'kind-unknown': 'records of an unknown kind were kept in a table of their own',
  'member-unknown': 'unknown members were kept in _extra',
  'member-order': 'members with integer names were moved to the front of their object',
  'member-around': 'members beside the records of a file were skipped',
  'member-repeated': 'of several members with the same name in an object, the last was kept',
  'record-not-object': 'a record is not an object',
  'record-lost': 'an unreadable part of a record file was skipped',
  'text-bom': 'a byte order mark was removed',
  'text-not-utf8': 'bytes that are not UTF-8 were replaced by U+FFFD',
} as const satisfies Record<string, string>

export type ProblemCode = keyof typeof PROBLEMS

/** Problems that report data lost from a damaged archive. */
export const LOSSES: readonly ProblemCode[] = ['rest-lost', 'entry-lost', 'record-lost']

/** A fault that does not stop the work. */
export interface Problem {
  code: ProblemCode
  place: Place
  message: string
  /** How many records have it, if several do; `place` is the first of them. */
  times?: number
  /** JSON that no table could hold. */
  content?: string
}

/** Receives each problem as it is found. */
export type Report = (problem: Problem) => void

/** A limit that was exceeded, in its own unit: bytes, levels, entries. */
export interface ExceededLimit {
  allowed: number
  /** How much there is, or how much had been read when it was too much. Undefined if nobody counted. */
  found?: number
}

interface Facts {
  value?: string | undefined
  limit?: ExceededLimit | undefined
}

/**
 * The one error that this package throws on bad input.
 *
 * @example
 * ```ts
 * const isMissing = (error: unknown) =>
 *   error instanceof ArchiveError && error.code === 'archive-not-found'
 * ```
 */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError'
  readonly code: ErrorCode
  readonly place: Place

  /** The name or word that is wrong, as it was given. */
  readonly value: string | undefined

  /** The limit that was exceeded, of most errors whose code begins with `limit-`. */
  readonly limit: ExceededLimit | undefined

  constructor(
    code: ErrorCode,
    message: string,
    place: Place = {},
    cause?: unknown,
    facts: Facts = {},
  ) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.place = place
    this.value = facts.value
    this.limit = facts.limit
  }

  /** The same error, with the name or word that is wrong. */
  about(value: string): ArchiveError {
    return new ArchiveError(this.code, this.message, this.place, this.cause, { ...this, value })
  }

  /** The same error, with the limit that was exceeded. */
  over(limit: ExceededLimit): ArchiveError {
    return new ArchiveError(this.code, this.message, this.place, this.cause, { ...this, limit })
  }

  /** The same error, its place completed by a caller. */
  at(outer: Place): ArchiveError {
    const place = { ...outer, ...this.place }
    return new ArchiveError(this.code, this.message, place, this.cause, this)
  }
}

/**
 * A place in words.
 *
 * @param place archive, entry, record and member, as far as known
 * @returns such as `export.tar.gz, issues_000012.json, record 7`; empty if nothing is known
 * @example
 * describePlace({ entry: 'issues_000012.json', record: 7 }) // 'issues_000012.json, record 7'
 */
export function describePlace({ archive, entry, record, member }: Place): string {
  const parts = [archive, entry, record && `record ${record}`, member && `member ${member}`]
  return parts.filter(Boolean).join(', ')
}
