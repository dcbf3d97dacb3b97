import { setTimeout as delay } from 'node:timers/promises'
import { ArchiveError, throwIfInterrupted } from '../../base/errors.ts'
import { type NameType, namesIn, resolveName } from '../../reading/databases/resolve-name.ts'
import type { Store } from '../../reading/store.ts'
import type { SearchFilter } from '../../search/filter-sources.ts'
import { parseFilters } from '../../search/parse-search.ts'
import type { FoundText, Snippet } from '../../search/snippets.ts'
import { findTexts } from '../../tasks/run-task.ts'
import { type Answer, type Asked, repositoryNamed } from '../tool.ts'
import { nameOrNull, pageOf } from '../writing.ts'

/** Results on a page, and those that can be reached: who reads so far needs other words. */
const PAGE = 50
const MOST = 1_000

/** Milliseconds between two looks at an index that is being made. */
const PAUSE = 200

/** Where the index of a database is, when it is made; undefined if the database has it. */
async function indexOf(store: Store, { indexes, signal, progress }: Asked) {
  for (;;) {
    throwIfInterrupted(signal)
    const state = await indexes.of(store.database)
    if ('message' in state) {
      throw new ArchiveError('search-index-missing', `the index cannot be made: ${state.message}`)
    }
    if (!('part' in state)) return state.index
    progress(state.part, 'Making the search index')
    await delay(PAUSE)
  }
}

const snippetText = (pieces: readonly Snippet[]): string =>
  pieces.map((piece) => piece.text).join('')

const describe = (found: FoundText) => ({
  place: nameOrNull(found.place),
  kind: found.kind,
  url: nameOrNull(found.url),
  author: nameOrNull(found.author),
  state: nameOrNull(found.state),
  created_at: nameOrNull(found.created_at),
  title: nameOrNull(snippetText(found.title)),
  snippet: { text: snippetText(found.snippet).slice(0, 1_000) },
  score: found.score,
})

/** A filter with names as a database has them, or the error about one that it does not have. */
async function knownIn(
  { database }: Store,
  filter: SearchFilter,
): Promise<SearchFilter | ArchiveError> {
  const source = namesIn(database)
  const known = async (type: NameType, text: string | undefined) =>
    text === undefined ? undefined : await resolveName(source, type, text)
  try {
    return {
      ...filter,
      repository: await known('repository', filter.repository),
      author: await known('person', filter.author),
      label: await known('label', filter.label),
    }
  } catch (error) {
    if (error instanceof ArchiveError && error.code.endsWith('-not-found')) return error
    throw error
  }
}

export async function search(
  { query, repository, cursor }: { query: string; repository?: string; cursor?: string },
  asked: Asked,
): Promise<Answer> {
  const { library, bytes } = asked
  const offset = Math.trunc(Number(cursor ?? 0))
  const limit = Math.min(offset + PAGE + 1, MOST)
  const only = repository === undefined ? undefined : repositoryNamed(library, repository)
  const found: FoundText[] = []
  const stores = only ? [only.store] : library.stores
  const { words, filter } = parseFilters(query)
  const unknown: ArchiveError[] = []
  for (const store of stores) {
    const known = await knownIn(store, filter)
    if (known instanceof ArchiveError) {
      unknown.push(known)
      continue
    }
    const index = await indexOf(store, asked)
    const options = { ...known, limit, index, ...(repository !== undefined && { repository }) }
    const limits = { ...asked.limits, signal: asked.signal }
    found.push(...(await findTexts(store.database.name, words, options, limits)))
  }
  // One database may have a name that others lack.
  if (unknown.length === stores.length) throw unknown[0]
  const best = found.sort((a, b) => b.score - a.score).slice(0, limit)
  const { items, next_cursor } = pageOf(
    { total: best.length, cursor, bytes, most: PAGE },
    (from, most) => best.slice(from, from + most),
    describe,
  )
  const areAll = best.length < limit
  return {
    summary: `Results: ${items.length} of ${areAll ? best.length : `more than ${limit - 1}`}.`,
    total: areAll ? best.length : null,
    results: items,
    next_cursor: Number(next_cursor) < MOST ? next_cursor : null,
  }
}
