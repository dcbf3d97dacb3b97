import { openTemporary } from '../../database/connection.ts'
import type { Database } from '../../database/database.ts'
import { timeOf } from '../../database/schema/facts/values.ts'
import { hasRelation } from '../../database/schema/schema.ts'
import { isSearched, TEXT_SOURCES } from '../../database/schema/search-tables.ts'
import { textFields } from '../../search/snippets.ts'
import { readLabel } from '../labels.ts'
import type { Library, Repository } from '../library.ts'
import type { Store } from '../store.ts'
import { urlsOf } from '../values.ts'

/** Characters of a text that are searched, and of a title. */
const LONGEST_TEXT = 65_536
const LONGEST_TITLE = 1_000

/** A text of a site that can be found, with what filters ask for. */
export interface SearchText {
  /** From 1, the oldest first. */
  readonly id: number
  readonly repository: Repository
  readonly kind: string
  readonly place: string | null
  readonly state: string | null
  readonly labels: readonly string[]
  readonly author: string | null
  readonly created_at: string | null
  readonly url: string | null
  /** The commit, if it is one. */
  readonly oid: string | null
  /** The title that is shown: of a comment, that of its thread. */
  readonly heading: string | null
  /** The title that is searched. */
  readonly title: string | null
  readonly body: string | null
}

/** All texts that a site may show, numbered in a temporary SQLite file: memory does not grow with them. */
export interface SearchTexts {
  readonly count: number
  /** The texts with ids above `after`, in their order. */
  following(after: number, limit: number): SearchText[]
  close(): void
}

interface Stored {
  readonly id: number
  readonly store: number
  readonly source: number
  readonly row: number
}

/** Lists the texts of repositories that may be seen. */
export function openSearchTexts(library: Library): SearchTexts {
  const own = openTemporary()
  try {
    own.exec('CREATE TABLE found (store INTEGER, source INTEGER, row INTEGER, at INTEGER)')
    own.transaction(() => {
      for (const [i, store] of library.stores.entries()) collect(own, library, store, i)
    })()
    own.exec(`CREATE TABLE texts (id INTEGER PRIMARY KEY, store INTEGER, source INTEGER, row INTEGER);
      INSERT INTO texts SELECT NULL, store, source, row FROM found ORDER BY at, store, source, row;
      DROP TABLE found;`)
  } catch (error) {
    own.close()
    throw error
  }
  const select = own.prepare<[number, number], Stored>(
    'SELECT id, store, source, row FROM texts WHERE id > ? ORDER BY id LIMIT ?',
  )
  return {
    count: own.prepare<[], number>('SELECT count(*) FROM texts').pluck().get() ?? 0,
    following: (after, limit) =>
      select.all(after, limit).flatMap((stored) => readText(library, stored)),
    close: () => void own.close(),
  }
}

function collect(database: Database, library: Library, store: Store, number: number): void {
  const insert = database.prepare<(number | null)[]>('INSERT INTO found VALUES (?, ?, ?, ?)')
  for (const [id, source] of TEXT_SOURCES.entries()) {
    if (!hasRelation(store.database, source.table)) continue
    // A draft of a release is not public.
    const isShown =
      source.kind === 'release' && library.audience !== 'all' ? "o.state = 'published'" : 'true'
    const rows = store.each<{ row: number; name: string | null; at: number | null }>(
      `SELECT o.rowid AS row, ${source.full_name} AS name, ${timeOf(`(${source.date})`)} AS at
       FROM ${source.table} AS o WHERE ${isSearched(source)} AND ${isShown}`,
    )
    for (const { row, name, at } of rows) {
      if (library.repository(name ?? '')?.store === store) insert.run(number, id, row, at)
    }
  }
}

type Row = Omit<SearchText, 'id' | 'repository' | 'labels'> & {
  full_name: string
  labels: string | null
}

function readText(library: Library, { id, store: number, source: at, row }: Stored): SearchText[] {
  const store = library.stores[number]
  const source = TEXT_SOURCES[at]
  if (!store || !source) return []
  const found = store.get<Row>(
    `SELECT ${textFields(source)}, ${source.title} AS title, ${source.labels} AS labels,
     ${source.kind === 'commit' ? 'o.oid' : 'NULL'} AS oid FROM ${source.table} AS o WHERE o.rowid = ?`,
    row,
  )
  const repository = found && library.repository(found.full_name)
  if (!found || !repository) return []
  const labels = urlsOf(found.labels).flatMap((url) => readLabel(repository, url)?.name ?? [])
  const { body, title, ...others } = found
  return [
    {
      ...others,
      id,
      repository,
      labels,
      title: title?.slice(0, LONGEST_TITLE) ?? null,
      body: body?.slice(0, LONGEST_TEXT) ?? null,
    },
  ]
}
