import { type TableSums, totalOf } from '../read-back/checksums.ts'
import type { ExportDifference } from '../read-back/export-difference.ts'
import { type FoundRow, MOST_ROWS } from '../read-back/table-reader.ts'
import type { ExportTable } from '../table.ts'
import type { RowChoice } from './expected-partition.ts'

/** Records of a table that are named. */
const MOST_NAMED = 5
/** Columns in which the rows of a table are looked at. */
const MOST_COLUMNS = 8

/** Compares the checksums of a table. Also returns which rows have to be looked at to find the records that differ. */
export function compareSums(
  { name, columns }: ExportTable,
  expected: TableSums,
  found: TableSums,
): { differences: ExportDifference[]; choice: RowChoice } {
  const [should, does] = [totalOf(expected, columns.length), totalOf(found, columns.length)]
  const differences: ExportDifference[] = []
  if (should.rows !== does.rows) {
    differences.push({ table: name, fact: 'rows', expected: should.rows, found: does.rows })
  }
  const buckets = new Set<number>()
  const changed = new Set<number>()
  let rows = 0
  for (const bucket of [...new Set([...expected.keys(), ...found.keys()])].sort((a, b) => a - b)) {
    const [left, right] = [expected.get(bucket), found.get(bucket)]
    const others = columns.flatMap((_, i) => (left?.columns[i] === right?.columns[i] ? [] : [i]))
    // If a row is missing, all columns differ.
    const isWhole = left?.rows === right?.rows
    if (isWhole) for (const column of others) changed.add(column)
    if (isWhole && others.length === 0) continue
    if (rows < MOST_ROWS) buckets.add(bucket)
    rows += Math.max(left?.rows ?? 0, right?.rows ?? 0)
  }
  for (const i of changed) {
    const fact = `${columns[i]?.name} checksum`
    const [left, right] = [should.columns[i], does.columns[i]].map(String)
    differences.push({ table: name, fact, expected: left ?? null, found: right ?? null })
  }
  const looked = changed.size > 0 ? [...changed].sort((a, b) => a - b) : columns.map((_, i) => i)
  return { differences, choice: { buckets, columns: looked.slice(0, MOST_COLUMNS) } }
}

/** Names the first records that differ: missing, repeated, foreign ones, and those with other values. */
export function nameRecords(
  { name: table, columns }: ExportTable,
  choice: RowChoice,
  expected: readonly FoundRow[],
  found: readonly FoundRow[],
): ExportDifference[] {
  const [should, does] = [expected, found].map((rows) => Map.groupBy(rows, ({ key }) => key))
  const differences: ExportDifference[] = []
  let named = 0
  for (const key of new Set([...(should?.keys() ?? []), ...(does?.keys() ?? [])])) {
    if (named === MOST_NAMED) break
    const [left, right] = [should?.get(key) ?? [], does?.get(key) ?? []]
    const record = key.replaceAll('\n', ' ')
    const before = differences.length
    if (left.length !== right.length) {
      differences.push({ table, record, fact: 'rows', expected: left.length, found: right.length })
    } else {
      for (const [position, i] of choice.columns.entries()) {
        const [values, others] = [left, right].map((rows) => valuesIn(rows, position))
        if (values?.digests === others?.digests) continue
        const fact = columns[i]?.name ?? ''
        const [expected, found] = [values?.start ?? null, others?.start ?? null]
        differences.push({ table, record, fact, expected, found })
      }
    }
    if (differences.length > before) named++
  }
  return differences
}

function valuesIn(rows: readonly FoundRow[], position: number) {
  const values = rows.map(({ values }) => values[position] ?? null)
  return {
    digests: values
      .map((value) => value?.digest ?? '-')
      .sort()
      .join(),
    start: values[0]?.start ?? null,
  }
}
