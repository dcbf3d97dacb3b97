import type { Database } from '../../database/open-database.ts'
import type { ContentOptions } from '../dataset/manifest.ts'
import type { ExportFormat } from '../export-options.ts'
import type { PartitionWriter, Target } from '../exporter.ts'
import type { RecordSource } from '../sources/record-source.ts'
import type { ExportTable } from '../table.ts'
import { writePartition } from '../write-partition.ts'
import { bucketOf, ChecksumAdder, type TableSums } from './checksums.ts'
import { type ExpectedRow, type ExpectedTable, openExpectedTable } from './expected-table.ts'
import { type FoundRow, foundValue, MOST_ROWS } from './table-reader.ts'

/** A partition as it must be, by its source. */
export interface ExpectedPartition {
  /** The checksums of its tables. */
  sums(): Promise<Map<string, { table: ExportTable; sums: TableSums }>>
  /** Rows of some tables in their order, in some buckets and with some columns: at most `MOST_ROWS` of a table. */
  rows(asked: ReadonlyMap<string, RowChoice>): Promise<Map<string, FoundRow[]>>
}

/** Which rows and columns of a table to look at. */
export interface RowChoice {
  readonly buckets: ReadonlySet<number>
  readonly columns: readonly number[]
}

export interface PartitionOptions {
  readonly name: string
  readonly format: ExportFormat
  readonly content: ContentOptions
  readonly signal?: AbortSignal | undefined
  /** An empty database, which computes derived columns. */
  readonly scratch: Database
}

/** Reads a source, up to twice, to find out what its partition must hold. */
export function openExpectedPartition(
  source: RecordSource,
  { name, format, content, signal, scratch }: PartitionOptions,
): ExpectedPartition {
  const read = async (each: (table: ExpectedTable, row: ExpectedRow) => void) => {
    const tables = new Map<string, ExpectedTable>()
    const tableOf = (table: ExportTable): ExpectedTable => {
      const known = tables.get(table.name)
      if (known) return known
      const made = openExpectedTable(table, {
        archive: name,
        format,
        scratch,
        isSafe: content.csvSafe,
      })
      tables.set(table.name, made)
      return made
    }
    const writer: PartitionWriter = {
      addRecord(table, placed) {
        const expected = tableOf(table)
        each(expected, expected.ofRecord(placed))
        return []
      },
      addRow(table, row) {
        const expected = tableOf(table)
        each(expected, expected.ofRow(row))
      },
      commit: async (describe) => describe({}),
      abort: async () => {},
    }
    const target: Pick<Target, 'openPartition'> = { openPartition: async () => writer }
    await writePartition(source, { target, name, content, options: { signal } })
  }
  return {
    async sums() {
      const adders = new Map<string, { table: ExportTable; adder: ChecksumAdder }>()
      await read(({ table }, { key, texts }) => {
        let known = adders.get(table.name)
        if (!known) {
          known = { table, adder: new ChecksumAdder(table.columns.length) }
          adders.set(table.name, known)
        }
        const { adder } = known
        const bucket = adder.addRow(key)
        for (let i = 0; i < texts.length; i++) adder.addValue(bucket, key, i, texts[i] ?? null)
      })
      return new Map(
        [...adders].map(([name, { table, adder }]) => [name, { table, sums: adder.finish() }]),
      )
    },
    async rows(asked) {
      const found = new Map<string, FoundRow[]>()
      await read(({ table }, { key, texts }) => {
        const choice = asked.get(table.name)
        if (!choice?.buckets.has(bucketOf(key))) return
        const rows = found.get(table.name) ?? []
        found.set(table.name, rows)
        if (rows.length >= MOST_ROWS) return
        rows.push({ key, values: choice.columns.map((i) => foundValue(key, texts[i] ?? null)) })
      })
      return found
    },
  }
}
