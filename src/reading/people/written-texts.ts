import { timeOf } from '../../database/schema/facts/values.ts'
import { TEXT_SOURCES, type TextSource } from '../../database/schema/search-tables.ts'
import { textFields } from '../../search/snippets.ts'
import type { Library } from '../library.ts'
import { Memo } from '../remembered.ts'
import type { Store } from '../store.ts'

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

/** The texts of people, found by the index of authors that each table has. */
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

/** Where a text is, and when it was written. */
interface Place {
  readonly list: WrittenList
  readonly store: Store
  readonly source: TextSource
  /** Its rowid, which may be any 64-bit number. */
  readonly row: string
  readonly at: number | null
}

/** The sources of each list. */
const SOURCES = Object.entries(WRITTEN).flatMap(([list, kinds]) =>
  TEXT_SOURCES.filter(({ kind }) => (kinds as readonly string[]).includes(kind)).map((source) => ({
    list: list as WrittenList,
    source,
  })),
)

/** The texts of people in all databases of a library. */
export const writtenOf = (library: Library): Written => ({
  counts: (person) => library.remember(COUNTS, person, () => countTexts(library, person)),
  months: (person) => library.remember(MONTHS, person, () => countMonths(library, person)),
  newest: (person, list, { offset, limit }) =>
    newestTexts(library, person, list, offset + limit)
      .slice(offset, offset + limit)
      .flatMap((place) => readText(place) ?? []),
})

const COUNTS = new Memo<Record<WrittenList, number>>()

function countTexts({ stores }: Library, person: string): Record<WrittenList, number> {
  const counts = { issues: 0, pulls: 0, discussions: 0, comments: 0, reviews: 0 }
  for (const store of stores) {
    for (const { list, source } of SOURCES) {
      counts[list] += store.count(`SELECT count(*) FROM ${source.table} WHERE user = ?`, person)
    }
  }
  return counts
}

type Month = [month: string, opened: number, comments: number, reviews: number]

const MONTHS = new Memo<Month[]>((months) => 150 * months.length)

/** Months that a chart shows at most. */
const MOST_MONTHS = 2_000

function countMonths({ stores }: Library, person: string): Month[] {
  const months = new Map<string, Month>()
  for (const store of stores) {
    for (const { list, source } of SOURCES) {
      const rows = store.all<{ month: string | null; count: number }>(
        `SELECT strftime('%Y-%m', ${timeOf(source.date)}, 'unixepoch') AS month, count(*) AS count
         FROM ${source.table} AS o WHERE o.user = ? GROUP BY 1`,
        person,
      )
      for (const { month, count } of rows) {
        if (month === null || month < '1970') continue
        const known = months.get(month) ?? [month, 0, 0, 0]
        known[list === 'comments' ? 2 : list === 'reviews' ? 3 : 1] += count
        months.set(month, known)
      }
    }
  }
  return [...months.values()].sort(([a], [b]) => (a < b ? -1 : 1)).slice(0, MOST_MONTHS)
}

/** The newest texts of each source, as one list: SQLite sorts them by narrow keys. */
function newestTexts(
  { stores }: Library,
  person: string,
  wanted: WrittenList | undefined,
  limit: number,
): Place[] {
  const found = stores.flatMap((store) =>
    SOURCES.filter(({ list }) => wanted === undefined || list === wanted).flatMap(
      ({ list, source }) =>
        store
          .all<Pick<Place, 'row' | 'at'>>(
            `SELECT CAST(o.rowid AS TEXT) AS row, ${timeOf(source.date)} AS at
             FROM ${source.table} AS o WHERE o.user = ? ORDER BY at DESC, o.rowid DESC LIMIT ?`,
            person,
            limit,
          )
          .map(({ row, at }): Place => ({ list, store, source, row, at })),
    ),
  )
  return found.sort((a, b) => (b.at ?? UNKNOWN) - (a.at ?? UNKNOWN))
}

/** Before every time. */
const UNKNOWN = Number.MIN_SAFE_INTEGER

function readText({ list, store, source, row }: Place): WrittenText | undefined {
  const state = list === 'reviews' ? 'o.state_name' : source.state
  const draft = list === 'pulls' ? 'o.work_in_progress' : 'NULL'
  const found = store.get<Omit<WrittenText, 'list'>>(
    `SELECT ${textFields({ ...source, state })}, ${draft} AS draft FROM ${source.table} AS o WHERE o.rowid = ?`,
    BigInt(row),
  )
  return found && { ...found, list }
}
