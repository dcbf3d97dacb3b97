import { throwIfInterrupted } from '../errors.ts'
import { isObject } from '../records/json/json.ts'
import {
  type ContentOptions,
  type Manifest,
  manifestOf,
  type TableSummary,
} from './dataset/manifest.ts'
import type { Target } from './exporter.ts'
import type { RecordSource, Sink } from './sources/record-source.ts'
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
  const newest = { time: '' }
  const sink: Sink = {
    async records(loadedName, kind, records) {
      throwIfInterrupted(options.signal)
      const tableName = exportedName(loadedName)
      let table = tables.get(tableName)
      if (!table) {
        table = tableOfKind(tableName, kind, content)
        tables.set(tableName, table)
        extra.set(tableName, { rows: 0, members: {} })
      }
      const odd = extra.get(tableName) as TableSummary['extra']
      for (const placed of records) {
        noteNewest(newest, placed.record)
        const members = writer.addRecord(table, placed)
        if (members.length === 0) continue
        odd.rows++
        for (const member of members) odd.members[member] = (odd.members[member] ?? 0) + 1
      }
      await writer.ready?.()
    },
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
      const written = { newest: newest.time || null, tables: Object.fromEntries(summaries) }
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

const UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/

/** Keeps the latest time of any record: it tells which of two exports is newer. */
function noteNewest(newest: { time: string }, record: Parameters<typeof isObject>[0]): void {
  if (!isObject(record)) return
  for (const member of ['created_at', 'updated_at', 'closed_at']) {
    const time = record[member]
    if (typeof time === 'string' && time > newest.time && UTC.test(time)) newest.time = time
  }
}
