import type { JsonObject } from '../../records/json/json.ts'
import type { Database } from '../open-database.ts'
import { quoteName } from '../quote.ts'
import { createRecordReader, recordColumns } from './read-record.ts'
import { toRow } from './to-row.ts'

/** Changes records of a table by rowid; members that stay keep the text of their numbers. A rowid without a row is skipped. */
export function createRecordEditor(database: Database, table: string) {
  const { kind } = recordColumns(table)
  const names = [...Object.keys(kind.columns), '_extra', '_member_order']
  const read = createRecordReader(database, table)
  const update = database.prepare(
    `UPDATE ${quoteName(table)} SET ${names.map((name) => `${quoteName(name)} = ?`).join(', ')}
     WHERE rowid = ?`,
  )
  return (rowid: bigint, edit: (record: JsonObject) => JsonObject): void => {
    const record = read(rowid)
    if (record) update.run(...toRow(kind, edit(record)), rowid)
  }
}
