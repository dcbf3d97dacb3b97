import { COMMIT_COLUMN_NAMES } from '../../../database/schema/commits-table.ts'
import { commitRow } from '../../../git/history/index-commits.ts'
import { type LogOptions, walkCommits } from '../../../git/history/walk-commits.ts'
import type { Commit } from '../../../git/parse/parse-commit.ts'
import { defineCommand } from '../../command/command.ts'
import { UsageError } from '../../command/usage-error.ts'
import { FORMAT_OPTIONS, formatOf, isForPerson, writeRows } from '../../options/format-options.ts'
import { parseDate } from '../../options/parse-date.ts'
import { limitOf } from '../../options/reading-options.ts'
import { REPOSITORY_OPTIONS, withRepository } from '../../options/repository-options.ts'
import { type SafeText, safe } from '../../output/safe-text.ts'
import { writeAll } from '../../output/write-all.ts'
import {
  type CommitNames,
  describeCommit,
  namesOf,
  oneLine,
} from '../../reports/describe-commit.ts'

export const log = defineCommand({
  usage: '<source> <repository> [revision]',
  summary: 'Show commits, newest first',
  options: {
    ...REPOSITORY_OPTIONS,
    revision: { type: 'string', describe: 'A branch, tag or commit, such as main~3 [HEAD]' },
    oneline: { type: 'boolean', describe: 'One line per commit' },
    limit: {
      type: 'string',
      alias: 'n',
      value: '<number>',
      describe: 'Maximum number of commits [off]',
    },
    path: {
      type: 'string',
      array: true,
      nargs: 1,
      value: '<path>',
      describe: 'Only commits that changed this path; repeatable',
    },
    author: { type: 'string', describe: 'Only commits whose author name or address contains this' },
    since: { type: 'string', value: '<date>', describe: 'Committed on or after this date' },
    until: { type: 'string', value: '<date>', describe: 'Committed on or before this date' },
    ...FORMAT_OPTIONS,
  },
  exits: [1],
  examples: [
    [
      'marc repo log samples/organization.tar.gz harbour-lights/tidewatch --oneline -n 5',
      'the latest five',
    ],
    [
      'marc repo log samples/organization.tar.gz harbour-lights/tidewatch main --nl',
      'all columns, as NDJSON',
    ],
  ],
  async run({ revision = 'HEAD', oneline, limit, path, author, since, until, ...given }, io) {
    const isText = oneline || isForPerson(given, io)
    if (oneline && formatOf(given))
      throw new UsageError('--oneline cannot be combined with a format')
    const options: LogOptions = {
      ...{ paths: path, author, limit: limitOf('limit', limit) },
      since: since === undefined ? undefined : parseDate('since', since),
      until: until === undefined ? undefined : parseDate('until', until, { end: true }),
    }
    return withRepository(given, io, async (repository, database) => {
      const from = repository.resolve(revision, 'commit')
      const commits = walkCommits(repository.objects, [from], options)
      if (!isText) await writeRows(rowsOf(commits, formatOf(given)), given, io)
      else await writeAll(io.stdout, describe(commits, namesOf(repository, database, io), oneline))
    })
  },
})

function* describe(
  commits: Iterable<Commit>,
  names: CommitNames,
  oneline: boolean | undefined,
): Generator<SafeText> {
  let between = safe``
  for (const commit of commits) {
    if (oneline) {
      yield safe`${oneLine(commit, names)}\n`
      continue
    }
    yield safe`${between}${describeCommit(commit, names)}`
    between = safe`\n`
  }
}

// Columns that fit into a table.
const NARROW = ['oid', 'authored_at', 'author_name', 'subject'] as const

function rowsOf(commits: Iterable<Commit>, format: ReturnType<typeof formatOf>) {
  const columns = format === 'table' || format === 'markdown' ? NARROW : COMMIT_COLUMN_NAMES
  const rows = function* () {
    for (const commit of commits) yield commitRow(commit, columns)
  }
  return { columns, rows: rows() }
}
