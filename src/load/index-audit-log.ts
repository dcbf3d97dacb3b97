import type { Bytes } from '../base/streams.ts'
import { type AuditLogStore, MOST_COLUMNS } from '../database/audit-log.ts'
import { CsvReader } from './csv-reader.ts'

/**
 * The same bytes. Stores the lines of a CSV file with a header while they pass by. Where the file is no longer CSV, stores no
 * more, and calls `refuse` with the reason at the end.
 */
export async function* indexAuditLog(
  content: Bytes,
  store: AuditLogStore,
  refuse: (reason: string) => void,
): AsyncGenerator<Uint8Array> {
  let take = (header: readonly string[]) => {
    store.begin(header)
    take = store.add
  }
  const reader = new CsvReader(MOST_COLUMNS, (cells) => take(cells))
  for await (const bytes of content) {
    reader.write(bytes)
    yield bytes
  }
  const fault = reader.end()
  if (fault !== undefined) refuse(fault)
}
