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

export type Month = [month: string, opened: number, comments: number, reviews: number]

/** The texts of a person. */
export interface Written {
  /** The number of texts, by list. */
  readonly counts: Readonly<Record<WrittenList, number>>
  /** How many threads they opened, comments and reviews they wrote in each month. */
  readonly months: readonly Month[]
  /** Texts, the newest first: of one list, or of all. */
  newest(list: WrittenList | undefined, range: { offset: number; limit: number }): WrittenText[]
}

/** The sources of each list. */
const SOURCES = Object.entries(WRITTEN).flatMap(([list, kinds]) =>
  TEXT_SOURCES.filter(({ kind }) => (kinds as readonly string[]).includes(kind)).map((source) => ({
    list: list as WrittenList,
    source,
  })),
)

/** Where a text is. */
interface Place {
  readonly list: WrittenList
  readonly store: Store
  readonly source: TextSource
  /** Its rowid, which may be any 64-bit number. */
  readonly row: bigint
}

/** The texts of a person, the newest first, with what is needed to choose some: a few bytes of each. */
export interface Texts {
  readonly counts: Readonly<Record<WrittenList, number>>
  readonly months: readonly Month[]
  /** The database of each, and its source in there: `database * SOURCES.length + source`. */
  readonly origins: Uint16Array
  readonly rows: BigInt64Array
}

/** The texts of a person in all databases of a library. */
export const writtenBy = (library: Library, person: string): Written =>
  toWritten(
    library,
    library.remember(TEXTS, person, () => findTexts(library.stores, person)),
  )

/** Texts that are found in some 20 ms, where another process takes longer to start. */
const FEW = 4_000

/** The same. `find` finds many texts elsewhere, in the databases of these paths, as `findTexts` does. */
export async function findWritten(
  library: Library,
  person: string,
  find: (paths: readonly string[], person: string) => Promise<Texts>,
): Promise<Written> {
  const { stores } = library
  const isHere = library.recall(TEXTS, person) !== undefined || countTexts(stores, person) <= FEW
  if (isHere) return writtenBy(library, person)
  const paths = stores.map(({ database }) => database.name)
  const texts = await find(paths, person)
  return toWritten(
    library,
    library.remember(TEXTS, person, () => texts),
  )
}

function toWritten(library: Library, { counts, months, origins, rows }: Texts): Written {
  return {
    counts,
    months,
    newest(list, { offset, limit }) {
      const places: Place[] = []
      let before = 0
      for (let i = 0; i < rows.length && places.length < limit; i++) {
        const place = placeOf(library, origins[i] as number, rows[i] as bigint)
        if (list !== undefined && place.list !== list) continue
        if (before++ >= offset) places.push(place)
      }
      return places.flatMap((place) => readText(place) ?? [])
    },
  }
}

const TEXTS = new Memo<Texts>(
  ({ origins, rows, months }) => origins.byteLength + rows.byteLength + 150 * months.length,
)

function placeOf({ stores }: Library, origin: number, row: bigint): Place {
  const store = stores[Math.floor(origin / SOURCES.length)] as Store
  const { list, source } = SOURCES[origin % SOURCES.length] as (typeof SOURCES)[number]
  return { list, store, source, row }
}

const countTexts = (stores: readonly Store[], person: string): number =>
  stores.reduce(
    (sum, store) => SOURCES.reduce((sum, { source }) => sum + countIn(store, source, person), sum),
    0,
  )

/** By the index of authors that each table has. */
const countIn = (store: Store, { table }: TextSource, person: string): number =>
  store.count(`SELECT count(*) FROM ${table} WHERE user = ?`, person)

/** Finds the texts of a person in databases. */
export function findTexts(stores: readonly Store[], person: string): Texts {
  const counts = { issues: 0, pulls: 0, discussions: 0, comments: 0, reviews: 0 }
  const sources = stores.flatMap((store) => SOURCES.map((source) => ({ store, ...source })))
  for (const { store, list, source } of sources) {
    counts[list] += countIn(store, source, person)
  }
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  const origins = new Uint16Array(total)
  const rows = new BigInt64Array(total)
  const times = new Float64Array(total)
  let next = 0
  for (const [origin, { store, source }] of sources.entries()) {
    const found = store.each<{ row: string; at: number | null }>(
      `SELECT CAST(o.rowid AS TEXT) AS row, ${timeOf(source.date)} AS at
       FROM ${source.table} AS o WHERE o.user = ? ORDER BY o.rowid DESC`,
      person,
    )
    for (const { row, at } of found) {
      origins[next] = origin
      rows[next] = BigInt(row)
      times[next++] = at ?? UNKNOWN
    }
  }
  const order = Uint32Array.from(times.subarray(0, next).keys()).sort(
    (a, b) => (times[b] as number) - (times[a] as number),
  )
  const months = countMonths(order, (i) => ({
    at: times[i] as number,
    list: (sources[origins[i] as number] as (typeof sources)[number]).list,
  }))
  return {
    counts,
    months,
    origins: Uint16Array.from(order, (i) => origins[i] as number),
    rows: BigInt64Array.from(order, (i) => rows[i] as bigint),
  }
}

/** Before every time. */
const UNKNOWN = Number.MIN_SAFE_INTEGER

/** Months that a chart shows at most. */
const MOST_MONTHS = 2_000

/** Counts texts, the newest first, by months from 1970. */
function countMonths(
  order: Iterable<number>,
  textAt: (i: number) => { at: number; list: WrittenList },
): Month[] {
  const months: Month[] = []
  let begin = Number.POSITIVE_INFINITY
  for (const i of order) {
    const { at, list } = textAt(i)
    if (at < 0) break
    if (at < begin) {
      const day = new Date(at * 1000)
      begin = Date.UTC(day.getUTCFullYear(), day.getUTCMonth()) / 1000
      months.push([day.toISOString().slice(0, 7), 0, 0, 0])
    }
    const month = months.at(-1) as Month
    month[list === 'comments' ? 2 : list === 'reviews' ? 3 : 1]++
  }
  return months.reverse().slice(0, MOST_MONTHS)
}

function readText({ list, store, source, row }: Place): WrittenText | undefined {
  const state = list === 'reviews' ? 'o.state_name' : source.state
  const draft = list === 'pulls' ? 'o.work_in_progress' : 'NULL'
  const found = store.get<Omit<WrittenText, 'list'>>(
    `SELECT ${textFields({ ...source, state })}, ${draft} AS draft FROM ${source.table} AS o WHERE o.rowid = ?`,
    row,
  )
  return found && { ...found, list }
}
