import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSavedQuery, type SavedQuery } from './parse-saved-query.ts'

/** A saved query with its name. */
export interface NamedQuery extends SavedQuery {
  readonly name: string
  /** The file it is in. */
  readonly path: string
}

/** The folder of the queries that are part of this program. */
export const SHIPPED_QUERIES = join(import.meta.dirname, '../../samples/queries')

/** The queries in a folder, by name. Throws the error of the file system. */
export const readQueries = (folder: string): NamedQuery[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.sql') && !name.startsWith('.'))
    .sort()
    .map((file) => {
      const path = join(folder, file)
      const sql = readFileSync(path, 'utf8')
      return { name: file.slice(0, -'.sql'.length), path, ...parseSavedQuery(sql) }
    })
