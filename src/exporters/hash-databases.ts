import { createHash, type Hash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { basename } from 'node:path'
import { throwIfInterrupted } from '../base/errors.ts'
import { isThere } from '../files/write-file.ts'

/**
 * A hash of all that files are made from: the bytes of the databases, and what else decides them. Two runs with the same hash make
 * the same files.
 *
 * @param others the options and version of the program, in JSON
 */
export async function hashDatabases(
  databases: readonly string[],
  others: string,
  signal: AbortSignal | undefined,
): Promise<string> {
  const hash = createHash('sha256')
  hash.update(others)
  for (const database of databases) {
    hash.update(JSON.stringify(basename(database)))
    await addFile(hash, database, signal)
    // It has the last transactions until SQLite moves them to the database.
    if (isThere(`${database}-wal`)) await addFile(hash, `${database}-wal`, signal)
  }
  return hash.digest('hex')
}

/** Bytes that are read at once. */
const ROOM = 2 ** 20

async function addFile(hash: Hash, path: string, signal: AbortSignal | undefined): Promise<void> {
  const file = await open(path)
  try {
    // A stream would take new memory for every piece.
    const room = Buffer.allocUnsafe(ROOM)
    for (;;) {
      throwIfInterrupted(signal)
      const { bytesRead } = await file.read(room)
      if (bytesRead === 0) return
      hash.update(room.subarray(0, bytesRead))
    }
  } finally {
    await file.close()
  }
}
