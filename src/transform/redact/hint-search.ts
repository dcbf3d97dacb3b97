import { availableParallelism } from 'node:os'
import { openDatabase } from '../../database/open-database.ts'
import { call } from '../../work/call.ts'
import type { HintsOf } from '../edit-records.ts'
import {
  type FoundByPart,
  findInParts,
  foundByTable,
  partsOf,
  type Taken,
} from '../find-hinted-rows.ts'
import type { WorkingCopy } from '../working-copy.ts'
import {
  createContextFinder,
  createHintFinder,
  type HintFinder,
  type HintOptions,
} from './hints.ts'

/** What a search is for: all values, or secrets that the text around them tells. */
export type HintSearch = HintOptions | 'context'

/** With fewer parts than these, to start a second thread takes longer than to search them. */
const WORTH = 5
/** With more names and logins than these, a second thread would take too much memory. */
const MOST_NAMES = 10_000
/** Megabytes of the young objects of a second thread: almost all are garbage at once. */
const HEAP = { maxYoungGenerationSizeMb: 3 }

/**
 * Finds where records have hints. Two threads of the processor search those of a large database at once; those of a small one
 * are searched when they are read.
 */
export async function searchHints(
  { database, path }: Pick<WorkingCopy, 'database' | 'path'>,
  search: HintSearch,
  {
    find = finderOf(search),
    signal,
  }: { find?: HintFinder | undefined; signal?: AbortSignal | undefined },
): Promise<HintsOf> {
  if (!find) return () => undefined
  const parts = partsOf(database)
  const sent = sendable(search)
  if (!sent || parts.length < WORTH || availableParallelism() === 1) return () => find
  const taken = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const stop = new AbortController()
  const others = call<typeof searchShare>(
    'hints',
    { path, search: sent, taken },
    {
      in: 'thread',
      heap: HEAP,
      // The next search is the last one.
      isLast: search !== 'context',
      signal: AbortSignal.any([stop.signal, ...(signal ? [signal] : [])]),
    },
  )
  let found: FoundByPart[]
  try {
    found = [findInParts(database, parts, taken, find), await others]
  } catch (error) {
    stop.abort()
    await others.catch(() => {})
    throw error
  }
  const rows = foundByTable(parts, found)
  return (table) => rows.get(table) ?? find
}

const finderOf = (search: HintSearch): HintFinder | undefined =>
  search === 'context' ? createContextFinder() : createHintFinder(search)

/** A search in a form that another thread can get; undefined if that has too many names. */
function sendable(search: HintSearch): HintSearch | undefined {
  if (search === 'context') return search
  const { names = [], logins = [] } = search
  const sent = Iterator.from(names).take(MOST_NAMES).toArray()
  return sent.length + logins.length < MOST_NAMES ? { ...search, names: sent } : undefined
}

/** What a second thread searches: it takes the parts that the first one has not taken. */
export interface HintShare {
  path: string
  search: HintSearch
  taken: Taken
}

/** Searches the parts that it gets hold of. */
export function searchShare({ path, search, taken }: HintShare): FoundByPart {
  const find = finderOf(search)
  if (!find) return new Map()
  const database = openDatabase(path)
  try {
    return findInParts(database, partsOf(database), taken, find)
  } finally {
    database.close()
  }
}
