import { ArchiveError } from '../../base/errors.ts'
import { type NameType, namesInAll, resolveName } from '../../reading/databases/resolve-name.ts'
import type { Library } from '../../reading/library.ts'
import type { Store } from '../../reading/store.ts'
import { allThreadsOf } from '../../reading/threads/all-threads.ts'
import { parseFilters } from '../../search/parse-search.ts'
import type { FoundText, Snippet } from '../../search/snippets.ts'
import { ASSETS } from '../assets.ts'
import { type Html, html, isolated, shown } from '../html.ts'
import { localPathOf } from '../link.ts'
import { type PageRequest, type PageResult, type PageView, pageNumber } from '../page.ts'
import { blank, formatNumber, person, when, withCode, withoutSigns } from '../parts/elements.ts'
import { createPager, type Pager } from '../parts/pager.ts'
import { threadGroups } from './all-threads.ts'
import { AGAIN, findIn, SYNTAX } from './find-in.ts'

/** Results on a page, and those that can be reached: who reads so far needs other words. */
const SIZE = 50
const MOST = 1_000

/** Texts with these words, best first, from each database. In a site of files a script searches. */
export function searchPage(request: PageRequest): PageResult | Promise<PageResult> {
  const { library, query, isStatic } = request
  if (isStatic) return searchInSite(library)
  return library.audience === 'all' ? showSearch(request, (query.get('q') ?? '').trim()) : undefined
}

async function showSearch(request: PageRequest, words: string): Promise<PageResult> {
  const { library, query } = request
  const repository = query.get('repo') ?? undefined
  const form = html`<form class="search-page" action="/search"><input type="search" name="q" value="${words}" aria-label="Words to search for" data-search${words === '' ? html` autofocus` : ''}>${repository === undefined ? '' : html`<input type="hidden" name="repo" value="${repository}">`}<button type="submit">Search</button></form>
${repository === undefined ? '' : html`<p class="about">In ${isolated(repository)} only. <a href="/search?q=${encodeURIComponent(words)}">Search everything</a></p>`}`
  const answered = words === '' ? { body: help(library) } : await answer(request, words, repository)
  if (answered === undefined) return undefined
  const { part, body, pager } = answered
  return {
    title: words === '' ? 'Search' : `${words} · Search`,
    body: html`<h1 class="hidden">Search</h1>${form}${body}`,
    prev: pager?.prev,
    next: pager?.next,
    ...(part !== undefined && { again: AGAIN }),
  }
}

/** A page of the results; undefined for a page beyond the end. */
async function answer(
  request: PageRequest,
  words: string,
  repository: string | undefined,
): Promise<{ body: Html; part?: number; pager?: Pager } | undefined> {
  const { library, path, query } = request
  const page = pageNumber(query)
  if (page > MOST / SIZE) return undefined
  // One more than is shown, which tells whether there is a next page.
  const limit = Math.min(page * SIZE + 1, MOST)
  const only = repository === undefined ? undefined : library.repository(repository)?.store
  const stores = only ? [only] : library.stores
  const found: FoundText[] = []
  const notes: Html[] = []
  for (const store of stores) {
    const answered = await findIn(request, store, words, { limit, repository })
    if ('body' in answered) return answered
    found.push(...answered.found)
    notes.push(...answered.notes)
  }
  if (found.length === 0 && page === 1) {
    const unknown = await unknownName(words, stores)
    const nothing = unknown ?? blank(NOTHING, 'No text of the archive has all these words.', SYNTAX)
    return { body: html`${notes}${nothing}` }
  }
  const best = found.sort((a, b) => b.score - a.score).slice(0, limit)
  const shown = best.slice((page - 1) * SIZE, page * SIZE)
  if (shown.length === 0) return undefined
  const labels = { prev: 'Previous', next: 'Next' }
  const pager = createPager(path, query, { page, total: best.length, size: SIZE }, labels)
  const isCut = page * SIZE === MOST && found.length >= MOST
  return {
    pager,
    body: html`${notes}<h2 class="about">${headingOf(page, shown.length, best.length)}</h2>
<ul class="box rows">${shown.map((one) => result(one, library))}</ul>${isCut ? html`<p class="about">Further results are not listed: more words find fewer of them.</p>` : ''}${pager.nav()}`,
  }
}

const NOTHING = 'Nothing found'

/** What is said of a search for a repository, person or label that no database has; undefined if all are there. */
async function unknownName(words: string, stores: readonly Store[]): Promise<Html | undefined> {
  const source = namesInAll(stores.map(({ database }) => database))
  const { repository, author, label } = parseFilters(words).filter
  const names: [NameType, string | undefined][] = [
    ['repository', repository],
    ['person', author],
    ['label', label],
  ]
  for (const [type, name] of names) {
    try {
      if (name !== undefined) await resolveName(source, type, name)
    } catch (error) {
      if (!(error instanceof ArchiveError && error.code === `${type}-not-found`)) throw error
      const { meant } = error
      const more = meant === undefined ? undefined : html`Did you mean ${isolated(meant)}?`
      return blank(NOTHING, `There is no ${type} ${name}.`, more)
    }
  }
  return undefined
}

/** How many results there are, or, while that is not known, which ones are shown. */
function headingOf(page: number, count: number, known: number): string {
  if (page === 1 && known <= SIZE) return `${count} ${count === 1 ? 'result' : 'results'}`
  const first = (page - 1) * SIZE + 1
  return `Results ${formatNumber(first)} to ${formatNumber(first + count - 1)}`
}

function result(
  { place, kind, title, snippet, url, author, created_at }: FoundText,
  library: Library,
): Html {
  const path = url === null ? undefined : localPathOf(library, url)
  const head = title.length === 0 ? html`${place}` : marked(title)
  return html`<li class="found"><h3>${path === undefined ? head : html`<a href="${path}">${head}</a>`}</h3>
<p dir="auto">${marked(withoutSigns(snippet))}</p><p class="meta">${kind.replaceAll('_', ' ')}${place === null ? '' : html` ${isolated(place)}`}${author === null ? '' : html` · ${person(author)}`} · ${when(created_at)}</p></li>`
}

const marked = (pieces: readonly Snippet[]): Html =>
  withCode(pieces, (text, { matched }) =>
    matched ? html`<mark>${shown(text)}</mark>` : shown(text),
  )

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

const help = (library: Library): Html => html`<p class="about">${SYNTAX}</p>
${threadGroups(allThreadsOf(library))}`
