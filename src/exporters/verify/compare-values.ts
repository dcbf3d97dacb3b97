import { ArchiveError } from '../../base/errors.ts'
import type { Manifest } from '../dataset/manifest.ts'
import type { ExportDifference } from '../read-back/export-difference.ts'
import type { FoundRow, TableReader } from '../read-back/table-reader.ts'
import type { ExportTable } from '../table.ts'
import { compareSums, nameRecords } from './compare-sums.ts'
import type { ExpectedPartition, RowChoice } from './expected-partition.ts'

/**
 * Compares the checksums of all tables, and finds records that differ.
 *
 * @param present the tables in which the target has rows
 * @returns the differences, and the manifest that the source makes
 */
export async function compareValues(
  partition: ExpectedPartition,
  reader: TableReader,
  present: readonly ExportTable[],
): Promise<{ differences: ExportDifference[]; manifest: Manifest }> {
  const { tables: expected, manifest } = await partition.sums()
  const tables = new Map([
    ...present.map((table) => [table.name, { table, sums: new Map() }] as const),
    ...expected,
  ])
  const differences = new Map<string, ExportDifference[]>()
  const choices = new Map<string, RowChoice>()
  for (const [name, { table, sums }] of tables) {
    try {
      const found = present.some((one) => one.name === name) ? await reader.sums(table) : new Map()
      const compared = compareSums(table, sums, found)
      if (compared.choice.buckets.size === 0) continue
      differences.set(name, compared.differences)
      choices.set(name, compared.choice)
    } catch (error) {
      differences.set(name, [unreadable(name, error)])
    }
  }
  const rows = choices.size > 0 ? await partition.rows(choices) : new Map<string, FoundRow[]>()
  for (const [name, choice] of choices) {
    const { table } = tables.get(name) as { table: ExportTable }
    const found = await reader.rows(table, choice.buckets, choice.columns)
    differences.get(name)?.push(...nameRecords(table, choice, rows.get(name) ?? [], found))
  }
  return { differences: [...differences.values()].flat(), manifest }
}

/** A file that its reader refuses. Errors of a server are thrown. */
function unreadable(table: string, error: unknown): ExportDifference {
  if (error instanceof ArchiveError || !(error instanceof Error)) throw error
  return { table, fact: 'values', expected: 'readable', found: error.message }
}
