import type { Database } from '../database/open-database.ts'
import { readLines } from './parse/read-lines.ts'

export const ALTERNATES = 'objects/info/alternates'

/** The folders of objects that a repository took others from, as its own file names them. */
export const readAlternates = (database: Database, repository: string): string[] => {
  const found: string[] = []
  for (const line of readLines(database, repository, ALTERNATES)) {
    if (line !== '' && !line.startsWith('#')) found.push(line)
    if (found.length === MOST) break
  }
  return found
}

// Git follows five levels of them; real repositories have one or two.
const MOST = 100
