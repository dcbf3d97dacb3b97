import { join } from 'node:path'
import { readFileStream } from '../../archive/read-file-stream.ts'
import { anOpenDatabase, aPath, checkArguments, checkOptions } from '../../check-arguments.ts'
import type { Database } from '../../database/open-database.ts'
import { makeTemporaryFolder } from '../../files/temporary-folder.ts'
import { refuseExisting, writeFile } from '../../files/write-file.ts'
import { loadArchive } from '../../load-archive/load-archive.ts'
import { findNames, loginsIn } from '../map/find-names.ts'
import { createLookup } from '../map/identity-map.ts'
import { mapRecords } from '../map/map-records.ts'
import { createTextMapper } from '../map/map-texts.ts'
import { createUrlMapper } from '../map/map-urls.ts'
import { openWorkingCopy, type WorkingCopy } from '../working-copy.ts'
import { archiveOf, isArchivePath } from '../write-output.ts'
import { createDetector, type What } from './detect.ts'
import { wordsOf } from './find-names.ts'
import { createHintFinder, type HintOptions } from './hints.ts'
import { parseOwnPatterns } from './own-patterns.ts'
import { proveRedaction } from './prove.ts'
import { proveAuthors } from './prove-git.ts'
import { createPseudonyms, isPseudonym, type Pseudonyms } from './pseudonyms.ts'
import { redactFiles } from './redact-files.ts'
import { redactGit } from './redact-git.ts'
import { REDACT_SHAPES, type RedactOptions, type RedactReport } from './redact-options.ts'
import { type Redaction, redactRecords } from './redact-records.ts'
import { renameCommits } from './rename-commits.ts'

/**
 * Takes addresses, names, logins, IP addresses and secrets out of a copy of a database, and writes an archive or database of it.
 * Before the output gets its name, it is read again from its own bytes, and everything that was taken out is looked for in
 * records, names of files, attachments and headers. Git objects are not changed, and left out of this.
 *
 * @param source an open database
 * @param output the file to write: an archive if it ends in `.tar.gz` or `.tgz`, else a database; undefined only reports
 * @param options what to take out, and what to write instead
 * @returns what was taken out, without the values
 * @throws `redaction-incomplete` if a value is still there; `option-invalid` for a short key or a bad pattern; `output-exists`,
 *   `output-full`, `output-refused`, and the codes of `buildArchive`
 * @example
 * const report = await redactDatabase(database, 'public.tar.gz', { key: readFileSync('key') })
 */
export async function redactDatabase(
  source: Database,
  output: string | undefined,
  options: RedactOptions = {},
): Promise<RedactReport> {
  checkArguments({ source }, { source: anOpenDatabase })
  if (output !== undefined) checkArguments({ output }, { output: aPath })
  checkOptions(options, REDACT_SHAPES)
  const what: ReadonlySet<What> = new Set(options.what ?? ['emails', 'names', 'ips', 'secrets'])
  const pseudonyms = createPseudonyms(options.key, { keepDomain: options.keepDomain ?? false })
  const own = parseOwnPatterns(options.also ?? [])
  const keep = new Set(options.keep?.map((value) => value.toLowerCase()))
  if (output !== undefined && !options.force) refuseExisting(output)
  const copy = await openWorkingCopy(source, options)
  try {
    const { database, edited } = copy
    const report = emptyReport()
    report.files.state = options.attachments ?? 'scan'
    const names = what.has('names') ? fullNames(database, keep) : []
    const logins = what.has('logins') ? findLogins(database, keep) : []
    const detect = createDetector({ what, keep, own, names, logins })
    const hints: HintOptions = { what, own, names, logins }
    const findHints = createHintFinder(hints)
    const { mode = 'pseudonym' } = options
    const rename = redactLogins(copy, logins, pseudonyms)
    if (what.has('logins')) report.counts.login = logins.length
    const redaction: Redaction = {
      ...{ detect, findHints, pseudonyms, mode, what, keep, report, edited, rename },
      ...{ originals: new Set(), authors: new Set() },
    }
    noteGit(database, options, report)
    database.transaction(() => {
      redactRecords(database, redaction)
      redactFiles(database, redaction, options)
      if (options.git === 'authors' && redactGit(database, redaction)) {
        noteRecords(report, renameCommits(database, edited))
      }
    })()
    report.collisions = pseudonyms.collisions()
    if (output !== undefined) await writeProven(copy, output, { ...redaction, hints }, options)
    return report
  } finally {
    copy.close()
  }
}

const emptyReport = (): RedactReport => ({
  ...{ counts: {}, members: {}, records: {}, places: [], doubtful: { count: 0, places: [] } },
  files: { state: 'scan', changed: 0, dropped: 0, unread: { count: 0, paths: [] }, missing: 0 },
  git: { state: 'none', authors: null, inRecords: null, rewritten: 0 },
  collisions: 0,
  proved: false,
})

/** Adds changed records of a second pass: a record that both changed counts once if its table has no more. */
function noteRecords(report: RedactReport, changed: Record<string, number>): void {
  for (const [table, count] of Object.entries(changed)) {
    report.records[table] = Math.max(report.records[table] ?? 0, count)
  }
}

/** The names of people that have two words or more. */
const fullNames = (database: Database, keep: ReadonlySet<string>): string[] =>
  database
    .prepare<[], string>("SELECT DISTINCT name FROM users WHERE typeof(name) = 'text'")
    .pluck()
    .all()
    .filter((name) => wordsOf(name).length > 1 && !keep.has(name.toLowerCase()))

/** The logins of all people with a record, or to whom anything refers; not those of known bots and organizations. */
function findLogins(database: Database, keep: ReadonlySet<string>): string[] {
  const others = ['organizations', 'bots'].flatMap((table) => loginsIn(database, table))
  const stay = new Set(others.map((login) => login.toLowerCase()))
  return findNames(database, { inLists: true }).people.filter((login) => {
    const key = login.toLowerCase()
    return !stay.has(key) && !keep.has(key) && !isPseudonym('login', login)
  })
}

/** Renames people: mentions, URLs and paths follow. Returns what does the same to a text. */
function redactLogins(
  { database, edited }: WorkingCopy,
  logins: readonly string[],
  pseudonyms: Pseudonyms,
): (text: string) => string {
  if (logins.length === 0) return (text) => text
  const map = {
    ...{ hosts: [], repositories: [] },
    logins: logins.map((login) => ({
      old: login,
      new: pseudonyms.of('login', login),
      place: 'the logins of the database',
    })),
  }
  const lookup = createLookup(map)
  const { hosts } = findNames(database)
  mapRecords(database, map, { mentions: 'code', textsEverywhere: true }, edited)
  const urls = createUrlMapper(lookup, hosts, { respelt: 0, taken: 0 })
  return createTextMapper(urls, lookup, { mentions: 'code', isOrganization: () => false })
}

const STATES = { keep: 'kept', drop: 'dropped', authors: 'rewritten' } as const

/** Says what becomes of Git data, and takes it out on request. */
function noteGit(database: Database, { git = 'keep' }: RedactOptions, report: RedactReport): void {
  const count = (sql: string) => database.prepare<[], number>(sql).pluck().get() as number
  if (count(`SELECT count(*) FROM files WHERE role = 'git'`) === 0) return
  report.git.state = STATES[git]
  if (git === 'drop') {
    database.exec(`
      DELETE FROM file_chunks WHERE file IN (SELECT id FROM files WHERE role = 'git');
      DELETE FROM files WHERE role = 'git';
      DELETE FROM entries WHERE role = 'git' OR (role = 'directory' AND path LIKE 'repositories/%');
      DELETE FROM chunks WHERE id NOT IN (SELECT chunk FROM file_chunks);
      DELETE FROM refs; DELETE FROM git_packs`)
    return
  }
  // Only known if commits were indexed.
  if (count('SELECT count(*) FROM commits') === 0) return
  const known = `SELECT lower(e.value ->> 'address') FROM users,
    json_each(CASE WHEN json_valid(emails) THEN emails END) AS e WHERE e.type = 'object'`
  report.git.authors = count('SELECT count(DISTINCT lower(author_email)) FROM commits')
  report.git.inRecords = count(
    `SELECT count(DISTINCT lower(author_email)) FROM commits WHERE lower(author_email) IN (${known})`,
  )
}

/** Writes the archive under a temporary name, verifies it, and renames it or loads it into a database of that name. */
async function writeProven(
  copy: WorkingCopy,
  output: string,
  { detect, hints, originals, authors, report }: Redaction & { hints: HintOptions },
  options: RedactOptions,
): Promise<void> {
  const { attachments = 'scan', force = false } = options
  const temporary = makeTemporaryFolder()
  try {
    const archive = join(temporary.path, 'redacted.tar.gz')
    const files = report.files.missing === 0
    await writeFile(archive, archiveOf(copy, options, { files }), { sync: false })
    await proveRedaction(archive, {
      ...{ detect, hints, originals, keepsFiles: attachments === 'keep' },
    })
    if (authors.size > 0) await proveAuthors(archive, authors)
    report.proved = true
    if (isArchivePath(output)) {
      await writeFile(output, readFileStream(archive), { force })
    } else {
      await loadArchive(archive, output, {
        replace: force,
        ...(options.signal && { signal: options.signal }),
      })
    }
  } finally {
    temporary.remove()
  }
}
