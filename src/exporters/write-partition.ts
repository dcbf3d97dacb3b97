import { throwIfInterrupted } from '../base/errors.ts'
import type { JsonObject } from '../records/json/json.ts'
import { parseLossless } from '../records/json/parse-lossless.ts'
import type { Kind } from '../records/kinds/kind.ts'
import {
  type ContentOptions,
  type Manifest,
  manifestOf,
  type TableSummary,
} from './dataset/manifest.ts'
import type { Target } from './exporter.ts'
import { NewestTime } from './newest-time.ts'
import type { PositionedRecord, RecordSource, Sink } from './sources/record-source.ts'
import { type ExportTable, tableOfKind } from './table.ts'

export interface PartitionJob {
  target: Pick<Target, 'openPartition'>
  name: string
  content: ContentOptions
  options: { signal?: AbortSignal | undefined }
}

/** Reads a source and writes it as a partition. Returns the manifest of what was written. */
export async function writePartition(
  source: RecordSource,
  { target, name, content, options }: PartitionJob,
): Promise<Manifest> {
  const writer = await target.openPartition(name, content)
  const tables = new Map<string, ExportTable>()
  const extra = new Map<string, TableSummary['extra']>()
  const newest = new NewestTime()
  const tableOf = (loadedName: string, kind: Kind): ExportTable => {
    const tableName = exportedName(loadedName)
    const known = tables.get(tableName)
    if (known) return known
    const table = tableOfKind(tableName, kind, content)
    tables.set(tableName, table)
    extra.set(tableName, { rows: 0, members: {} })
    return table
  }
  const add = (table: ExportTable, placed: PositionedRecord) => {
    const members = writer.addRecord(table, placed)
    if (members.length === 0) return
    const odd = extra.get(table.name) as TableSummary['extra']
    odd.rows++
    for (const member of members) odd.members[member] = (odd.members[member] ?? 0) + 1
  }
  const { addScanned } = writer
  const sink: Sink = {
    async records(loadedName, kind, records) {
      throwIfInterrupted(options.signal)
      const table = tableOf(loadedName, kind)
      for (const placed of records) {
        newest.note(placed.record)
        add(table, placed)
      }
      await writer.ready?.()
    },
    ...(addScanned &&
      !content.raw && {
        async scanned(loadedName, entry, records) {
          throwIfInterrupted(options.signal)
          const table = tableOf(loadedName, records.kind)
          newest.noteScanned(records)
          const { memory, from, to } = records
          for (let i = 0; i < records.records; i++) {
            if (records.hasNull[i] === 0 && addScanned(table, records, i, entry)) continue
            const record = parseLossless(memory.toString('utf8', from[i], to[i])) as JsonObject
            add(table, { record, entry, index: i + 1 })
          }
          await writer.ready?.()
        },
      }),
    async rows(listing, rows) {
      tables.set(listing.name, listing)
      for (const row of rows) writer.addRow(listing, row)
      await writer.ready?.()
    },
  }
  try {
    const facts = await source.read(sink)
    return await writer.commit((files) => {
      const summaries = Object.entries(files).map(([table, file]): [string, TableSummary] => [
        table,
        {
          ...file,
          columns: (tables.get(table) as ExportTable).columns.map((column) => column.name),
          extra: extra.get(table) ?? { rows: 0, members: {} },
        },
      ])
      const written = { newest: newest.text || null, tables: Object.fromEntries(summaries) }
      return manifestOf(name, content, { source: facts, ...written })
    })
  } catch (error) {
    await writer.abort()
    throw error
  }
}

// Engines have a view with such a name for each table. An unknown kind may be called anything; then the name belongs to
// its table.
const exportedName = (table: string): string =>
  table.startsWith('latest_') ? `${table}_records` : table
