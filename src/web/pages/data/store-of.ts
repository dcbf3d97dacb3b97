import type { PageRequest } from '../../page.ts'
import type { Store } from '../../read/store.ts'

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
