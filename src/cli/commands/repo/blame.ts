import type { Bringing } from '../../../git/blame/find-pull-requests.ts'
import type { LineThread } from '../../../git/blame/find-threads.ts'
import { createAbbreviator } from '../../../git/objects/abbreviate-id.ts'
import { subjectOf } from '../../../git/parse/parse-commit.ts'
import { timeOf } from '../../../git/parse/parse-person.ts'
import { type BlamedLine, blameLines } from '../../../reading/git/blame.ts'
import { defineCommand } from '../../command/command.ts'
import { FORMAT_OPTIONS, formatOf, writeRows } from '../../options/format-options.ts'
import { lineRangesOf } from '../../options/line-ranges.ts'
import { REPOSITORY_OPTIONS } from '../../options/repository-options.ts'
import { writeAll } from '../../output/write-all.ts'
import { describeBlame } from '../../reports/describe-blame.ts'
import { withRepository } from '../../sources/with-repository.ts'

export const blame = defineCommand({
  usage: '<source> [repository] <file>',
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
  async run({ file, lines: typed, rev = 'HEAD', threads: withThreads, ...given }, io) {
    const format = formatOf(given) // refuses two formats before anything is read
    return withRepository(given, io, async (repository, database) => {
      const rangesOf = (count: number) => lineRangesOf(typed, file, count)
      const lines = blameLines(repository, database, file, { rev, rangesOf, withThreads })
      if (format) await writeRows({ columns: COLUMNS, rows: rowsOf(lines) }, given, io)
      else {
        const abbreviate = createAbbreviator(repository.objects)
        await writeAll(io.stdout, describeBlame([...lines], file, abbreviate, io))
      }
    })
  },
})

const COLUMNS = [
  'line',
  'oid',
  'original_line',
  'path',
  'author_name',
  'author_email',
  'authored_at',
  'subject',
  'is_boundary',
  'pull_request',
  'pull_request_url',
  'pull_request_title',
  'found_by',
  'threads',
  'text',
]

function* rowsOf(lines: Iterable<BlamedLine>) {
  for (const { line, originalLine, path, commit, isBoundary, brought, threads, text } of lines) {
    const { oid, author } = commit
    yield [
      line,
      oid,
      originalLine,
      path,
      author.name,
      author.email,
      timeOf(author),
      subjectOf(commit),
      isBoundary ? 1 : 0,
      ...pullRequest(brought),
      JSON.stringify(threads.map(threadFields)),
      text,
    ]
  }
}

const pullRequest = (brought: Bringing | undefined) =>
  brought
    ? [brought.number, brought.url, brought.title, brought.found_by]
    : [null, null, null, null]

const threadFields = ({ url, number, user_login, body, comments, resolved_at }: LineThread) => ({
  url,
  number,
  user_login,
  body,
  comments,
  resolved_at,
})
