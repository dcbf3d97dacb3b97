import type { ExportTable, TableFacts } from '../table.ts'
import type { AskPartition } from './sql-reader.ts'

/** Counts the rows of a partition in each table, with one statement. */
export async function countRows(
  tables: readonly ExportTable[],
  quote: (name: string) => string,
  ask: AskPartition,
): Promise<Map<string, TableFacts>> {
  if (tables.length === 0) return new Map()
  const parts = tables.map(({ name }, i) => `SELECT ${i} AS part, _archive FROM ${quote(name)}`)
  const rows = await ask(
    'part, count(*) AS n',
    `(${parts.join(' UNION ALL ')}) AS parts`,
    'GROUP BY part',
  )
  const counts = new Map(rows.map(({ part, n }) => [Number(part), Number(n)]))
  return new Map(tables.map(({ name }, i) => [name, { rows: counts.get(i) ?? 0 }]))
}
