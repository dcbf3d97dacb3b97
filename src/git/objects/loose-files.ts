import type { Database } from '../../database/open-database.ts'
import { gitPath } from './git-path.ts'
import type { FileRow } from './stored-file.ts'

/** The objects of a repository that are files of their own. */
export interface LooseFiles {
  find(oid: string): FileRow | undefined
  startingWith(digits: string, most: number): string[]
}

export function openLooseFiles(database: Database, repository: string): LooseFiles {
  const pathOf = (digits: string) =>
    gitPath(repository, `objects/${digits.slice(0, 2)}/${digits.slice(2)}`)
  const exact = database.prepare<[string], FileRow>(
    'SELECT id, path, size, stored FROM files WHERE path = ? ORDER BY id DESC LIMIT 1',
  )
  const between = database
    .prepare<[string, string, number], string>(
      'SELECT path FROM files WHERE path >= ? AND path < ? LIMIT +?',
    )
    .pluck()
  const folder = gitPath(repository, 'objects/')
  // Most archives have packs alone, and nothing to look for beside them.
  if (between.get(`${folder}0`, `${folder}g`, 1) === undefined) {
    return { find: () => undefined, startingWith: () => [] }
  }
  return {
    find: (oid) => exact.get(pathOf(oid)),
    startingWith: (digits, most) =>
      between
        .all(pathOf(digits), `${pathOf(digits)}g`, most)
        .map((path) => path.slice(folder.length).replace('/', '')),
  }
}
