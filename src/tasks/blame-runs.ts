import type { Database } from '../database/database.ts'
import type { Bringing } from '../git/blame/find-pull-requests.ts'
import { openRepository } from '../git/open-repository.ts'
import { subjectOf } from '../git/parse/parse-commit.ts'
import { type Person, timeOf } from '../git/parse/parse-person.ts'
import { blameLines } from '../reading/git/blame.ts'

/** A file at a commit. */
export interface BlameQuestion {
  /** The name of the repository, as the database has it. */
  readonly repository: string
  readonly rev: string
  readonly file: string
  /** The last line that is asked for. */
  readonly lines: number
}

/** Lines in a row that come from one commit. */
export interface BlameRun {
  /** From 1. */
  readonly line: number
  readonly count: number
  readonly oid: string
  /** The path that the file had in that commit. */
  readonly path: string
  readonly subject: string
  readonly author: Person
  /** When it was written; null if that cannot be read. */
  readonly time: string | null
  /** Whether history begins there. */
  readonly isBoundary: boolean
  readonly brought: Bringing | undefined
}

/** Tells where the lines of a file come from. Throws as `blameLines`. */
export function blameRuns(
  database: Database,
  { repository, rev, file, lines }: BlameQuestion,
): BlameRun[] {
  const runs: BlameRun[] = []
  const git = openRepository(database, repository)
  const rangesOf = (count: number) => [{ first: 1, last: Math.min(lines, count) }]
  for (const blamed of blameLines(git, database, file, { rev, rangesOf, withThreads: false })) {
    const { line, path, commit, isBoundary, brought } = blamed
    const last = runs.at(-1)
    if (last?.oid === commit.oid && last.path === path) {
      runs[runs.length - 1] = { ...last, count: last.count + 1 }
      continue
    }
    const { oid, author } = commit
    const time = timeOf(author)
    runs.push({
      line,
      count: 1,
      oid,
      path,
      subject: subjectOf(commit),
      author,
      time,
      isBoundary,
      brought,
    })
  }
  return runs
}
