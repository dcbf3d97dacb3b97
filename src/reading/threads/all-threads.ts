import { openTemporary } from '../../database/connection.ts'
import type { Database } from '../../database/database.ts'
import { readPages } from '../../database/read-pages.ts'
import type { Library, Repository } from '../library.ts'
import { formatSeconds, parseTime } from '../times.ts'
import { LISTS, type ListName } from './list-threads.ts'

/** Where a thread is. */
export interface ThreadPlace {
  /** From 1, the oldest first. */
  readonly id: number
  readonly repository: Repository
  readonly kind: ListName
  readonly rowid: bigint
  readonly url: string
}

/** A letter or year, and how many threads have it. */
export interface ThreadGroup {
  readonly name: string
  readonly count: number
}

/** All threads of all repositories that may be seen, in a temporary SQLite file: memory does not grow with them. */
export interface AllThreads {
  readonly count: number
  /** First letters of titles: Latin ones first, then others, and `0-9` and `other`. */
  letters(): ThreadGroup[]
  /** Years, the newest first. */
  years(): ThreadGroup[]
  /** Threads whose titles begin with a letter, by title. */
  ofLetter(letter: string, range: Range): ThreadPlace[]
  /** Threads of a year, the newest first. */
  ofYear(year: string, range: Range): ThreadPlace[]
  /** Threads with ids above `after`, in their order. */
  following(after: number, limit: number): ThreadPlace[]
  close(): void
}

interface Range {
  readonly offset: number
  readonly limit: number
}

interface StoredPlace {
  id: number
  repository: string
  kind: ListName
  row: string
  url: string
}

/** Rows that are read at a time. */
const SIZE = 1000

/** All threads that have a page. They are listed once, and forgotten with the library. */
export const allThreadsOf = (library: Library): AllThreads => library.keep(openAllThreads)

function openAllThreads(library: Library): AllThreads {
  const own = openTemporary()
  try {
    own.exec(
      `CREATE TABLE found (repository TEXT, kind TEXT, row TEXT, url TEXT, created TEXT, letter TEXT, title TEXT)`,
    )
    own.transaction(() => collect(own, library))()
    own.exec(`CREATE TABLE threads (id INTEGER PRIMARY KEY, repository TEXT, kind TEXT, row TEXT, url TEXT, letter TEXT, year TEXT, title TEXT);
      INSERT INTO threads SELECT NULL, repository, kind, row, url, letter, iif(created = '', 'other', substr(created, 1, 4)), title FROM found ORDER BY created, url;
      DROP TABLE found;
      CREATE INDEX by_letter ON threads (letter, title, id);
      CREATE INDEX by_year ON threads (year, id);`)
  } catch (error) {
    own.close()
    throw error
  }
  const prepare = (rest: string) => {
    const statement = own.prepare<(string | number)[], StoredPlace>(
      `SELECT id, repository, kind, row, url FROM threads WHERE ${rest}`,
    )
    return (...values: (string | number)[]): ThreadPlace[] =>
      statement.all(...values).flatMap(({ repository: name, row, ...place }) => {
        const repository = library.repository(name)
        return repository ? [{ ...place, repository, rowid: BigInt(row) }] : []
      })
  }
  const following = prepare('id > ? ORDER BY id LIMIT ?')
  const ofLetter = prepare('letter = ? ORDER BY title, id LIMIT ? OFFSET ?')
  const ofYear = prepare('year = ? ORDER BY id DESC LIMIT ? OFFSET ?')
  const groups = (column: string, order: string) =>
    own
      .prepare<[], ThreadGroup>(
        `SELECT ${column} AS name, count(*) AS count FROM threads GROUP BY 1 ORDER BY ${order}`,
      )
      .all()
  return {
    count: own.prepare<[], number>('SELECT count(*) FROM threads').pluck().get() ?? 0,
    letters: () => groups('letter', 'length(name) > 1, name'),
    years: () => groups('year', "name = 'other', name DESC"),
    ofLetter: (letter, { offset, limit }) => ofLetter(letter, limit, offset),
    ofYear: (year, { offset, limit }) => ofYear(year, limit, offset),
    following,
    close: () => void own.close(),
  }
}

function collect(own: Database, library: Library): void {
  const insert = own.prepare<string[]>('INSERT INTO found VALUES (?, ?, ?, ?, ?, ?, ?)')
  const byUrl = new Map(library.repositories().map((one) => [one.url, one]))
  for (const store of library.stores) {
    for (const kind of Object.keys(LISTS) as ListName[]) {
      const { table, part } = LISTS[kind]
      const columns = 'url, repository, title, created_at'
      const where = 'url IS NOT NULL AND repository IS NOT NULL'
      const pages = readPages<{
        url: string
        repository: string
        title: string | null
        created_at: string | null
      }>(store.database, { columns, from: table, where, size: SIZE })
      for (const rows of pages) {
        for (const { position, url, repository: home, title, created_at } of rows) {
          const repository = byUrl.get(home)
          if (repository?.store !== store || !isNumbered(url, `${home}/${part}/`)) continue
          const folded = foldTitle(title ?? '')
          insert.run(
            repository.fullName,
            kind,
            String(position),
            url,
            timeOf(created_at),
            letterOf(folded),
            folded,
          )
        }
      }
    }
  }
}

const isNumbered = (url: string, start: string): boolean =>
  url.startsWith(start) && /^[1-9]\d{0,14}$/.test(url.slice(start.length))

/** A time that sorts as text. Invalid times come first. */
function timeOf(text: string | null): string {
  const seconds = parseTime(text)
  return seconds === undefined ? '' : formatSeconds(seconds)
}

/** Characters of a title by which it is sorted. */
const LONGEST = 80

/** A title as it is sorted: without marks, case, and what stands before the first letter or digit. */
const foldTitle = (title: string): string =>
  title
    .slice(0, LONGEST)
    .toWellFormed()
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/^[^\p{L}\p{N}]+/u, '')
    .toLowerCase()

/** The letter in whose list a title is. Scripts without upper case have thousands of first characters: they share a list. */
function letterOf(folded: string): string {
  const [first = ''] = folded
  if (/\p{N}/u.test(first)) return '0-9'
  const upper = first.toUpperCase()
  return upper !== first && [...upper].length === 1 ? upper : 'other'
}
