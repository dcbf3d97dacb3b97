import { readFile } from '../../database/contents/read-file.ts'
import type { Database } from '../../database/open-database.ts'
import { gitPath } from '../objects/git-path.ts'
import { openLineSplitter } from './line-splitter.ts'

const LONGEST_LINE = 4096

/** The lines of a text file of a repository, of long ones the beginning; none if it is not there, or not stored. */
export function* readLines(
  database: Database,
  repository: string,
  path: string,
): Generator<string> {
  const file = database
    .prepare<[string], number>('SELECT id FROM files WHERE path = ? ORDER BY id DESC LIMIT 1')
    .pluck()
    .get(gitPath(repository, path))
  if (file === undefined) return
  let lines: string[] = []
  const splitter = openLineSplitter(LONGEST_LINE, (line) => lines.push(line.toString().trimEnd()))
  for (const piece of readFile(database, file)) {
    splitter.see(piece)
    yield* lines
    lines = []
  }
  splitter.end()
  yield* lines
}
