import type { Bytes } from '../../base/streams.ts'
import type { Database } from '../open-database.ts'
import { createChunkStore } from './store-chunks.ts'

/** The files of a loaded archive whose contents were not stored. */
export interface MissingContents {
  /** The number of those with a wanted path. */
  count(isWanted: (path: string) => boolean): number
  has(path: string): boolean
  /** Stores the content of a file and returns its size; undefined if the content is not the one it had. */
  add(path: string, content: Bytes): Promise<number | undefined>
}

export function createMissingContents(database: Database, sha256: string): MissingContents {
  const missing =
    'FROM files WHERE archive = (SELECT id FROM archives WHERE sha256 = ?) AND NOT stored'
  const paths = database.prepare<[string], string>(`SELECT path ${missing}`).pluck()
  const find = database.prepare(`SELECT 1 ${missing} AND path = ?`)
  const filesOf = database
    .prepare<string[], number>(`SELECT id ${missing} AND path = ? AND sha256 = ?`)
    .pluck()
  const setStored = database.prepare('UPDATE files SET stored = 1 WHERE id = ?')
  const removeOrphan = database.prepare(
    'DELETE FROM chunks WHERE id = ? AND id NOT IN (SELECT chunk FROM file_chunks)',
  )
  const store = createChunkStore(database)
  return {
    count(isWanted) {
      let count = 0
      for (const path of paths.iterate(sha256)) if (isWanted(path)) count++
      return count
    },
    has: (path) => find.get(sha256, path) !== undefined,
    async add(path, content) {
      const { size, sha256: found, chunks } = await store.store(content, true)
      const files = filesOf.all(sha256, path, found)
      for (const file of files) {
        store.link(file, chunks)
        setStored.run(file)
      }
      if (files.length > 0) return size
      for (const chunk of chunks) removeOrphan.run(chunk)
      return undefined
    },
  }
}
