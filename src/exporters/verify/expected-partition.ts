import type { ContentOptions, Manifest } from '../dataset/manifest.ts'
import type { PartitionWriter, Target } from '../exporter.ts'
import { bucketOf, ChecksumAdder, type TableSums } from '../read-back/checksums.ts'
import { type FoundRow, foundValue, MOST_ROWS } from '../read-back/table-reader.ts'
import type { RecordSource } from '../sources/record-source.ts'
import type { ExportTable } from '../table.ts'
import { writePartition } from '../write-partition.ts'
import {
  type ExpectedRow,
  type ExpectedTable,
  type ExpectedTableOptions,
  openExpectedTable,
} from './expected-table.ts'

/** A partition as it must be, by its source. */
export interface ExpectedPartition {
  /** The checksums of its tables, and its manifest. */
  sums(): Promise<ExpectedSums>
  /** Rows of some tables in their order, in some buckets and with some columns: at most `MOST_ROWS` of a table. */
  rows(asked: ReadonlyMap<string, RowChoice>): Promise<Map<string, FoundRow[]>>
}

export interface ExpectedSums {
  readonly tables: ReadonlyMap<string, { readonly table: ExportTable; readonly sums: TableSums }>
  /** Without bytes and hashes of files. */
  readonly manifest: Manifest
}

/** Which rows and columns of a table to look at. */
export interface RowChoice {
  readonly buckets: ReadonlySet<number>
  readonly columns: readonly number[]
}

export interface PartitionOptions
  extends Pick<ExpectedTableOptions, 'format' | 'scratch' | 'isReadable'> {
  readonly name: string
  readonly content: ContentOptions
  readonly signal?: AbortSignal | undefined
}

/** Reads a source, up to twice, to find out what its partition must hold. */
export function openExpectedPartition(
  source: RecordSource,
  { name, format, content, signal, scratch, isReadable }: PartitionOptions,
): ExpectedPartition {
  const read = async (each: (table: ExpectedTable, row: ExpectedRow) => void) => {
    const tables = new Map<string, { rows: number; table: ExpectedTable | undefined }>()
    const add = (
      table: ExportTable,
      rowOf: (table: ExpectedTable) => ExpectedRow,
    ): readonly string[] => {
      let known = tables.get(table.name)
      if (!known) {
        const { shard, csvSafe: isSafe } = content
        const options = { archive: name, format, isSafe, shard, scratch, isReadable }
        known = { rows: 0, table: openExpectedTable(table, options) }
        tables.set(table.name, known)
      }
      known.rows++
      if (!known.table) return []
      const row = rowOf(known.table)
      each(known.table, row)
      return row.extraMembers
    }
    const writer: PartitionWriter = {
      addRecord: (table, placed) => add(table, (expected) => expected.ofRecord(placed)),
      addRow: (table, row) => void add(table, (expected) => expected.ofRow(row)),
      commit: async (describe) =>
        describe(
          Object.fromEntries([...tables].map(([name, { rows }]) => [name, { rows, bytes: 0 }])),
        ),
      abort: async () => {},
    }
    const target: Pick<Target, 'openPartition'> = { openPartition: async () => writer }
    return writePartition(source, { target, name, content, options: { signal } })
  }
  return {
    async sums() {
      const adders = new Map<string, { table: ExportTable; adder: ChecksumAdder }>()
      const manifest = await read(({ table }, { key, texts }) => {
        let known = adders.get(table.name)
        if (!known) {
          known = { table, adder: new ChecksumAdder(table.columns.length) }
          adders.set(table.name, known)
        }
        const { adder } = known
        const bucket = adder.addRow(key)
        for (let i = 0; i < texts.length; i++) adder.addValue(bucket, key, i, texts[i] ?? null)
      })
      const tables = [...adders].map(
        ([name, { table, adder }]) => [name, { table, sums: adder.finish() }] as const,
      )
      return { tables: new Map(tables), manifest }
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
