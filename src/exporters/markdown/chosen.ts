import type { ErrorCode } from '../../base/error-codes.ts'
import { ArchiveError } from '../../base/errors.ts'
import { orderOf } from '../../database/record-files/place-records.ts'
import { selectRecords } from '../../database/rows/select-records.ts'
import type { Selection } from '../../database/rows/selection.ts'
import type { Library } from '../../reading/library.ts'
import type { Store } from '../../reading/store.ts'

/** Which records of the databases are written. */
export interface Chosen {
  /** Whether that is everything. */
  readonly isAll: boolean
  /** An SQL condition on the records `o` of a table. */
  condition(store: Store, table: string): string
  has(store: Store, table: string, url: string): boolean
}

const UNKNOWN: ReadonlySet<ErrorCode> = new Set([
  'repository-not-found',
  'person-not-found',
  'label-not-found',
])

const ALL: Chosen = { isAll: true, condition: () => 'true', has: () => true }

/** Chooses records in every database, in temporary tables of its connection. Throws `records-not-found`. */
export function chooseRecords({ stores }: Library, selection: Selection | undefined): Chosen {
  if (!selection) return ALL
  const tables = new Map<Store, readonly string[]>()
  let isEmpty = true
  let unknown: ArchiveError | undefined
  for (const store of stores) {
    const { tables: all } = orderOf(store.database)
    tables.set(store, all)
    try {
      selectRecords(store.database, all, selection)
    } catch (error) {
      if (!(error instanceof ArchiveError) || !UNKNOWN.has(error.code)) throw error
      // Another database may have what is named.
      unknown ??= error
    }
    if (store.get('SELECT 1 FROM temp.chosen LIMIT 1')) isEmpty = false
  }
  if (isEmpty) {
    const place = { archive: stores[0]?.database.name }
    throw unknown ?? new ArchiveError('records-not-found', 'there are no records to export', place)
  }
  const condition = (store: Store, table: string) => {
    const place = tables.get(store)?.indexOf(table) ?? -1
    return `EXISTS (SELECT 1 FROM temp.chosen WHERE "table" = ${place} AND id = o.rowid)`
  }
  return {
    isAll: false,
    condition,
    has: (store, table, url) =>
      store.get(
        `SELECT 1 FROM ${table} AS o WHERE o.url = ? AND ${condition(store, table)}`,
        url,
      ) !== undefined,
  }
}
