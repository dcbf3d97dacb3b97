import { RULE_PROBLEMS, RULE_REMEDIES, type RuleCode } from './rule-codes.ts'

export type { RuleCode }

/** Where a fault lies: the archive, the entry in it, the record in that (from 1), the member of that. */
export interface Place {
  archive?: string | undefined
  entry?: string | undefined
  record?: number | undefined
  member?: string | undefined
}

/** What stops the work, by code, and what a person can do about it. */
export const ERRORS = {
  ...RULE_REMEDIES,
  'archive-not-found': 'Check the path.',
  'archive-unreadable': 'Check that the file can be read.',
  'not-an-archive':
    'The link to an archive expires after seven days: get a new one and download the archive again.',
  'archive-unsupported':
    'Repack it: unpack it into a folder, and name the folder or run: tar -czf archive.tar.gz -C <folder> .',
  'archive-is-json':
    'Name the folder that the file is in. If it holds an error message, download the archive again.',
  'archive-is-database': 'Name the database itself: marc inspect <database>',
  'archive-unrecognized':
    'Name the archive itself, or the folder in which schema.json or files such as issues_000001.json lie.',
  'gzip-damaged':
    'Download it again and compare its size with what the server announces, or take what can be read with: marc load --salvage',
  'gzip-truncated':
    'The download stopped early: download the archive again, or take what there is with: marc load --salvage',
  'tar-damaged':
    'Download it again and compare its size with what the server announces, or take what can be read with: marc load --salvage',
  'tar-truncated':
    'The download stopped early: download the archive again, or take what there is with: marc load --salvage',
  'path-hostile':
    'The archive or database names a file outside of itself: do not trust its source.',
  'limit-path': 'Raise maxPath (--max-path) if you trust the archive.',
  'limit-parts': 'Raise maxParts (--max-parts) if you trust the archive.',
  'limit-header': 'Raise maxHeader (--max-header) if you trust the archive.',
  'limit-members': 'Raise maxMembers (--max-members) if you trust the archive.',
  'limit-memory': 'Raise --max-memory, or put less into one value.',
  'limit-rows': 'Raise maxRows (--max-rows), or ask for less with LIMIT.',
  'limit-depth': 'Raise maxDepth (--max-depth) if you trust the archive.',
  'limit-record': 'Raise maxRecord (--max-record) if you trust the archive.',
  'limit-entries': 'Raise maxEntries (--max-entries) if you trust the archive.',
  'limit-expansion': 'Raise maxExpansion (--max-expansion) if you trust the archive.',
  'limit-extracted': 'Raise maxExtracted (--max-extracted) if you trust the archive.',
  'json-damaged': 'Download the archive again, or take what can be read with: marc load --salvage',
  'json-not-array': 'A file of records holds one array of objects.',
  'database-not-found': 'Make one with: marc load <archive>',
  'database-foreign': 'Name a database that marc load made, or another output.',
  'database-newer': 'Update migration-archive.',
  'database-older':
    'Load its archives again with this version: marc load <archive> -o <database> --force',
  'database-damaged': 'Load the archives again, or mend what SQL changed.',
  'database-busy': 'Wait until the other program is done with it.',
  'database-read-only': 'Allow the file to be written to, or copy it and name the copy.',
  'database-full': 'Make room on the disk, or name another place with --output.',
  'repository-not-found': 'List them with: marc repo list <archive>',
  'kind-unknown': 'Correct its name; kinds of your own go to otherRecords, known ones to records.',
  'kind-not-found': 'List the kinds with: marc tables <database>',
  'records-not-found':
    'Choose more: people come with what they did. In a folder, name files by kind, such as issues.json.',
  'content-missing': 'Load the archives again with their files, or build without: --no-files',
  'output-full': 'Make room on the disk, or name another output.',
  'output-exists': 'Name another output, or pass --force.',
  'output-failed': 'Make room where the output goes, or name another place.',
  'output-refused': 'Check that the folder exists and can be written to.',
  'query-invalid': 'See the tables and columns with: marc schema <database>',
  'query-timeout': 'Give it more time with --timeout, or ask for less.',
  'query-writes': 'A query is one statement that reads and returns rows.',
  'search-invalid':
    'Write words, "a phrase", begin*, title:word; join them with OR, NOT and parentheses.',
  'search-index-missing': 'Make it with: marc search <database> <words>',
  'entry-repeated': 'Give each a path of its own, in the tables record_files and files.',
  'entry-not-found': 'List the entries with: marc ls <archive>',
  'record-ambiguous': 'Write the repository as well: owner/name#12.',
  'record-not-found': 'Find it with: marc search <database> <words>',
  'kind-name': 'Name a kind in the plural with small letters, digits and _, such as issues.',
  'content-size': 'Announce as many bytes as there are, and do not write to a file meanwhile.',
  'content-not-bytes':
    'Hand over bytes as Uint8Array, or a text whole; set no encoding on a stream.',
  'record-not-object': 'Hand over objects, one for each record.',
  'file-path': 'Give files of the folders attachments, repository_files and releases.',
  'record-not-json':
    'Hand over what JSON has: texts, finite numbers, true, false, null, arrays and plain objects.',
  'file-unreadable': 'Check the path, and that it is a file that can be read.',
  'git-directory': 'Name a bare repository, such as git clone --mirror makes.',
  'git-link': 'Put the file itself in place of the link.',
  'git-incomplete':
    'Fetch what is missing and put it into the repository itself: git repack -a -d.',
  'git-ref-broken': 'Fetch what it names, or delete it with: git update-ref -d',
  'git-unsupported': 'Only SHA-1 repositories with refs in files are taken, here and by importers.',
  'git-object-damaged':
    'See what is damaged with: marc repo fsck. Then download the archive again.',
  'git-object-missing':
    'See what is missing with: marc repo fsck. Then look for it where the archive came from.',
  'git-too-large':
    'Raise maxObject (--max-object), or write the repository out with: marc repo clone',
  'git-revision-not-found': 'List the refs with: marc repo refs <database> <owner/name>',
  'git-path-not-found':
    'List what is there with: marc repo show <database> <owner/name> <revision>:',
  interrupted: 'Nothing was changed.',
  'option-invalid': 'Pass what the message asks for, or leave the option out.',
  usage: 'See: marc --help',
} as const satisfies Record<string, string>

export type ErrorCode = keyof typeof ERRORS

/** What is wrong but need not stop the work, by code. */
export const PROBLEMS = {
  ...RULE_PROBLEMS,
  'archive-older':
    'records of an older archive replaced newer ones; load it first, or use newestWins (--newest-wins)',
  'entry-type': 'an entry that is neither a file nor a directory was left out',
  'entry-repeated': 'several entries have one path; all of them were read',
  'entry-unknown': 'a file whose purpose is not known was kept',
  'gzip-trailing': 'bytes after the end of the compressed data were left out',
  'entry-lost': 'a file that is not whole was left out',
  'rest-lost': 'the archive is damaged or cut: what came before that was kept',
  'git-unsupported': 'Git data in a form that is not read were kept as files',
  'ref-invalid': 'a ref that Git would not take was left out',
  'ref-unresolved': 'a ref that names itself by way of others was kept without an object',
  'path-not-utf8': 'bytes of a name that are not UTF-8 were kept as %ff and the like',
  'schema-version': 'schema.json names a version this program does not know',
  'schema-invalid': 'schema.json or urls.json is not a JSON object',
  'json-layout': 'a file of records in another layout is built in that of the host',
  'kind-unknown': 'records of a kind this program does not know were kept in a table of their own',
  'member-unknown': 'members this program does not know were kept in _extra',
  'member-order': 'members named like integers were put before the others of their object',
  'member-around': 'what stands beside the records of a file in a folder was left out',
  'member-repeated': 'of several members with one name in an object the last was kept',
  'record-not-object': 'something other than an object stands where a record should',
  'record-lost': 'a part of a file of records that could not be read was left out',
  'text-bom': 'a byte order mark was left out',
  'text-not-utf8': 'bytes that are not UTF-8 were replaced by U+FFFD',
} as const satisfies Record<string, string>

export type ProblemCode = keyof typeof PROBLEMS

/** What of a damaged archive was lost, where it is salvaged. */
export const LOSSES: readonly ProblemCode[] = ['rest-lost', 'entry-lost', 'record-lost']

/**
 * A harmless fault, reported while work goes on. `content` is JSON that found no place elsewhere; `times` how many
 * records share it where that are several, of which the place is the first.
 */
export interface Problem {
  code: ProblemCode
  place: Place
  message: string
  times?: number
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
