import type { Store } from '../../../reading/store.ts'
import { type Html, html, isolated } from '../../html.ts'
import type { PageRequest } from '../../page.ts'

/** The database that a page is about: the one that `?db=` names, or the first. */
export function storeOf({ library, query }: PageRequest): Store | undefined {
  const name = query.get('db')
  return name === null ? library.stores[0] : library.stores.find(({ file }) => file === name)
}

/** `?db=` for links to other pages about the same database; empty for the first one. */
export function storeQuery(request: PageRequest): string {
  const store = storeOf(request)
  const isFirst = store === undefined || store === request.library.stores[0]
  return isFirst ? '' : `?db=${encodeURIComponent(store.file)}`
}

/** Links to the same page about each database; nothing if there is only one. */
export function storeChooser(request: PageRequest): Html {
  const { library, path, isStatic } = request
  const { stores } = library
  if (stores.length < 2 || isStatic) return html``
  const chosen = storeOf(request)
  // Archives of several exports may have one name.
  const titles = stores.map(({ title }) => title)
  const storeName = ({ title, file }: Store) =>
    titles.filter((one) => one === title).length > 1 ? `${title} (${file})` : title
  return html`<nav class="chips" aria-label="Databases"><ul>${stores.map(
    (store, i) =>
      html`<li><a href="${path}${i === 0 ? '' : `?db=${encodeURIComponent(store.file)}`}"${store === chosen ? html` aria-current="true"` : ''}>${isolated(storeName(store))}</a></li>`,
  )}</ul></nav>`
}
