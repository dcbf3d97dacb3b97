import { type Html, html } from '../html.ts'
import { formatNumber } from './elements.ts'
import { withQuery } from './query.ts'

/** Where the pages of a list are. */
export interface Pager {
  readonly page: number
  readonly pages: number
  readonly prev: string | undefined
  readonly next: string | undefined
  /** The links; a page may have them twice, under two names. */
  nav(name?: string): Html
}

/** Links to the other pages of a list; nothing if there is only one. */
export function createPager(
  path: string,
  query: URLSearchParams,
  { page, total, size }: { page: number; total: number; size: number },
  words: { prev: string; next: string } = { prev: 'Newer', next: 'Older' },
): Pager {
  const pages = Math.max(1, Math.ceil(total / size))
  const to = (number: number) =>
    withQuery({ path, query }, number > 1 ? { page: String(number) } : {})
  const prev = page > 1 && page <= pages ? to(page - 1) : undefined
  const next = page < pages ? to(page + 1) : undefined
  const near = [...new Set([1, page - 1, page, page + 1, pages])].filter(
    (one) => one >= 1 && one <= pages,
  )
  const numbers = near
    .sort((a, b) => a - b)
    .map((number, i) => {
      const gap =
        number - (near[i - 1] ?? 0) > 1 ? html`<li class="gap" aria-hidden="true">…</li>` : ''
      const label = `Page ${formatNumber(number)}`
      return number === page
        ? html`${gap}<li><a href="${to(number)}" aria-current="page" aria-label="${label}">${formatNumber(number)}</a></li>`
        : html`${gap}<li><a href="${to(number)}" aria-label="${label}">${formatNumber(number)}</a></li>`
    })
  const nav = (name = 'Pages') =>
    pages === 1
      ? html``
      : html`<nav class="pager" aria-label="${name}"><ul>
<li>${prev === undefined ? html`<span>‹ ${words.prev}</span>` : html`<a rel="prev" href="${prev}">‹ ${words.prev}</a>`}</li>
${numbers}
<li>${next === undefined ? html`<span>${words.next} ›</span>` : html`<a rel="next" href="${next}">${words.next} ›</a>`}</li>
</ul></nav>`
  return { page, pages, prev, next, nav }
}
