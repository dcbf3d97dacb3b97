import { openTemporary } from '../../database/connection.ts'
import type { Database } from '../../database/database.ts'
import { readPages } from '../../database/read-pages.ts'
import { TEXT_SOURCES, type TextSource } from '../../database/schema/search-tables.ts'
import { textFields } from '../../search/snippets.ts'
import type { Library } from './library.ts'

/** The lists of texts on the page of a person, each with its kinds of texts. */
export const WRITTEN = {
  issues: ['issue'],
  pulls: ['pull_request'],
  discussions: ['discussion'],
  comments: ['comment', 'review_comment', 'commit_comment'],
  reviews: ['review'],
} as const

export type WrittenList = keyof typeof WRITTEN

/** A text that a person wrote. */
export interface WrittenText {
  readonly list: WrittenList
  readonly kind: string
  /** `owner/name#12` */
  readonly place: string | null
  readonly url: string | null
  /** The title; of a comment or review, that of its thread. */
  readonly heading: string | null
  readonly body: string | null
  readonly created_at: string | null
  /** The state of the thread; of a review, its verdict. */
  readonly state: string | null
  readonly draft: number | null
}

/** The texts of all people, by person and time, in a temporary SQLite file: memory does not grow with them. */
export interface Written {
  /** The number of texts of a person, by list. */
  counts(person: string): Record<WrittenList, number>
  /** How many threads a person opened, comments and reviews they wrote in each month. */
  months(person: string): [month: string, opened: number, comments: number, reviews: number][]
  /** Texts of a person, the newest first: of one list, or of all. */
  newest(
    person: string,
    list: WrittenList | undefined,
    range: { offset: number; limit: number },
  ): WrittenText[]
}

interface Stored {
  list: WrittenList
  store: number
  source: number
  row: string
}

/** Rows that are read at a time. */
const SIZE = 5_000

/** The texts of all people. They are listed once, and forgotten with the library. */
export const writtenOf = (library: Library): Promise<Written> =>
  library.keep('written', () => {
    const own = openTemporary()
    const ready = openWritten(own, library)
    // Callers that wait for `ready` get the error.
    ready.catch(() => {})
    return { ready, close: () => void own.close() }
  }).ready

async function openWritten(own: Database, library: Library): Promise<Written> {
  own.exec(
    'CREATE TABLE written (person TEXT, list TEXT, at INTEGER, store INTEGER, source INTEGER, row TEXT)',
  )
  for (const [number, { database }] of library.stores.entries()) {
    for (const [list, kinds] of Object.entries(WRITTEN)) {
      for (const [id, source] of TEXT_SOURCES.entries()) {
        if ((kinds as readonly string[]).includes(source.kind)) {
          await collect(own, database, source, [list, number, id])
        }
      }
    }
  }
  own.exec('CREATE INDEX by_person ON written (person, at)')
  return queriesOf(own, library)
}

async function collect(
  own: Database,
  database: Database,
  { table, date }: TextSource,
  [list, store, source]: [list: string, store: number, source: number],
): Promise<void> {
  const insert = own.prepare<(string | number | null)[]>(
    'INSERT INTO written VALUES (?, ?, ?, ?, ?, ?)',
  )
  const pages = readPages<{ person: string; at: number | null }>(database, {
    ...{ columns: `user AS person, unixepoch(${date}) AS at`, from: `${table} AS o` },
    ...{ where: 'user IS NOT NULL', size: SIZE },
  })
  for (const rows of pages) {
    own.transaction(() => {
      for (const { position, person, at } of rows) {
        insert.run(person, list, at, store, source, String(position))
      }
    })()
    await new Promise((resolve) => setImmediate(resolve))
  }
}

function queriesOf(own: Database, library: Library): Written {
  const counts = own.prepare<[string], { list: WrittenList; count: number }>(
    'SELECT list, count(*) AS count FROM written WHERE person = ? GROUP BY list',
  )
  const months = own
    .prepare<[string], [string, number, number, number]>(
      `SELECT strftime('%Y-%m', at, 'unixepoch') AS month, sum(list IN ('issues', 'pulls', 'discussions')),
         sum(list = 'comments'), sum(list = 'reviews')
       FROM written WHERE person = ? AND at BETWEEN 0 AND 253402300799 GROUP BY 1 ORDER BY 1 LIMIT 2000`,
    )
    .raw()
  const newest = own.prepare<[string, string | null, number, number], Stored>(
    `SELECT list, store, source, row FROM written WHERE person = ? AND list = coalesce(?, list)
     ORDER BY at DESC, store, source, CAST(row AS INTEGER) DESC LIMIT ? OFFSET ?`,
  )
  return {
    counts(person) {
      const found = new Map(counts.all(person).map(({ list, count }) => [list, count]))
      const lists = Object.keys(WRITTEN) as WrittenList[]
      return Object.fromEntries(lists.map((list) => [list, found.get(list) ?? 0])) as Record<
        WrittenList,
        number
      >
    },
    months: (person) => months.all(person),
    newest: (person, list, { offset, limit }) =>
      newest
        .all(person, list ?? null, limit, offset)
        .flatMap((stored) => readText(library, stored) ?? []),
  }
}

function readText(
  library: Library,
  { list, store, source: number, row }: Stored,
): WrittenText | undefined {
  const source = TEXT_SOURCES[number] as TextSource
  const state = list === 'reviews' ? 'o.state_name' : source.state
  const draft = list === 'pulls' ? 'o.work_in_progress' : 'NULL'
  const found = library.stores[store]?.get<Omit<WrittenText, 'list'>>(
    `SELECT ${textFields({ ...source, state })}, ${draft} AS draft FROM ${source.table} AS o WHERE o.rowid = ?`,
    BigInt(row),
  )
  return found && { ...found, list }
}
