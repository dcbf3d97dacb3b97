import { type Attachment, pagesOf } from '../../attachments/list-attachments.ts'
import { throwIfInterrupted } from '../../base/errors.ts'
import { openTemporary } from '../../database/connection.ts'
import type { Database } from '../../database/database.ts'
import { foldName, numberedName, safeName } from '../../files/safe-name.ts'
import type { Library, Repository } from '../../reading/library.ts'
import { foldCase, repositoryOf } from '../../reading/names.ts'
import type { Store } from '../../reading/store.ts'
import { LISTS } from '../../reading/threads/list-threads.ts'
import type { ThreadKind } from '../../reading/threads/thread-facts.ts'
import { PEOPLE_TABLES } from '../../records/people-tables.ts'
import { batchThreads } from './batch-threads.ts'
import type { Chosen } from './chosen.ts'

/** A thread and its file. */
export interface PlannedThread {
  readonly id: number
  /** The place of its database. */
  readonly store: number
  readonly kind: ThreadKind
  readonly url: string
  readonly folder: string
  readonly file: string
}

/** An upload and its file. */
export interface PlannedUpload {
  readonly store: number
  /** Its row in `files`. */
  readonly id: number
  readonly path: string
  readonly size: number
  readonly sha256: string
  readonly file: string
}

/** Somebody who has a record, and the file about them. */
export interface PlannedPerson {
  readonly store: number
  readonly kind: (typeof PEOPLE_TABLES)[number]
  readonly url: string
  readonly login: string
  readonly file: string
}

/** The folder of a repository. */
export interface PlannedFolder {
  readonly folder: string
  readonly name: string
  /** Undefined for threads that belong to none. */
  readonly repository: Repository | undefined
}

/** A thread in a list. */
export interface ListedThread {
  readonly file: string
  readonly number: number | null
  readonly title: string | null
  readonly state: string | null
  readonly author: string | null
  readonly created: string | null
}

/** The facts of a thread that lists show. */
export interface ThreadLine {
  readonly title: string | null
  readonly number: number | null
  readonly state: string | null
  readonly author: string | null
  readonly created: string | null
  readonly milestone: string | null
}

/** The names of all files, in a temporary SQLite file: memory does not grow with them. */
export interface Plan {
  readonly folders: readonly PlannedFolder[]
  /** The number of threads. */
  readonly threads: number
  /** Threads of one kind and database, as many as may be read together. */
  batches(): Generator<PlannedThread[]>
  uploads(): Generator<PlannedUpload>
  people(): Generator<PlannedPerson>
  /** Notes the facts of a thread for lists. */
  note(id: number, line: ThreadLine): void
  /** Lists of threads can be read when all are noted. */
  endNotes(): void
  /** Threads of a folder of this kind, those with the highest numbers first. */
  list(folder: string, kind: ThreadKind): Iterable<ListedThread>
  ofMilestone(url: string): Iterable<ListedThread>
  ofAuthor(login: string): Iterable<ListedThread>
  count(folder: string, kind: ThreadKind): { all: number; open: number }
  /** The first of three URLs that is that of a thread, with its file. */
  threadAt(urls: readonly string[]): { url: string; file: string } | undefined
  uploadFile(url: string): string | undefined
  personFile(login: string): string | undefined
  close(): void
}

/** Kinds of threads, and the folder and list of each. */
export const KINDS: Readonly<Record<ThreadKind, keyof typeof LISTS>> = {
  issue: 'issues',
  pull_request: 'pulls',
  discussion: 'discussions',
}

/** Where threads and files are that belong to no repository. */
const UNLINKED = 'unlinked'

/** Names at the top of the folder that no owner can have. */
const TAKEN = new Set(['people', 'people.md', 'readme.md', UNLINKED])

const SCHEMA = `
  CREATE TABLE names (name TEXT PRIMARY KEY) WITHOUT ROWID;
  CREATE TABLE numbers (name TEXT PRIMARY KEY, last INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE threads (id INTEGER PRIMARY KEY, store INTEGER, kind TEXT, url TEXT, folder TEXT, file TEXT, bytes INTEGER);
  CREATE INDEX threads_by_url ON threads (url, id, file);
  CREATE TABLE lines (id INTEGER PRIMARY KEY, folder TEXT, kind TEXT, file TEXT, number INTEGER, title TEXT, state TEXT, author TEXT,
    created TEXT, milestone TEXT);
  CREATE TABLE uploads (url TEXT PRIMARY KEY, store INTEGER, id INTEGER, path TEXT, size INTEGER, sha256 TEXT, file TEXT);
  CREATE TABLE people (login TEXT PRIMARY KEY, store INTEGER, kind TEXT, url TEXT, spelled TEXT, file TEXT);
  BEGIN`

const LINE = 'file, number, title, state, author, created'

/** Gives every file its name. No two names are equal on any system. */
export function planFiles(library: Library, chosen: Chosen, signal: AbortSignal | undefined): Plan {
  const own = openTemporary()
  try {
    own.exec(SCHEMA)
    const names = createNames(own)
    const folders = createFolders(library, names)
    for (const [place, store] of library.stores.entries()) {
      planThreads(own, { place, store, library, names, folders, chosen, signal })
      planUploads(own, { place, store, library, names, folders, chosen, signal })
      planPeople(own, { place, store, library, names, folders, chosen, signal })
    }
    for (const repository of library.repositories()) {
      if (chosen.has(repository.store, 'repositories', repository.url)) {
        folders.of(repository.fullName)
      }
    }
    return toPlan(own, folders.all())
  } catch (error) {
    own.close()
    throw error
  }
}

interface Planning {
  readonly place: number
  readonly store: Store
  readonly library: Library
  readonly names: Names
  readonly folders: Folders
  readonly chosen: Chosen
  readonly signal: AbortSignal | undefined
}

interface ThreadRow {
  url: string
  bytes: number
  repository: string | null
  full_name: string | null
  number: number | null
  title: string | null
}

/** Bytes of the columns that people fill. */
const BYTES = ['title', 'body', 'labels', 'reactions']
  .map((column) => `ifnull(octet_length(o.${column}), 0)`)
  .join(' + ')

function planThreads(
  own: Database,
  { place, store, library, names, folders, chosen, signal }: Planning,
): void {
  const insert = own.prepare(
    'INSERT INTO threads (store, kind, url, folder, file, bytes) VALUES (?, ?, ?, ?, ?, ?)',
  )
  for (const [kind, list] of Object.entries(KINDS) as [ThreadKind, keyof typeof LISTS][]) {
    const { table, part } = LISTS[list]
    const sql = `SELECT o.url, o.repository, o.full_name, o.number, o.title, ${BYTES} AS bytes FROM ${table} AS o
      WHERE o.url IS NOT NULL AND ${chosen.condition(store, table)} ORDER BY o.rowid`
    for (const { url, repository, full_name, number, title, bytes } of store.each<ThreadRow>(sql)) {
      throwIfInterrupted(signal)
      const name = full_name ?? repositoryOf(repository) ?? repositoryOf(url)
      // An earlier database has this repository.
      if (name !== null && (library.repository(name)?.store ?? store) !== store) continue
      const folder = folders.of(name)
      const file = names.take(`${folder}/${part}`, fileName(number, title))
      insert.run(place, kind, url, folder, file, bytes)
    }
  }
}

/** Characters of a name without its ending. */
const LONGEST = 80

/** `0042-a-title-in-words.md` */
function fileName(number: number | null, title: string | null): string {
  const start = number === null ? 'thread' : String(number).padStart(4, '0')
  const words = (title ?? '')
    .slice(0, 4 * LONGEST)
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
  const name = `${start}-${words}`.replace(/--+/g, '-').slice(0, LONGEST)
  return `${name.replace(/-$/, '')}.md`
}

function planUploads(
  own: Database,
  { place, store, library, names, folders, chosen, signal }: Planning,
): void {
  const insert = own.prepare('INSERT OR IGNORE INTO uploads VALUES (?, ?, ?, ?, ?, ?, ?)')
  const known = own.prepare<[string], unknown>('SELECT 1 FROM uploads WHERE url = ?')
  for (const upload of pagesOf(store.database)) {
    throwIfInterrupted(signal)
    const { url, file, path, size, sha256, stored, full_name: name } = upload
    if (url === null || file === null || path === null || sha256 === null || stored === 0) continue
    if (known.get(url) || !isChosen(upload, url, store, chosen)) continue
    if (name !== null && (library.repository(name)?.store ?? store) !== store) continue
    const folder = `${folders.of(name)}/${placeOf(upload, sha256)}`
    const last = upload.name || (path.split('/').at(-1) ?? '')
    insert.run(url, place, file, path, size, sha256, names.take(folder, safeName(last)))
  }
}

const TABLES = { attachment: 'attachments', repository_file: 'repository_files' } as const

function isChosen(
  { kind, parent }: Attachment,
  url: string,
  store: Store,
  chosen: Chosen,
): boolean {
  if (kind === 'file') return false
  if (kind === 'release_asset') return parent !== null && chosen.has(store, 'releases', parent)
  return chosen.has(store, TABLES[kind], url)
}

/** Uploads of a thread are in a folder beside its file, others by their content. */
function placeOf({ parent, number }: Attachment, sha256: string): string {
  const [, part] = /\/(issues|pull|discussions)\/\d+(?:[/?#]|$)/.exec(parent ?? '') ?? []
  return part !== undefined && Number.isSafeInteger(number)
    ? `${part}/${number}`
    : `files/${sha256.slice(0, 12)}`
}

function planPeople(own: Database, { place, store, names, chosen, signal }: Planning): void {
  const insert = own.prepare('INSERT INTO people VALUES (?, ?, ?, ?, ?, ?)')
  const known = own.prepare<[string], unknown>('SELECT 1 FROM people WHERE login = ?')
  for (const table of PEOPLE_TABLES) {
    const sql = `SELECT o.url, o.login FROM ${table} AS o
      WHERE o.url IS NOT NULL AND ${chosen.condition(store, table)} ORDER BY o.rowid`
    for (const { url, login } of store.each<{ url: string; login: string | null }>(sql)) {
      throwIfInterrupted(signal)
      const spelled = login || (url.split('/').at(-1) ?? '')
      if (known.get(foldCase(spelled))) continue
      const file = names.take('people', safeName(`${spelled}.md`))
      insert.run(foldCase(spelled), place, table, url, spelled, file)
    }
  }
}

interface Names {
  /** The path of a new file in a folder; the name gets a number if it is taken. */
  take(folder: string, name: string): string
}

function createNames(own: Database): Names {
  const insert = own.prepare<[string]>('INSERT OR IGNORE INTO names VALUES (?)')
  const last = own.prepare<[string], number>('SELECT last FROM numbers WHERE name = ?').pluck()
  const remember = own.prepare<[string, number]>('INSERT OR REPLACE INTO numbers VALUES (?, ?)')
  return {
    take(folder, name) {
      const wanted = foldName(`${folder}/${name}`)
      if (insert.run(wanted).changes === 1) return `${folder}/${name}`
      for (let number = (last.get(wanted) ?? 1) + 1; ; number++) {
        const path = `${folder}/${numberedName(name, number)}`
        if (insert.run(foldName(path)).changes === 0) continue
        remember.run(wanted, number)
        return path
      }
    },
  }
}

interface Folders {
  /** The folder of a repository by its name. */
  of(name: string | null): string
  all(): PlannedFolder[]
}

function createFolders(library: Library, names: Names): Folders {
  const known = new Map<string, PlannedFolder>()
  return {
    of(name) {
      const key = name === null ? '' : foldCase(name)
      const before = known.get(key)
      if (before) return before.folder
      const repository = name === null ? undefined : library.repository(name)
      const folder = folderOf(repository?.fullName ?? name, names)
      known.set(key, { folder, name: repository?.fullName ?? name ?? UNLINKED, repository })
      return folder
    },
    all: () => [...known.values()].sort((a, b) => (a.folder < b.folder ? -1 : 1)),
  }
}

function folderOf(fullName: string | null, names: Names): string {
  if (fullName === null) return UNLINKED
  const [owner = '', name = ''] = fullName.split('/')
  const safe = safeName(owner)
  return names.take(TAKEN.has(foldName(safe)) ? `_${safe}` : safe, safeName(name))
}

/** Rows that are read at once. */
const TOGETHER = 500

function toPlan(own: Database, folders: readonly PlannedFolder[]): Plan {
  const find = (sql: string) => own.prepare<[string], string>(sql).pluck()
  const threads = own.prepare<unknown[], { url: string; file: string }>(
    'SELECT url, file FROM threads WHERE url IN (?, ?, ?) ORDER BY id',
  )
  const upload = find('SELECT file FROM uploads WHERE url = ?')
  const person = find('SELECT file FROM people WHERE login = ?')
  const note = own.prepare(
    `INSERT INTO lines SELECT id, folder, kind, file, ?, ?, ?, ?, ?, ? FROM threads WHERE id = ?`,
  )
  const counts = own.prepare<[string, string], { all: number; open: number }>(
    `SELECT count(*) AS "all", count(*) FILTER (WHERE state = 'open') AS open FROM lines WHERE folder = ? AND kind = ?`,
  )
  const listOf = (condition: string) =>
    own.prepare<string[], ListedThread>(`SELECT ${LINE} FROM lines WHERE ${condition}`)
  const inFolder = listOf('folder = ? AND kind = ? ORDER BY number DESC, id')
  const ofMilestone = listOf('milestone = ? ORDER BY number, id')
  const ofAuthor = listOf('lower(author) = ? ORDER BY created DESC, id DESC')
  function* following<Row extends { key: string | number }>(
    table: string,
    key: string,
    first: string | number,
  ) {
    const statement = own.prepare<[string | number], Row>(
      `SELECT *, ${key} AS key FROM ${table} WHERE ${key} > ? ORDER BY ${key} LIMIT ${TOGETHER}`,
    )
    for (let after = first; ; ) {
      const rows = statement.all(after)
      yield* rows
      const last = rows.at(-1)
      if (!last) return
      after = last.key
    }
  }
  return {
    folders,
    threads: own.prepare<[], number>('SELECT count(*) FROM threads').pluck().get() ?? 0,
    batches: () =>
      batchThreads(following<PlannedThread & { key: number; bytes: number }>('threads', 'id', 0)),
    uploads: () => following<PlannedUpload & { key: string }>('uploads', 'url', ''),
    *people() {
      const all = following<PlannedPerson & { key: string; spelled: string }>('people', 'login', '')
      for (const { spelled, ...person } of all) yield { ...person, login: spelled }
    },
    note(id, { title, number, state, author, created, milestone }) {
      note.run(number, title, state, author, created, milestone, id)
    },
    endNotes() {
      own.exec(`CREATE INDEX lines_by_folder ON lines (folder, kind, number);
        CREATE INDEX lines_by_milestone ON lines (milestone);
        CREATE INDEX lines_by_author ON lines (lower(author), created)`)
    },
    // Nothing is written meanwhile.
    list: (folder, kind) => inFolder.iterate(folder, kind),
    ofMilestone: (url) => ofMilestone.iterate(url),
    ofAuthor: (login) => ofAuthor.iterate(foldCase(login)),
    count: (folder, kind) => counts.get(folder, kind) ?? { all: 0, open: 0 },
    threadAt(urls) {
      const found = threads.all(...urls)
      return urls.map((url) => found.find((one) => one.url === url)).find(Boolean)
    },
    uploadFile: (url) => upload.get(url),
    personFile: (login) => person.get(foldCase(login)),
    close: () => own.close(),
  }
}
