import { ArchiveError, type ErrorCode } from '../../base/errors.ts'
import type { Store } from '../../reading/store.ts'
import type { SearchOptions } from '../../search/search-database.ts'
import type { FoundText } from '../../search/snippets.ts'
import { type Html, html, isolated } from '../html.ts'
import type { PageRequest } from '../page.ts'
import { blank } from '../parts/elements.ts'

/** Seconds between two looks at an index that is being made. */
export const AGAIN = 2

/** The texts of a database, with notes about its index; or why there is no answer, or none yet, and the part that is done. */
export type Found =
  | { readonly found: readonly FoundText[]; readonly notes: readonly Html[] }
  | { readonly body: Html; readonly part?: number }

/** Searches a database by its index, which is made if there is none. */
export async function findIn(
  { search, searchIndex }: PageRequest,
  store: Store,
  words: string,
  options: SearchOptions,
): Promise<Found> {
  const state = await searchIndex(store)
  if ('part' in state) return { body: beingMade(state.part), part: state.part }
  const name = isolated(store.title)
  if ('message' in state) {
    const note = html`<p class="about">${name} is not searched: its index could not be made (${state.message}).</p>`
    return { found: [], notes: [note] }
  }
  const { index, isOld } = state
  const notes = isOld
    ? [
        html`<p class="about">${name} has changed since its index was made; <code>marc search</code> brings it up to date.</p>`,
      ]
    : []
  try {
    return { found: await search(store, words, { ...options, index }), notes }
  } catch (error) {
    const refusal = error instanceof ArchiveError ? REFUSALS[error.code] : undefined
    if (!refusal) throw error
    return { body: refused(refusal, (error as Error).message) }
  }
}

/** The answer to a search that is refused. */
export const refused = (heading: string, message: string): Html =>
  blank(heading, `${message.charAt(0).toUpperCase()}${message.slice(1)}.`, SYNTAX)

/** The heading of the answer to a search that is refused. */
const REFUSALS: Readonly<Partial<Record<ErrorCode, string>>> = {
  'search-invalid': 'This search is invalid',
  'query-timeout': 'This search takes too long',
  'query-busy': 'Too many searches at once',
  'limit-memory': 'This search takes too much memory',
}

const beingMade = (part: number): Html =>
  html`<div class="blank" role="status"><h2>The search index is being made</h2><p>${Math.floor(part * 100)} % of all texts are indexed. This page asks again every ${AGAIN} seconds; the answer comes as soon as the index is there. It is made once.</p></div>`

/** The parts that a search may have. */
export const SYNTAX: Html = html`All words must be in a text. Also: <code>"a phrase"</code>, <code>begin*</code>, <code>title:word</code>, <code>OR</code>, <code>-word</code> or <code>NOT</code>, parentheses; and filters: <code>author:login</code>, <code>label:name</code>, <code>repo:owner/name</code>, <code>is:open</code>, <code>is:pr</code>, <code>is:comment</code>. Lists of threads also take <code>assignee:login</code>, <code>milestone:title</code> and <code>sort:comments-desc</code>.`
