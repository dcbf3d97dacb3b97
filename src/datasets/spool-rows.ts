import { closeSync, openSync, readSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import { ArchiveError } from '../base/errors.ts'
import { attemptSync } from '../files/write-file.ts'
import type { SqlValue } from '../query/run-query.ts'

/** Rows that are held in memory; those behind them go to a file. */
const MOST_HELD = 20_000

/**
 * Reads all rows of a stream, so that they can be read again without waiting. Memory does not grow with their number.
 *
 * @param folder a folder for the file
 * @throws `limit-rows` for more than `maxRows`, `output-full`
 */
export async function spoolRows(
  batches: AsyncIterable<SqlValue[][]>,
  { maxRows = Number.POSITIVE_INFINITY, folder }: { maxRows?: number | undefined; folder: string },
): Promise<{ rows(): Generator<SqlValue[]> }> {
  const held: SqlValue[][] = []
  const sizes: number[] = []
  const path = join(folder, 'rows')
  let file: number | undefined
  let count = 0
  try {
    for await (const batch of batches) {
      count += batch.length
      if (count > maxRows) {
        const message = `the statement has more than ${maxRows} rows`
        throw new ArchiveError('limit-rows', message).over({ allowed: maxRows, found: count })
      }
      if (held.length < MOST_HELD) held.push(...batch)
      else {
        const bytes = serialize(batch)
        file ??= openSync(path, 'wx', 0o600)
        const to = file
        attemptSync(path, () => writeWhole(to, bytes))
        sizes.push(bytes.length)
      }
    }
  } finally {
    if (file !== undefined) closeSync(file)
  }
  return { rows: () => readRows(held, path, sizes) }
}

function writeWhole(file: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at)
}

function* readRows(
  held: readonly SqlValue[][],
  path: string,
  sizes: readonly number[],
): Generator<SqlValue[]> {
  yield* held
  if (sizes.length === 0) return
  const file = openSync(path, 'r')
  try {
    for (const size of sizes) {
      const bytes = Buffer.alloc(size)
      readSync(file, bytes)
      yield* deserialize(bytes) as SqlValue[][]
    }
  } finally {
    closeSync(file)
  }
}
