import { join } from 'node:path'
import { readFileStream } from '../../archive/read-file-stream.ts'
import { anOpenDatabase, aPath, checkArguments, checkOptions } from '../../base/check-arguments.ts'
import { ArchiveError } from '../../base/errors.ts'
import { nextTurn } from '../../base/next-turn.ts'
import type { Database } from '../../database/open-database.ts'
import { makeTemporaryFolder } from '../../files/temporary-folder.ts'
import { refuseExisting, writeFile } from '../../files/write-file.ts'
import { loadArchive } from '../../load/load-archive.ts'
import { findNames, hostsOf, loginsIn } from '../map/find-names.ts'
import { isLogin } from '../map/identity-map.ts'
import { mapRecords } from '../map/map-records.ts'
import { createTextSet, type TextSet } from '../text-set.ts'
import { openWorkingCopy, type WorkingCopy } from '../working-copy.ts'
import { archiveOf, isArchivePath } from '../write-output.ts'
import { createDetectors, type What } from './detect.ts'
import { renameFiles } from './files/rename-files.ts'
import { wordsOf } from './find-names.ts'
import { createBranchRenamer } from './git/branch-renamer.ts'
import { namesInGit } from './git/names-in-git.ts'
import { countInGit, redactGit } from './git/redact-git.ts'
import { renameBranches, renamedBranches } from './git/rename-branches.ts'
import { renameCommits } from './git/rename-commits.ts'
import { createGitValues } from './git-parts.ts'
import { createHintFinder, createNameHints } from './hints.ts'
import { type OwnPatterns, parseOwnPatterns } from './own-patterns.ts'
import { proveRedaction } from './proof/prove.ts'
import { createPseudonyms, isPseudonym, type Pseudonyms } from './pseudonyms.ts'
import { idsOfFiles, redactFiles } from './redact-files.ts'
import {
  REDACT_SHAPES,
  type RedactOptions,
  type RedactReport,
  WAYS_NOT_UNDONE,
} from './redact-options.ts'
import { collectSecrets, type Redaction, redactRecords } from './redact-records.ts'
import { createRemovedValues, type KnownSecrets } from './removed-values.ts'

/**
 * Takes addresses, names, logins, IP addresses and secrets out of a copy of a database, and writes an archive or database of it.
 * Before the output gets its name, it is read again from its own bytes, and everything that was taken out is looked for in
 * records, names of files, attachments and headers. Of Git objects, only the people in commits and tags are changed and looked for.
 *
 * @param source an open database
 * @param output the file to write: an archive if it ends in `.tar.gz` or `.tgz`, else a database; undefined only reports
 * @param options what to take out, and what to write instead
 * @returns what was taken out, without the values
 * @throws `redaction-incomplete` if a value is still there; `option-invalid` for a short key, a bad pattern, or a path that no
 *   file has; `output-exists`,
 *   `output-full`, `output-refused`, and the codes of `buildArchive`
 * @example
 * const report = await redactDatabase(database, 'public.tar.gz', { key: readFileSync('key') })
 */
export const redactDatabase = (
  source: Database,
  output: string | undefined,
  options: RedactOptions = {},
): Promise<RedactReport> => redactAndProve(source, output, options)

/** Receives the new archive before it is proved, and the proof: so a test can show what the proof finds. */
export type BeforeProof = (
  archive: string,
  prove: (archive: string) => Promise<void>,
) => Promise<void>

/** `redactDatabase` with a look at what it is about to prove. */
export async function redactAndProve(
  source: Database,
  output: string | undefined,
  options: RedactOptions,
  beforeProof?: BeforeProof,
): Promise<RedactReport> {
  checkArguments({ source }, { source: anOpenDatabase })
  if (output !== undefined) checkArguments({ output }, { output: aPath })
  checkOptions(options, REDACT_SHAPES)
  const pseudonyms = createPseudonyms(options.key, { keepDomain: options.keepDomain ?? false })
  const own = parseOwnPatterns(options.also ?? [])
  if (output !== undefined && !options.force) refuseExisting(output)
  let secrets: KnownSecrets | undefined
  for (;;) {
    const copy = await openWorkingCopy(source, options)
    let redacted: Redacted | undefined
    try {
      await nextTurn(options.signal)
      redacted = await redactCopy(copy, options, { pseudonyms, own, secrets })
      if (output !== undefined) await writeProven(copy, output, redacted, options, beforeProof)
      return redacted.report
    } catch (error) {
      if (!redacted || !isIncomplete(error)) throw error
      // A secret that only a file or an escape told may also stand for itself: with all that are known, once more.
      secrets = new Map([...redacted.known, ...redacted.removed.secrets])
      if (secrets.size === redacted.known.size) throw error
    } finally {
      copy.close()
    }
  }
}

const isIncomplete = (error: unknown): boolean =>
  error instanceof ArchiveError && error.code === 'redaction-incomplete'

/** What the proof has to know, and the secrets that were known from the beginning. */
interface Redacted extends Pick<Redaction, 'removed' | 'keep' | 'authors' | 'report'> {
  known: KnownSecrets
}

/** What finds values and takes their place, and the secrets of a run before. */
interface Known {
  pseudonyms: Pseudonyms
  own: OwnPatterns | undefined
  secrets: KnownSecrets | undefined
}

/** Takes the values out of a copy. What finds them is no longer in memory in the end. */
async function redactCopy(
  copy: WorkingCopy,
  options: RedactOptions,
  { pseudonyms, own, secrets }: Known,
): Promise<Redacted> {
  const { database, edited } = copy
  const what: ReadonlySet<What> = new Set(options.what ?? ['emails', 'names', 'ips', 'secrets'])
  const keep = new Set(options.keep?.map((value) => value.toLowerCase()))
  const report = { ...emptyReport(), what: [...what] }
  // Logins may change their paths.
  const dropped = idsOfFiles(database, options.dropFiles ?? [])
  report.files.state = options.attachments ?? 'scan'
  report.files.unread.kept = options.keepUnread ?? options.attachments === 'keep'
  report.git.unread.kept = report.files.unread.kept || options.git === 'keep'
  const names = what.has('names') ? await fullNames(database, keep) : createTextSet()
  const logins = what.has('logins') ? findLogins(database, keep) : []
  const hosts = hostsOf(database)
  const { mode = 'pseudonym', git = 'authors', signal } = options
  const nameHints = createNameHints(names)
  const detectorWith = createDetectors({ what, keep, own, names, nameHints, logins, hosts })
  renamePeople(copy, logins, pseudonyms)
  const collected = () =>
    what.has('secrets') ? collectSecrets(database, detectorWith()) : new Map()
  const known = secrets ?? collected()
  const redaction: Redaction = {
    detect: detectorWith(known),
    findHints: createHintFinder({ what, own, names, logins, hosts, secrets: known }, nameHints),
    pseudonyms,
    mode,
    what,
    keep,
    report,
    edited,
    removed: createRemovedValues(),
    authors: new Set(),
    gitValues: createGitValues(),
  }
  if (what.has('logins')) report.counts.login = logins.length
  for (const login of logins) redaction.removed.addLogin(login, hosts)
  noteGit(database, git, report)
  // After an error the copy is discarded, so nothing has to be taken back.
  database.exec('BEGIN')
  renameFiles(database, redaction)
  await nextTurn(signal)
  redactRecords(database, redaction)
  await nextTurn(signal)
  await redactFiles(database, redaction, { ...options, dropped })
  await nextTurn(signal)
  if (report.git.state === 'rewritten') {
    const scope = git === 'history' ? 'history' : 'authors'
    const branches = createBranchRenamer(renamedBranches(database, redaction))
    noteRecords(report, renameBranches(database, branches, edited))
    if (await redactGit(database, { ...redaction, branches }, scope)) {
      noteRecords(report, renameCommits(database, edited))
    }
  }
  database.exec('COMMIT')
  if (report.git.state === 'kept') await countInGit(database, redaction)
  report.collisions = pseudonyms.collisions()
  const { removed, authors } = redaction
  for (const { value } of removed) if (removed.doubtful.has(value)) report.doubtful.alsoRemoved++
  return { removed, keep, authors, report, known }
}

const emptyReport = (): Omit<RedactReport, 'what'> => ({
  counts: {},
  members: {},
  records: {},
  places: [],
  doubtful: { count: 0, alsoRemoved: 0, places: [] },
  files: {
    state: 'scan',
    changed: 0,
    dropped: 0,
    auditLog: false,
    unread: { count: 0, types: {}, paths: [], kept: false },
    missing: 0,
  },
  git: {
    state: 'none',
    rewritten: 0,
    counts: {},
    unreadable: 0,
    unread: { count: 0, types: {}, paths: [], kept: false },
    parts: {},
  },
  notUndone: WAYS_NOT_UNDONE,
  collisions: 0,
  proved: false,
})

/** Adds changed records of a second pass: a record that both changed counts once if its table has no more. */
function noteRecords(report: RedactReport, changed: Record<string, number>): void {
  for (const [table, count] of Object.entries(changed)) {
    report.records[table] = Math.max(report.records[table] ?? 0, count)
  }
}

/** The names of people that have two words or more: those of records, and of Git data. */
async function fullNames(database: Database, keep: ReadonlySet<string>): Promise<TextSet> {
  const names = createTextSet()
  const add = (name: string) => {
    if (wordsOf(name).length < 2) return
    if (keep.has(name.toLowerCase()) || isPseudonym('name', name)) return
    names.add(name)
    // As people write it as well, and as it is in the name of a branch: anne-marie-fixes.
    const spaced = name.replaceAll('-', ' ')
    if (spaced !== name && wordsOf(spaced).length > 1) names.add(spaced)
  }
  const statement = database
    .prepare<[], string>("SELECT name FROM users WHERE typeof(name) = 'text'")
    .pluck()
  for (const name of statement.iterate()) add(name)
  for (const name of await namesInGit(database)) add(name)
  return names
}

/** The logins of all people with a record, or to whom anything refers; not those of known bots and organizations. */
function findLogins(database: Database, keep: ReadonlySet<string>): string[] {
  const others = ['organizations', 'bots'].flatMap((table) => loginsIn(database, table))
  const stay = new Set(others.map((login) => login.toLowerCase()))
  return findNames(database, { inLists: true }).people.filter((login) => {
    const key = login.toLowerCase()
    return isLogin(login) && !stay.has(key) && !keep.has(key) && !isPseudonym('login', login)
  })
}

/** Renames people in records: mentions, URLs and paths follow. */
function renamePeople(
  { database, edited }: WorkingCopy,
  logins: readonly string[],
  pseudonyms: Pseudonyms,
): void {
  if (logins.length === 0) return
  const map = {
    hosts: [],
    repositories: [],
    logins: logins.map((login) => ({
      old: login,
      new: pseudonyms.of('login', login),
      place: 'the logins of the database',
    })),
  }
  mapRecords(database, map, { mentions: 'code', textsEverywhere: true }, edited)
}

const STATES = {
  authors: 'rewritten',
  history: 'rewritten',
  keep: 'kept',
  drop: 'dropped',
} as const

/** Says what becomes of Git data, and takes it out on request, or if its contents were never stored. */
function noteGit(database: Database, git: keyof typeof STATES, report: RedactReport): void {
  const count = (sql: string) => database.prepare<[], number>(sql).pluck().get() as number
  if (count(`SELECT count(*) FROM files WHERE role = 'git'`) === 0) return
  const isMissing = `SELECT count(*) FROM files WHERE role = 'git' AND size > 0 AND NOT stored`
  report.git.state = count(isMissing) > 0 ? 'dropped' : STATES[git]
  if (report.git.state === 'dropped') {
    database.exec(`
      DELETE FROM file_chunks WHERE file IN (SELECT id FROM files WHERE role = 'git');
      DELETE FROM files WHERE role = 'git';
      DELETE FROM entries WHERE role = 'git' OR (role = 'directory' AND path LIKE 'repositories/%');
      DELETE FROM chunks WHERE id NOT IN (SELECT chunk FROM file_chunks);
      DELETE FROM refs; DELETE FROM git_packs`)
  }
}

/** Writes the archive under a temporary name, verifies it, and renames it or loads it into a database of that name. */
async function writeProven(
  copy: WorkingCopy,
  output: string,
  { removed, keep, authors, report }: Redacted,
  options: RedactOptions,
  beforeProof?: BeforeProof,
): Promise<void> {
  const { attachments = 'scan', force = false, signal } = options
  const temporary = makeTemporaryFolder()
  try {
    const archive = join(temporary.path, 'redacted.tar.gz')
    const files = report.files.missing === 0
    // An archive that only becomes a database need not be small.
    const level = isArchivePath(output) ? undefined : 1
    await writeFile(archive, archiveOf(copy, options, { files, level }), { sync: false })
    const isRewritten = report.git.state === 'rewritten'
    const filesOfGit = options.git === 'history' ? 'all' : 'notes'
    const prove = (path: string) =>
      proveRedaction(path, {
        removed,
        doubtful: removed.doubtful,
        keep,
        signal,
        keepsFiles: attachments === 'keep',
        keepsGit: report.git.state === 'kept',
        git: isRewritten ? { people: authors, files: filesOfGit } : undefined,
      })
    await beforeProof?.(archive, prove)
    await prove(archive)
    report.proved = true
    if (isArchivePath(output)) {
      await writeFile(output, readFileStream(archive, signal), { force })
    } else {
      await loadArchive(archive, output, { replace: force, signal })
    }
  } finally {
    temporary.remove()
  }
}
