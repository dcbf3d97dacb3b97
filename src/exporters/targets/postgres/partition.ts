import { ArchiveError } from '../../../base/errors.ts'
import { GrowingText } from '../../../base/growing-text.ts'
import { quoteName } from '../../../database/quote.ts'
import { formatManifest } from '../../dataset/manifest.ts'
import { POSTGRES_DIALECT } from '../../dialect.ts'
import type { PartitionWriter } from '../../exporter.ts'
import type { ExportRow, ExportTable } from '../../table.ts'
import { toExportRow } from '../../to-export-row.ts'
import type { Connection, Copy } from './connection.ts'
import { addCopyRow } from './copy-text.ts'

/** Bytes of a piece of COPY text. */
const PIECE = 256 * 1024

/**
 * Writes a partition in one transaction. A connection has one COPY at a time: rows of a table go to it until rows of
 * another one come.
 */
export async function openPostgresPartition(
  connection: Connection,
  {
    name,
    shard,
    replaced,
    tableOf,
  }: {
    name: string
    shard: string | undefined
    /** Tables with rows of an earlier export. */
    replaced: readonly string[]
    /** Makes sure that there is a table. */
    tableOf(table: string): Promise<ExportTable>
  },
): Promise<PartitionWriter> {
  await connection.query('BEGIN')
  for (const table of replaced) {
    await connection.query(`DELETE FROM ${quoteName(table)} WHERE _archive = $1`, [name])
  }
  const counts = new Map<string, { rows: number; bytes: number; counted: number }>()
  const text = new GrowingText()
  let pending: { table: ExportTable; begin: number; end: number }[] = []
  let copy: { table: string; stream: Copy } | undefined
  // Each row ends with the same shard.
  const endOfLine = shard === undefined ? '\t\\N\n' : `\t${shard.replace(/[\\\n\r\t]/g, '')}\n`

  const add = (table: ExportTable, row: ExportRow) => {
    let last = pending.at(-1)
    if (last?.table.name !== table.name) {
      last = { table, begin: text.length, end: text.length }
      pending.push(last)
    }
    addCopyRow(text, table.columns, row)
    text.add(endOfLine)
    last.end = text.length
    const count = counts.get(table.name) ?? { rows: 0, bytes: 0, counted: 0 }
    count.rows++
    counts.set(table.name, count)
  }
  const endCopy = async () => {
    if (!copy) return
    const { table, stream } = copy
    copy = undefined
    const count = counts.get(table)
    if (count) count.counted += await stream.end()
  }
  const flush = async () => {
    const batch = pending
    const all = text.take()
    pending = []
    for (const { table, begin, end } of batch) {
      if (copy?.table !== table.name) {
        await endCopy()
        await tableOf(table.name)
        const columns = [...table.columns.map((column) => column.name), '_shard']
        const list = columns.map(quoteName).join(', ')
        const statement = `COPY ${quoteName(table.name)} (${list}) FROM STDIN`
        copy = { table: table.name, stream: connection.copy(statement) }
      }
      const bytes = all.subarray(begin, end)
      const count = counts.get(table.name)
      if (count) count.bytes += bytes.length
      await copy.stream.write(bytes)
    }
  }
  return {
    addRecord(table, placed) {
      const { row, extraMembers } = toExportRow(table, placed, name, POSTGRES_DIALECT)
      add(table, row)
      return extraMembers
    },
    addRow: add,
    async ready() {
      if (text.length >= PIECE) await flush()
    },
    async commit(describe) {
      await flush()
      await endCopy()
      for (const [table, { rows, counted }] of counts) {
        if (rows === counted) continue
        const message = `the server counts ${counted} rows in ${table}, expected ${rows}`
        throw new ArchiveError('target-failed', message)
      }
      const manifest = describe(
        Object.fromEntries([...counts].map(([table, { rows, bytes }]) => [table, { rows, bytes }])),
      )
      await connection.query(
        `INSERT INTO _exports (name, manifest) VALUES ($1, $2)
         ON CONFLICT (name) DO UPDATE SET manifest = excluded.manifest`,
        [name, formatManifest(manifest)],
      )
      await connection.query('COMMIT')
      return manifest
    },
    async abort() {
      copy?.stream.destroy()
      await connection.query('ROLLBACK').catch(() => {})
    },
  }
}
