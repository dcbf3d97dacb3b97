/** The rows of a working copy that a transform changed. Only these can break a rule that they did not break before. */
export interface EditedRows {
  add(table: string, rowid: bigint): void
  /** Any row of a table may have changed, or without one, any row. */
  addAny(table?: string): void
  /** Whether a row was changed; undefined if that is not known. */
  has(table: string, rowid: number): boolean | undefined
  /** All of this, for another thread. */
  readonly state: EditedState
}

/** What is known of the rows of all tables. */
export interface EditedState {
  /** A bit for each row, in pages by table and number. */
  tables: Map<string, Map<number, Uint8Array>>
  pages: number
  /** Tables of which nothing is known. */
  unknown: Set<string>
  isAny: boolean
}

/** Bits of neighboring rows that are kept together. */
const PAGE = 2 ** 13
/** Pages in all: 16 MiB. Nothing is known of rows beyond that. */
const MOST_PAGES = 2 ** 14

const nothing = (): EditedState => ({
  tables: new Map(),
  pages: 0,
  unknown: new Set(),
  isAny: false,
})

export function createEditedRows(state = nothing()): EditedRows {
  const { tables, unknown } = state
  return {
    state,
    add(table, id) {
      const rowid = Number(id)
      const known = tables.get(table) ?? new Map<number, Uint8Array>()
      tables.set(table, known)
      const number = Math.floor(rowid / PAGE)
      let page = known.get(number)
      if (!page) {
        if (++state.pages > MOST_PAGES) state.isAny = true
        if (state.isAny) return
        page = new Uint8Array(PAGE / 8)
        known.set(number, page)
      }
      const bit = rowid - number * PAGE
      page[bit >> 3] = (page[bit >> 3] as number) | (1 << (bit & 7))
    },
    addAny(table) {
      if (table === undefined) state.isAny = true
      else unknown.add(table)
    },
    has(table, rowid) {
      const number = Math.floor(rowid / PAGE)
      const bit = rowid - number * PAGE
      const byte = tables.get(table)?.get(number)?.[bit >> 3] ?? 0
      if ((byte & (1 << (bit & 7))) !== 0) return true
      return state.isAny || unknown.has(table) ? undefined : false
    },
  }
}
