/** The rows of a working copy that a transform changed. Only these can break a rule that they did not break before. */
export interface EditedRows {
  add(table: string, rowid: bigint): void
  /** Any row of a table may have changed, or without one, any row. */
  addAny(table?: string): void
  /** Whether a row was changed; undefined if that is not known. */
  has(table: string, rowid: number): boolean | undefined
}

/** Bits of neighboring rows that are kept together. */
const PAGE = 2 ** 13
/** Pages in all: 16 MiB. Nothing is known of rows beyond that. */
const MOST_PAGES = 2 ** 14

export function createEditedRows(): EditedRows {
  const tables = new Map<string, Map<number, Uint8Array>>()
  const unknown = new Set<string>()
  let isAny = false
  let pages = 0
  return {
    add(table, id) {
      const rowid = Number(id)
      const known = tables.get(table) ?? new Map<number, Uint8Array>()
      tables.set(table, known)
      const number = Math.floor(rowid / PAGE)
      let page = known.get(number)
      if (!page) {
        if (++pages > MOST_PAGES) isAny = true
        if (isAny) return
        page = new Uint8Array(PAGE / 8)
        known.set(number, page)
      }
      const bit = rowid - number * PAGE
      page[bit >> 3] = (page[bit >> 3] as number) | (1 << (bit & 7))
    },
    addAny(table) {
      if (table === undefined) isAny = true
      else unknown.add(table)
    },
    has(table, rowid) {
      const number = Math.floor(rowid / PAGE)
      const bit = rowid - number * PAGE
      const byte = tables.get(table)?.get(number)?.[bit >> 3] ?? 0
      if ((byte & (1 << (bit & 7))) !== 0) return true
      return isAny || unknown.has(table) ? undefined : false
    },
  }
}
