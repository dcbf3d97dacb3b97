import { isUtf8 } from 'node:buffer'
import type { Database } from '../../database/open-database.ts'
import { blameFile, type LineRange } from '../../git/blame/blame-file.ts'
import { type Bringing, findPullRequests } from '../../git/blame/find-pull-requests.ts'
import { findThreads, type LineThread } from '../../git/blame/find-threads.ts'
import { bytesOfLine, splitLines } from '../../git/diff/text-lines.ts'
import { createPathIndex } from '../../git/history/path-index.ts'
import { createCommitReader, keepLinks, readCommit } from '../../git/history/walk-commits.ts'
import { findFile } from '../../git/objects/walk-tree.ts'
import type { Repository } from '../../git/open-repository.ts'
import { type Commit, subjectOf } from '../../git/parse/parse-commit.ts'

/** A line of a file and where it comes from. */
export interface BlamedLine {
  /** From 1, in the file and in the commit that brought it. */
  readonly line: number
  readonly originalLine: number
  /** The path that the file had in that commit. */
  readonly path: string
  readonly commit: Commit
  readonly isBoundary: boolean
  readonly brought: Bringing | undefined
  readonly threads: readonly LineThread[]
  readonly text: string
}

export interface BlameOptions {
  readonly rev: string
  readonly rangesOf: (lines: number) => LineRange[] | undefined
  readonly withThreads: boolean
}

/**
 * Tells where each line of a file comes from. Throws as `resolve` of the repository, `findFile` and `blameFile` do.
 *
 * @param options.rev a branch, tag or commit
 * @param options.rangesOf which lines are asked for, by the number of all; undefined for all
 * @param options.withThreads whether review threads are looked for
 */
export function* blameLines(
  { objects, name, resolve }: Repository,
  database: Database,
  file: string,
  { rev, rangesOf, withThreads }: BlameOptions,
): Generator<BlamedLine> {
  const tip = resolve(rev, 'commit')
  const { oid: blob } = findFile(objects, resolve(rev, 'tree'), file)
  const ranges = rangesOf(splitLines(objects.read(blob).content).count)
  const pathIndex = createPathIndex(database, name, objects, [file])
  const reader = keepLinks(createCommitReader(objects, pathIndex))
  const blamed = blameFile(objects, tip, file, { ranges, pathIndex, reader })
  const oids = new Set(blamed.map(({ oid }) => oid))
  const brought = findPullRequests(database, name, objects, tip, oids, reader)
  const paths = new Set([file, ...blamed.map(({ path }) => path)])
  const threads = withThreads ? findThreads(database, name, objects, paths, blob) : undefined
  const lines = splitLines(objects.read(blob).content)
  const decoding = isUtf8(lines.content) ? 'utf8' : 'latin1'
  const commits = new Map<string, Commit>()
  const commitOf = (oid: string): Commit => {
    const known = commits.get(oid)
    if (known) return known
    const commit = readCommit(objects, oid)
    // A message may be large.
    const short = { ...commit, message: subjectOf(commit).slice(0, LONGEST_SUBJECT) }
    commits.set(oid, short)
    return short
  }
  for (const { oid, path, line, originalLine, count, isBoundary } of blamed) {
    for (let i = 0; i < count; i++) {
      const text = bytesOfLine(lines, line + i - 1).toString(decoding)
      yield {
        line: line + i,
        originalLine: originalLine + i,
        path,
        isBoundary,
        commit: commitOf(oid),
        brought: brought.get(oid),
        threads: threads?.get(line + i) ?? [],
        text: text.replace(/\r?\n$/, ''),
      }
    }
  }
}

const LONGEST_SUBJECT = 1_000
