import type { QueryResult } from '../../query/run-query.ts'
import type { SafeText } from '../command/safe-text.ts'
import type { Styles } from './styles.ts'

/** Options of formats. Each format ignores the ones that do not apply to it. */
export interface FormatOptions {
  /** Write the column names; true by default. */
  headers?: boolean | undefined
  /** Columns of the terminal, to cut a table to. Default: nothing is cut. */
  width?: number | undefined
  /** Colours of a table; none by default. */
  styles?: Styles | undefined
  /** csv and tsv: keep spreadsheets from running cells as formulas. */
  csvSafe?: boolean | undefined
  /** The output goes to a terminal: csv and tsv too show control characters as escapes. */
  terminal?: boolean | undefined
}

/** An output format. It writes while rows are read. */
export interface Format {
  summary: string
  format(result: QueryResult, options?: FormatOptions): Iterable<SafeText | Uint8Array>
}
