import type { JsonValue } from '../../records/json/json.ts'
import type { ExportTable } from '../table.ts'

/** The key of the rows of a table: their URL, or for records without one their place; of listings, their names. */
export interface RowKey {
  /** The columns of the key, joined by line feeds. NULL counts as an empty text. */
  readonly columns: readonly string[]
  /** The columns that count if the first of `columns` is NULL. */
  readonly otherwise: readonly string[]
}

const NAMES = ['full_name', 'path', 'name', 'oid']

export const rowKeyOf = ({ kind, columns }: ExportTable): RowKey =>
  kind
    ? { columns: ['url'], otherwise: ['_entry', '_record_number'] }
    : {
        columns: NAMES.filter((name) => columns.some((column) => column.name === name)),
        otherwise: [],
      }

/** Makes the key of a row from the texts of its columns. */
export function createKeyReader(table: ExportTable): (texts: readonly (string | null)[]) => string {
  const { columns, otherwise } = rowKeyOf(table)
  const indexOf = (name: string) => table.columns.findIndex((column) => column.name === name)
  const [first, others] = [columns.map(indexOf), otherwise.map(indexOf)]
  return (texts) => {
    const isMissing = others.length > 0 && (texts[first[0] as number] ?? null) === null
    return (isMissing ? others : first).map((i) => texts[i] ?? '').join('\n')
  }
}

/** The key of a record or of a listed row in a file of NDJSON, which does not say where a record stood. */
export function keyOfLine({ kind }: ExportTable, line: JsonValue): string {
  const members = (line ?? {}) as { readonly [member: string]: JsonValue | undefined }
  const names = kind ? ['url'] : NAMES
  return names
    .filter((name) => kind || name in members)
    .map((name) => (typeof members[name] === 'string' ? members[name] : ''))
    .join('\n')
}
