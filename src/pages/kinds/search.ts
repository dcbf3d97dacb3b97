import { ArchiveError, type ErrorCode } from '../../base/errors.ts'
import type { Library } from '../../reading/library.ts'
import { allThreadsOf } from '../../reading/threads/all-threads.ts'
import type { FoundText, Snippet } from '../../search/snippets.ts'
import { ASSETS } from '../assets.ts'
import { type Html, html, isolated, shown } from '../html.ts'
import { localPathOf } from '../link.ts'
import type { PageRequest, PageResult, PageView } from '../page.ts'
import { blank, formatNumber, person, when } from '../parts/elements.ts'
import { threadGroups } from './all-threads.ts'

/** Results that a search shows. */
const MOST = 50

/** Texts with these words, best first, from each database. In a site of files a script searches. */
export function searchPage(request: PageRequest): PageResult | Promise<PageResult> {
  const { library, query, isStatic } = request
  if (isStatic) return searchInSite(library)
  return library.audience === 'all' ? showSearch(request, (query.get('q') ?? '').trim()) : undefined
}

async function showSearch(request: PageRequest, words: string): Promise<PageView> {
  const { library, query } = request
  const repository = query.get('repo') ?? undefined
  const form = html`<form class="search-page" action="/search"><input type="search" name="q" value="${words}" aria-label="Words to search for" data-search${words === '' ? html` autofocus` : ''}>${repository === undefined ? '' : html`<input type="hidden" name="repo" value="${repository}">`}<button type="submit">Search</button></form>
${repository === undefined ? '' : html`<p class="about">In ${isolated(repository)} only. <a href="/search?q=${encodeURIComponent(words)}">Search everything</a></p>`}`
  const { part, body } =
    words === '' ? { body: help(library) } : await answer(request, words, repository)
  return {
    title: words === '' ? 'Search' : `${words} · Search`,
    body: html`<h1 class="hidden">Search</h1>${form}${body}`,
    ...(part !== undefined && { again: AGAIN }),
  }
}

/** Seconds between two looks at an index that is being made. */
const AGAIN = 2

async function answer(
  { library, search, searchIndex }: PageRequest,
  words: string,
  repository: string | undefined,
): Promise<{ body: Html; part?: number }> {
  const only = repository === undefined ? undefined : library.repository(repository)?.store
  const found: FoundText[] = []
  const notes: Html[] = []
  for (const store of only ? [only] : library.stores) {
    const state = await searchIndex(store)
    if ('part' in state) return { body: beingMade(state.part), part: state.part }
    const name = isolated(store.title)
    if ('message' in state) {
      notes.push(
        html`<p class="about">${name} is not searched: its index could not be made (${state.message}).</p>`,
      )
      continue
    }
    const { index, isOld } = state
    if (isOld) {
      notes.push(
        html`<p class="about">${name} has changed since its index was made; <code>marc search</code> brings it up to date.</p>`,
      )
    }
    const filter = { limit: MOST, repository, index }
    try {
      found.push(...(await search(store, words, filter)))
    } catch (error) {
      const refusal = error instanceof ArchiveError ? REFUSALS[error.code] : undefined
      if (!refusal) throw error
      return { body: blank(refusal, `${sentenceOf((error as Error).message)}.`, SYNTAX) }
    }
  }
  if (found.length === 0) {
    return {
      body: html`${notes}${blank('Nothing found', 'No text of the archive has all these words.', SYNTAX)}`,
    }
  }
  const best = found.sort((a, b) => b.score - a.score).slice(0, MOST)
  return {
    body: html`${notes}<h2 class="about">${found.length > MOST || best.length === MOST ? `The best ${MOST}` : formatNumber(best.length)} ${best.length === 1 ? 'result' : 'results'}</h2>
<ul class="box rows">${best.map((one) => result(one, library))}</ul>`,
  }
}

/** The heading of the answer to a search that is refused. */
const REFUSALS: Readonly<Partial<Record<ErrorCode, string>>> = {
  'search-invalid': 'This search is invalid',
  'query-timeout': 'This search takes too long',
  'limit-memory': 'This search takes too much memory',
}

const beingMade = (part: number): Html =>
  html`<div class="blank" role="status"><h2>The search index is being made</h2><p>${Math.floor(part * 100)} % of all texts are indexed. This page asks again every ${AGAIN} seconds; the answer comes as soon as the index is there. It is made once.</p></div>`

function result(
  { place, kind, title, snippet, url, author, created_at }: FoundText,
  library: Library,
): Html {
  const path = url === null ? undefined : localPathOf(library, url)
  const head = title.length === 0 ? html`${place}` : marked(title)
  return html`<li class="found"><h3>${path === undefined ? head : html`<a href="${path}">${head}</a>`}</h3>
<p dir="auto">${marked(snippet)}</p><p class="meta">${kind.replaceAll('_', ' ')}${place === null ? '' : html` ${isolated(place)}`}${author === null ? '' : html` · ${person(author)}`} · ${when(created_at)}</p></li>`
}

const marked = (pieces: readonly Snippet[]): Html =>
  html`${pieces.map(({ text, matched }) => (matched ? html`<mark>${shown(text)}</mark>` : shown(text)))}`

/** The page whose script searches the index of a site. Without scripts it links to lists. */
function searchInSite(library: Library): PageView {
  const body = html`<h1 class="hidden">Search</h1>
<div class="find"><form class="search-page" data-find><input type="search" name="q" aria-label="Words to search for" data-search autofocus><button type="submit">Search</button></form>
<noscript><p class="about">The search needs JavaScript. The lists below do not.</p></noscript>
<p class="about" role="status"></p>
<ol class="box rows" hidden></ol>
<p><button type="button" class="act" data-more hidden>Show more</button></p></div>
<p class="about">${SYNTAX}</p>
${threadGroups(allThreadsOf(library))}
<script src="${ASSETS.search.path}" defer></script>`
  return { title: 'Search', body }
}

const sentenceOf = (message: string): string => message.charAt(0).toUpperCase() + message.slice(1)

/** The parts that a search may have. */
const SYNTAX: Html = html`All words must be in a text. Also: <code>"a phrase"</code>, <code>begin*</code>, <code>title:word</code>, <code>OR</code>, <code>-word</code> or <code>NOT</code>, parentheses; and filters: <code>author:login</code>, <code>label:name</code>, <code>repo:owner/name</code>, <code>is:open</code>, <code>is:pr</code>, <code>is:comment</code>.`

const help = (library: Library): Html => html`<p class="about">${SYNTAX}</p>
${threadGroups(allThreadsOf(library))}`
