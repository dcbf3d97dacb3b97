import { SOURCE_COLUMN } from '../../../database/schema/with-source.ts'
import type { Parameters } from '../../../query/run-query.ts'
import type { Store } from '../../../reading/store.ts'
import { tablesOf } from '../../../reading/tables.ts'
import type { Answer } from '../../../tasks/answer.ts'
import type { Failure } from '../../../tasks/page-work.ts'
import { type Html, html, isolated } from '../../html.ts'
import type { PageRequest } from '../../page.ts'
import { blank } from '../../parts/elements.ts'
import { AGAIN } from '../find-in.ts'

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

/** What a statement is asked of: the database that `?db=` names, or all together. */
export interface Asked {
  readonly stores: readonly Store[]
  ask(sql: string, parameters: Parameters): Promise<Outcome>
  /** `?db=` for links to other pages that ask the same; empty for all. */
  readonly db: string
}

export type Outcome = Answer | Failure | { readonly part: number }

/** Undefined if `?db=` names no database. */
export function askedOf(request: PageRequest): Asked | undefined {
  const { library, ask, askAll, query } = request
  const { stores } = library
  const name = query.get('db')
  if (name === null && askAll && stores.length > 1) {
    return { stores, ask: (sql, parameters) => askAll(stores, sql, parameters), db: '' }
  }
  const store = storeOf(request)
  if (!store) return undefined
  return {
    stores: [store],
    ask: (sql, parameters) => ask(store, sql, parameters),
    db: name === null ? '' : `?db=${encodeURIComponent(name)}`,
  }
}

interface AskedTable {
  readonly name: string
  readonly columns: readonly string[]
  /** `?db=` of a database that has it; empty for the first one. */
  readonly db: string
}

/** The tables and views that a statement may name. All have another column if several databases are asked. */
export function tablesAsked({ library }: PageRequest, { stores }: Asked): AskedTable[] {
  const found = new Map<string, AskedTable>()
  for (const store of stores) {
    const db = store === library.stores[0] ? '' : `?db=${encodeURIComponent(store.file)}`
    for (const { name, columns } of tablesOf(store)) {
      if (found.has(name)) continue
      const names = columns.map((column) => column.name)
      found.set(name, { name, columns: stores.length > 1 ? [...names, SOURCE_COLUMN] : names, db })
    }
  }
  return [...found.values()]
}

/** Links to the same page about all databases, and about each. */
export const askedChooser = (request: PageRequest, { stores }: Asked): Html =>
  chooser(request, {
    chosen: stores.length === 1 ? stores[0] : undefined,
    hasAll: request.askAll !== undefined,
  })

/** Links to the same page about each database; nothing if there is only one. */
export const storeChooser = (request: PageRequest): Html =>
  chooser(request, { chosen: storeOf(request), hasAll: false })

function chooser(
  { library, path, isStatic }: PageRequest,
  { chosen, hasAll }: { chosen: Store | undefined; hasAll: boolean },
): Html {
  const { stores } = library
  if (stores.length < 2 || isStatic) return html``
  // Archives of several exports may have one name.
  const titles = stores.map(({ title }) => title)
  const storeName = ({ title, file }: Store) =>
    titles.filter((one) => one === title).length > 1 ? `${title} (${file})` : title
  const link = (db: string, name: string, isChosen: boolean) =>
    html`<li><a href="${path}${db}"${isChosen ? html` aria-current="true"` : ''}>${isolated(name)}</a></li>`
  return html`<nav class="chips" aria-label="Databases"><ul>${hasAll ? link('', 'All databases', chosen === undefined) : ''}${stores.map(
    (store, i) =>
      link(
        i === 0 && !hasAll ? '' : `?db=${encodeURIComponent(store.file)}`,
        storeName(store),
        store === chosen,
      ),
  )}</ul></nav>`
}

/** In place of an answer: that there is none, or not yet. */
export const notAnswered = (outcome: Failure | { readonly part: number }): Html =>
  'message' in outcome
    ? blank('This could not be answered', outcome.message)
    : html`<div class="blank" role="status"><h2>The databases are being put together</h2><p>${Math.floor(outcome.part * 100)} % are done. This page asks again every ${AGAIN} seconds. It is done once, until a database changes.</p></div>`
