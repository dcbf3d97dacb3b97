import type { Database } from '../../database/connection.ts'
import { countRowsOf, describeDatabase } from '../../query/describe-database.ts'
import type { Io } from '../command/io.ts'
import { type SafeText, safe } from '../command/safe-text.ts'
import { columnsOf, displayWidth } from '../output/display-width.ts'
import { formatTable } from '../output/format-table.ts'
import { formatCount } from '../output/quantities.ts'
import { stylesFor } from '../output/styles.ts'

export interface CountedTable {
  name: string
  type: 'table' | 'view'
  /** Null for a view of other people, which is not counted. */
  rows: number | null
  summary: string
}

/** Tables and views with their row counts: all, or without empty ones and views of lists. */
export const countTables = (database: Database, all: boolean): CountedTable[] =>
  describeDatabase(database)
    .filter(({ listOf }) => all || listOf === undefined)
    .map((relation) => {
      const { name, type, summary } = relation
      return { name, type, rows: countRowsOf(database, relation), summary }
    })
    .filter(({ rows }) => all || rows !== 0)

/** Tables and views for people; only a terminal cuts the summaries. */
export function* describeTables(
  tables: readonly CountedTable[],
  { stdout, env }: { stdout: { isTTY?: boolean; columns?: number }; env: Io['env'] },
): Generator<SafeText> {
  const styles = stylesFor(stdout, env)
  const width = columnsOf(stdout)
  const longest = (texts: string[]) => Math.max(0, ...texts.map(displayWidth))
  const room =
    width -
    longest(tables.map(({ name }) => name)) -
    longest(['rows', ...tables.map(({ rows }) => formatCount(rows ?? 0))]) -
    '    '.length
  for (const type of ['table', 'view'] as const) {
    const rows = tables
      .filter((table) => table.type === type)
      .map(({ name, rows, summary }) => [name, rows, shorten(summary, room)])
    if (rows.length === 0) continue
    if (type === 'view' && rows.length < tables.length) yield safe`\n`
    yield* formatTable({ columns: [type, 'rows', 'summary'], rows }, { styles, width })
  }
}

/** Only the first sentence if the whole summary does not fit. */
const shorten = (summary: string, room: number): string =>
  displayWidth(summary) <= room ? summary : (/^.+?[.](?= |$)/.exec(summary)?.[0] ?? summary)
