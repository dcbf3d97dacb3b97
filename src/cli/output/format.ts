import type { QueryResult } from '../../query/run-query.ts'
import type { SafeText } from './safe-text.ts'
import type { Styles } from './styles.ts'

/** How a result is written. Each format reads the options that mean something to it. */
export interface FormatOptions {
  /** Write the column names; true by default. */
  headers?: boolean | undefined
  /** Columns of the terminal; a table is cut to it. Nothing is cut without it. */
  width?: number | undefined
  /** Colours of a table; none by default. */
  styles?: Styles | undefined
  /** csv and tsv: keep spreadsheets from taking cells for formulas. */
  csvSafe?: boolean | undefined
  /** The output goes to a terminal: csv and tsv too show control characters as escapes. */
  terminal?: boolean | undefined
}

/** A way to write a result, piece by piece while its rows are read. */
export interface Format {
  summary: string
  format(result: QueryResult, options?: FormatOptions): Iterable<SafeText | Uint8Array>
}
