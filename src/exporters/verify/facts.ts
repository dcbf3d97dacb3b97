import type { ExportColumn } from '../column-types.ts'
import { type Dialect, EXACT } from '../dialect.ts'
import type { PartitionWriter, Target } from '../exporter.ts'
import type { ExportRow, ExportTable, TableFacts } from '../table.ts'
import { toExportRow } from '../to-export-row.ts'
import type { TypedValue } from '../to-typed.ts'

/** How an engine measures a column. Each is an expression over one row. */
export interface Measures {
  bytes(text: string): string
  elements(list: string, column: ExportColumn): string
  quote(name: string): string
}

/** The facts of a table as a SELECT, with the names of its columns in order. */
function selectFacts(
  { columns }: ExportTable,
  { bytes, elements, quote }: Measures,
): { names: string[]; list: string } {
  const facts: [name: string, expression: string][] = [['rows', 'count(*)']]
  for (const column of columns) {
    const quoted = quote(column.name)
    const { is } = column.type
    if (is === 'list') {
      facts.push([`${column.name} elements`, `coalesce(sum(${elements(quoted, column)}), 0)`])
    } else if (is !== 'struct' && is !== 'json') {
      facts.push([`${column.name} values`, `count(${quoted})`])
    }
    if (is === 'text') facts.push([`${column.name} bytes`, `coalesce(sum(${bytes(quoted)}), 0)`])
  }
  return {
    names: facts.map(([name]) => name),
    list: facts.map(([, expression], i) => `${expression} AS f${i}`).join(', '),
  }
}

/** Asks an engine for the number of rows of a partition in each table, or also for facts about every column. */
export async function surveyTables(
  tables: readonly ExportTable[],
  depth: 'rows' | 'columns',
  measures: Measures,
  /** Returns the answers to `SELECT <list> FROM <table>`, of the rows of the partition. */
  ask: (list: string, table: string) => Promise<readonly Readonly<Record<string, unknown>>[]>,
): Promise<Map<string, TableFacts>> {
  const found = new Map<string, TableFacts>()
  for (const table of tables) {
    const columns = depth === 'rows' ? [] : table.columns
    const { names, list } = selectFacts({ ...table, columns }, measures)
    const [row] = await ask(list, measures.quote(table.name))
    const facts = names.map((name, i) => [name, Number(row?.[`f${i}`] ?? 0)])
    found.set(table.name, Object.fromEntries(facts))
  }
  return found
}

export interface Counter extends Pick<Target, 'openPartition'> {
  /** Computes the same facts as engines do, for the rows that were written. */
  facts(): Map<string, TableFacts>
  tables(): ExportTable[]
}

/** A target that counts rows and keeps none. */
export function createCounter(name: string, dialect: Dialect = EXACT): Counter {
  const tables = new Map<string, { table: ExportTable; facts: Record<string, number> }>()
  const add = (table: ExportTable, row: ExportRow) => {
    let counted = tables.get(table.name)
    if (!counted) {
      const names = selectFacts(table, NO_MEASURES).names
      counted = { table, facts: Object.fromEntries(names.map((one) => [one, 0])) }
      tables.set(table.name, counted)
    }
    countRow(counted.facts, table, row, dialect)
  }
  const writer: PartitionWriter = {
    addRecord(table, placed) {
      const { row, extraMembers } = toExportRow(table, placed, name, dialect)
      add(table, row)
      return extraMembers
    },
    addRow: add,
    commit: async (describe) => describe({}),
    abort: async () => {},
  }
  return {
    openPartition: async () => writer,
    facts: () => new Map([...tables].map(([table, { facts }]) => [table, facts])),
    tables: () => [...tables.values()].map(({ table }) => table),
  }
}

const NO_MEASURES: Measures = { bytes: String, elements: String, quote: String }

function countRow(
  facts: Record<string, number>,
  { columns }: ExportTable,
  row: ExportRow,
  { nul }: Dialect,
): void {
  const add = (fact: string, count: number) => {
    const before = facts[fact]
    if (before !== undefined) facts[fact] = before + count
  }
  add('rows', 1)
  for (const [i, { name }] of columns.entries()) {
    const value: TypedValue = row[i] ?? null
    if (value === null) continue
    if (Array.isArray(value)) add(`${name} elements`, value.length)
    else add(`${name} values`, 1)
    if (typeof value !== 'string') continue
    add(`${name} bytes`, Buffer.byteLength(nul ? value : value.replaceAll('\0', '')))
  }
}
