import { closeSync, fdatasync, fsyncSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { promisify } from 'node:util'
import { readWholeFile } from '../../database/contents/read-file.ts'
import type { Database } from '../../database/open-database.ts'
import type { ObjectFile } from '../objects/repository-files.ts'

// Between two looks at what else there is to do, such as ending.
const AT_ONCE = 8 * 2 ** 20
// What opening a file costs, in bytes that could be written meanwhile.
const FILE_COST = 32 * 2 ** 10
// A whole piece in one call took the system four times as long: it looks for large stretches of memory.
const SLICE = 64 * 2 ** 10
// The disk takes what is written while more is read, so that the end has little to wait for.
const FLUSHED = 32 * 2 ** 20

/**
 * Writes files of objects below `folder`, one piece at a time. Tells `written` how many bytes those were.
 * Throws `database-damaged` if a file is not whole.
 */
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
    signal?.throwIfAborted()
  }
  for (const { id, entry, path, size } of files) {
    const target = join(folder, path)
    mkdirSync(dirname(target), { recursive: true })
    // Read-only, as Git has them: nothing ever changes an object.
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
      await flushing.end().catch(() => {}) // what failed first is what is told
      closeSync(file)
    }
    await wait(FILE_COST)
  }
}

const flush = promisify(fdatasync)

/** Has the disk take what a file was given so far, again and again, and one request at a time. */
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
    /** Waits for the last request. Throws what any of them failed with. */
    async end(): Promise<void> {
      await running
      if (failed !== undefined) throw failed
    },
  }
}
