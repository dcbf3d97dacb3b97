import { closeSync, fdatasync, fsyncSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { promisify } from 'node:util'
import { throwIfInterrupted } from '../../base/errors.ts'
import { readWholeFile } from '../../database/contents/read-file.ts'
import type { Database } from '../../database/open-database.ts'
import type { ObjectFile } from '../objects/repository-files.ts'

// Bytes written between two checks of the signal.
const AT_ONCE = 8 * 2 ** 20
// Opening a file takes as long as writing this many bytes.
const FILE_COST = 32 * 2 ** 10
// Writing a whole chunk in one call took four times as long.
const SLICE = 64 * 2 ** 10
// Flushing while more is read leaves little to wait for at the end.
const FLUSHED = 32 * 2 ** 20

/** Writes the files of objects into `folder`. Throws `database-damaged` if a file is incomplete. */
export async function writeObjects(
  database: Database,
  files: Iterable<ObjectFile>,
  folder: string,
  { written, signal }: { written: (bytes: number) => void; signal?: AbortSignal | undefined },
): Promise<void> {
  let since = 0
  const wait = async (bytes: number) => {
    since += bytes
    if (since < AT_ONCE) return
    since = 0
    await nextTurn()
    throwIfInterrupted(signal)
  }
  for (const { id, entry, path, size } of files) {
    const target = join(folder, path)
    mkdirSync(dirname(target), { recursive: true })
    // Read-only, as in Git: an object never changes.
    const file = openSync(target, 'wx', 0o444)
    const flushing = createFlusher(file)
    try {
      for (const piece of readWholeFile(database, { id, path: entry, size })) {
        for (let at = 0; at < piece.length; ) {
          at += writeSync(file, piece, at, Math.min(SLICE, piece.length - at))
        }
        written(piece.length)
        flushing.wrote(piece.length)
        await wait(piece.length)
      }
      await flushing.end()
      if (path.startsWith('objects/pack/')) fsyncSync(file)
    } finally {
      await flushing.end().catch(() => {}) // the first error is the one thrown
      closeSync(file)
    }
    await wait(FILE_COST)
  }
}

const flush = promisify(fdatasync)

/** Flushes a file repeatedly, with at most one request at a time. */
function createFlusher(file: number) {
  let since = 0
  let running: Promise<void> | undefined
  let failed: unknown
  return {
    wrote(bytes: number): void {
      since += bytes
      if (since < FLUSHED || running) return
      since = 0
      running = flush(file)
        .catch((error: unknown) => {
          failed ??= error
        })
        .finally(() => {
          running = undefined
        })
    },
    /** Waits for the last request. Throws the first error. */
    async end(): Promise<void> {
      await running
      if (failed !== undefined) throw failed
    },
  }
}
