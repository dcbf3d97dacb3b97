import { isUtf8 } from 'node:buffer'
import type { Database } from '../../../database/open-database.ts'
import { blameFile } from '../../../git/blame/blame-file.ts'
import { type Bringing, findPullRequests } from '../../../git/blame/find-pull-requests.ts'
import { findThreads, type LineThread } from '../../../git/blame/find-threads.ts'
import { bytesOfLine, splitLines } from '../../../git/diff/text-lines.ts'
import { readCommit } from '../../../git/history/walk-commits.ts'
import { findFile } from '../../../git/history/walk-tree.ts'
import type { Repository } from '../../../git/open-repository.ts'
import { type Commit, subjectOf } from '../../../git/parse/parse-commit.ts'
import { timeOf } from '../../../git/parse/parse-person.ts'
import { createAbbreviator } from '../../../git/refs/resolve-revision.ts'
import { defineCommand } from '../../command/command.ts'
import { FORMAT_OPTIONS, formatOf, writeRows } from '../../options/format-options.ts'
import { lineRangesOf } from '../../options/line-ranges.ts'
import { REPOSITORY_OPTIONS, withRepository } from '../../options/repository-options.ts'
import { writeAll } from '../../output/write-all.ts'
import { type BlamedLine, describeBlame } from '../../reports/describe-blame.ts'

export const blame = defineCommand({
  usage: '<source> <repository> <file>',
  summary: 'Show where each line of a file comes from: commit, pull request, review',
  options: {
    ...REPOSITORY_OPTIONS,
    file: { type: 'string', demandOption: true, describe: 'The path of a file' },
    lines: {
      type: 'string',
      alias: 'L',
      array: true,
      nargs: 1,
      value: '<a,b>',
      describe: 'Only these lines: 10,20 or 10,+5 or 10, to the end; repeatable',
    },
    rev: { type: 'string', value: '<revision>', describe: 'A branch, tag or commit [HEAD]' },
    threads: { type: 'boolean', default: true, describe: 'Leave review threads out' },
    json: { type: 'boolean', describe: 'Short for --format json' },
    ...FORMAT_OPTIONS,
  },
  exits: [1],
  examples: [
    [
      'marc repo blame samples/organization.tar.gz harbour-lights/tidewatch README.md',
      'every line of a file',
    ],
    [
      'marc repo blame samples/organization.tar.gz harbour-lights/tidewatch tidewatch/cli.py -L 5,+3 --rev v1.0.0 --nl',
      'three lines at a release, as NDJSON',
    ],
  ],
  notes: `The lines are those of git blame: renames of the file are followed, lines that
moved within it or from another file are not. ^ marks a commit where history
begins. A pull request that only the title of a commit names has a question
mark. A review thread is shown below its line, unless the line changed since.`,
  async run({ file, lines: typed, rev = 'HEAD', threads: withThreads, json, ...given }, io) {
    const chosen = json ? { ...given, format: given.format ?? ('json' as const) } : given
    const format = formatOf(chosen) // refuses two formats before anything is read
    return withRepository(given, io, async (repository, database) => {
      const lines = blameLines(repository, database, { file, typed, rev, withThreads })
      if (format) await writeRows({ columns: COLUMNS, rows: rowsOf(lines) }, chosen, io)
      else {
        const abbreviate = createAbbreviator(repository.objects)
        await writeAll(io.stdout, describeBlame([...lines], file, abbreviate, io))
      }
    })
  },
})

interface Wanted {
  file: string
  typed: readonly string[] | undefined
  rev: string
  withThreads: boolean
}

function* blameLines(
  { objects, name, resolve }: Repository,
  database: Database,
  { file, typed, rev, withThreads }: Wanted,
): Generator<BlamedLine> {
  const tip = resolve(rev, 'commit')
  const { oid: blob } = findFile(objects, resolve(rev, 'tree'), file)
  const ranges = lineRangesOf(typed, file, splitLines(objects.read(blob).content).count)
  const blamed = blameFile(objects, tip, file, ranges)
  const oids = new Set(blamed.map(({ oid }) => oid))
  const brought = findPullRequests(database, name, objects, tip, oids)
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
        ...{ line: line + i, originalLine: originalLine + i, path, isBoundary },
        commit: commitOf(oid),
        brought: brought.get(oid),
        threads: threads?.get(line + i) ?? [],
        text: text.replace(/\r?\n$/, ''),
      }
    }
  }
}

const LONGEST_SUBJECT = 1_000

const COLUMNS = [
  ...['line', 'oid', 'original_line', 'path', 'author_name', 'author_email', 'authored_at'],
  ...['subject', 'is_boundary', 'pull_request', 'pull_request_url', 'pull_request_title'],
  ...['found_by', 'threads', 'text'],
]

function* rowsOf(lines: Iterable<BlamedLine>) {
  for (const { line, originalLine, path, commit, isBoundary, brought, threads, text } of lines) {
    const { oid, author } = commit
    yield [
      ...[line, oid, originalLine, path, author.name, author.email, timeOf(author)],
      ...[subjectOf(commit), isBoundary ? 1 : 0, ...pullRequest(brought)],
      ...[JSON.stringify(threads.map(threadFields)), text],
    ]
  }
}

const pullRequest = (brought: Bringing | undefined) =>
  brought
    ? [brought.number, brought.url, brought.title, brought.found_by]
    : [null, null, null, null]

const threadFields = ({ url, number, user_login, body, comments, resolved_at }: LineThread) => ({
  ...{ url, number, user_login, body, comments, resolved_at },
})
