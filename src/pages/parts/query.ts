import { type Html, html } from '../html.ts'
import { icon } from '../icons.ts'

/** A page by its address. */
interface Address {
  readonly path: string
  readonly query: URLSearchParams
}

/** The same list or table with some parameters changed, from its first page. */
export function withQuery(
  { path, query }: Address,
  changes: Readonly<Record<string, string | readonly string[] | undefined>>,
): string {
  const changed = new URLSearchParams(query)
  changed.delete('page')
  for (const [name, value] of Object.entries(changes)) {
    if (typeof value === 'string') {
      changed.set(name, value)
      continue
    }
    changed.delete(name)
    for (const each of value ?? []) changed.append(name, each)
  }
  const text = changed.toString()
  return text === '' ? path : `${path}?${text}`
}

/** Fields that keep the parameters of an address when a form is sent, but for some. */
export const keptFields = (query: URLSearchParams, isLeftOut: (name: string) => boolean): Html =>
  html`${[...query].flatMap(([name, value]) => (isLeftOut(name) ? [] : [html`<input type="hidden" name="${name}" value="${value}">`]))}`

/** A filter that is chosen, and the address without it. */
export interface Chip {
  readonly text: Html
  readonly without: string
}

/** Filters that are chosen, each a link that removes it; nothing if there are none. */
export const filterChips = (chips: readonly Chip[], clear?: string): Html =>
  chips.length === 0
    ? html``
    : html`<div class="chips" role="group" aria-label="Filters"><ul>${chips.map(({ text, without }) => html`<li><a href="${without}"><span class="hidden">Remove: </span>${text} ${icon('x')}</a></li>`)}${clear === undefined ? '' : html`<li><a href="${clear}">Clear all</a></li>`}</ul></div>`
