import {
  aCount,
  aDate,
  anOpenDatabase,
  aPath,
  aText,
  checkArguments,
  checkOptions,
  type Shapes,
  wordsOf,
} from '../base/check-arguments.ts'
import { ArchiveError } from '../base/errors.ts'
import { sqliteError } from '../database/connection.ts'
import type { Database } from '../database/open-database.ts'
import { openSnapshot } from '../database/open-snapshot.ts'
import { readPages } from '../database/read-pages.ts'
import { hasRelation } from '../database/schema/schema.ts'
import { MOST_SOURCES, TEXT_SOURCES } from '../database/schema/search-tables.ts'
import { filterSources, type SearchFilter, selectTexts } from './filter-sources.ts'
import { SEARCH_KINDS } from './grammar/parse-filters.ts'
import { parseFilters, parseSearchWithFilter } from './parse-search.ts'
import { createFoundTextReader, type FoundText } from './snippets.ts'

/** Which texts to search, and how many results to return. */
export interface SearchOptions extends SearchFilter {
  /** The most results to return. Default: no limit. */
  limit?: number | undefined
  /** The path of an index in a file of its own, where the database has none. */
  index?: string | undefined
}

const SEARCH_SHAPES: Shapes<SearchOptions> = {
  repository: aText,
  author: aText,
  label: aText,
  state: aText,
  limit: aCount,
  index: aPath,
  since: aDate,
  until: aDate,
  kinds: wordsOf(() => SEARCH_KINDS),
}

/** A word in a title counts as much as this many in a body. */
const TITLE_WEIGHT = 5
const PAGE = 100
/** The best texts, which are filtered before all others. */
const BEST = 2_000

/**
 * Searches titles, bodies, comments, reviews, releases, discussions and indexed commit messages, best match first. Call
 * `updateSearchIndex` before. Memory does not grow with the number of results.
 *
 * @param database the database to search
 * @param words words, `"phrases"`, `prefix*`, `OR`, `NOT`, and filters such as `author:jun`; with filters alone, every
 *   text that matches them, newest first
 * @param options filters, and `limit`
 * @returns the matching texts with marked snippets
 * @throws `search-invalid`, `search-index-missing` or `option-invalid`
 * @example
 * const found = Array.from(searchDatabase(database, 'kettle boil*', { kinds: ['issue'], limit: 10 }))
 */
export function* searchDatabase(
  database: Database,
  words: string,
  options: SearchOptions = {},
): Generator<FoundText> {
  checkArguments({ database, words }, { database: anOpenDatabase, words: aText })
  checkOptions(options, SEARCH_SHAPES)
  const { words: only, filter } = parseFilters(words)
  const { limit, index, ...others } = options
  const asked = { ...others, ...filter }
  const expression = parseSearchWithFilter(only, asked)
  if (index === undefined && !hasRelation(database, 'search_index')) {
    const message = 'the database has no index for full-text search yet'
    throw new ArchiveError('search-index-missing', message, { archive: database.name })
  }
  const own = openSnapshot(database)
  try {
    // SQLite looks up tables that the database lacks in the attached index.
    if (index !== undefined) own.prepare('ATTACH ? AS aside').run(index)
    find(own, expression, { ...asked, limit })
    const read = createFoundTextReader(own, expression)
    const pages = readPages<{ id: bigint; score: number }>(own, {
      from: 'temp.found',
      bigints: ['id'],
      size: PAGE,
    })
    for (const found of pages) yield* read(found)
  } finally {
    own.close()
  }
}

/**
 * Fills the temporary table `found` with the ids of results, best first. Ranking is cheap, but filtering reads rows: so the
 * best results are filtered first, which is usually enough.
 */
function find(
  database: Database,
  expression: string | undefined,
  { limit, ...filter }: SearchOptions,
): void {
  const sources = [...TEXT_SOURCES.keys()].filter((id) =>
    hasRelation(database, (TEXT_SOURCES[id] as (typeof TEXT_SOURCES)[number]).table),
  )
  const most = limit === undefined ? -1 : Math.max(0, Math.floor(limit))
  database.exec('CREATE TEMP TABLE found (id INTEGER, score REAL)')
  if (expression === undefined) {
    const { select, parameters } = selectTexts(sources, filter)
    const newest = `SELECT id, 0 FROM (${select}) ORDER BY at DESC, id LIMIT ${most}`
    database.prepare(`INSERT INTO temp.found ${newest}`).run(parameters)
    return
  }
  const { asked, isMet, parameters } = filterSources(sources, filter, 'ranked.id')
  const findAmong = (best: string, condition = 'true') =>
    database
      .prepare(
        `INSERT INTO temp.found SELECT id, score FROM (
           SELECT rowid AS id, -bm25(search_index, ${TITLE_WEIGHT}, 1) AS score FROM search_index
           WHERE search_index MATCH :expression AND rowid % ${MOST_SOURCES} IN (${asked.join(', ')}) ${best}) AS ranked
         WHERE ${condition} ORDER BY score DESC, id LIMIT ${most}`,
      )
      .run({ expression, ...parameters }).changes
  try {
    if (isMet !== undefined && most > 0) {
      if (findAmong(`ORDER BY score DESC, id LIMIT ${BEST}`, isMet) === most) return
      database.exec('DELETE FROM temp.found')
    }
    findAmong('', isMet)
  } catch (error) {
    const cause = sqliteError(error)
    if (cause?.code !== 'SQLITE_ERROR' || !isSearchable(database)) throw error
    throw new ArchiveError('search-invalid', cause.message, {}, error)
  }
}

/** Whether the index answers a search for a word: then an error is about the words, else about the database. */
function isSearchable(database: Database): boolean {
  try {
    database
      .prepare("SELECT bm25(search_index) FROM search_index WHERE search_index MATCH 'a'")
      .get()
    return true
  } catch {
    return false
  }
}
