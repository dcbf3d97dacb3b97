import { deserialize, serialize } from 'node:v8'
import { ArchiveError } from '../base/errors.ts'
import { openStore } from '../files/open-store.ts'
import type { SqlValue } from '../query/run-query.ts'

/** Rows that are held in memory; those behind them go to a file. */
const MOST_HELD = 20_000

/** Rows that were read, which can be read again without waiting. */
export interface SpooledRows {
  rows(): Generator<SqlValue[]>
  close(): void
}

/**
 * Reads all rows of a stream. Memory does not grow with their number.
 *
 * @throws `limit-rows` for more than `maxRows`, `output-full`
 */
export async function spoolRows(
  batches: AsyncIterable<SqlValue[][]>,
  maxRows = Number.POSITIVE_INFINITY,
): Promise<SpooledRows> {
  const held: SqlValue[][] = []
  const store = openStore()
  let count = 0
  try {
    for await (const batch of batches) {
      count += batch.length
      if (count > maxRows) {
        const message = `the statement has more than ${maxRows} rows`
        throw new ArchiveError('limit-rows', message).over({ allowed: maxRows, found: count })
      }
      if (held.length < MOST_HELD) held.push(...batch)
      else store.add(serialize(batch))
    }
  } catch (error) {
    store.close()
    throw error
  }
  return {
    *rows() {
      yield* held
      for (let i = 0; i < store.length; i++) yield* deserialize(store.read(i)) as SqlValue[][]
    },
    close: store.close,
  }
}
