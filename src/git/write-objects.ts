import { closeSync, fsyncSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Database } from '../database/open-database.ts'
import { readFile } from '../database/read-file.ts'
import { ArchiveError } from '../errors.ts'
import type { ObjectFile } from './list-object-files.ts'

// Between two looks at what else there is to do, such as ending.
const AT_ONCE = 8 * 2 ** 20
// What opening a file costs, in bytes that could be written meanwhile.
const FILE_COST = 32 * 2 ** 10

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
    try {
      let length = 0
      for (const piece of readFile(database, id)) {
        for (let at = 0; at < piece.length; ) at += writeSync(file, piece, at)
        length += piece.length
        written(piece.length)
        await wait(piece.length)
      }
      if (length !== size) throw notWhole(entry, size, length)
      if (path.startsWith('objects/pack/')) fsyncSync(file)
    } finally {
      closeSync(file)
    }
    await wait(FILE_COST)
  }
}

const notWhole = (entry: string, size: number, found: number) =>
  new ArchiveError('database-damaged', `expected a file of ${size} bytes, found ${found}`, {
    entry,
  })
