import { COMMIT_COLUMN_NAMES } from '../../../database/schema/commits-table.ts'
import { commitRow } from '../../../git/history/commit-row.ts'
import { followFile } from '../../../git/history/follow-file.ts'
import { createPathIndex } from '../../../git/history/path-index.ts'
import { type LogOptions, readCommit, walkCommits } from '../../../git/history/walk-commits.ts'
import type { ObjectStore } from '../../../git/objects/object-store.ts'
import type { Commit } from '../../../git/parse/parse-commit.ts'
import { readRefs } from '../../../git/refs/read-refs.ts'
import { resolveLogRange } from '../../../git/revisions/resolve-range.ts'
import { commitsOfRefs } from '../../../git/revisions/resolve-revision.ts'
import { defineCommand } from '../../command/command.ts'
import { type SafeText, safe } from '../../command/safe-text.ts'
import { UsageError } from '../../command/usage-error.ts'
import { FORMAT_OPTIONS, formatOf, isForPerson, writeRows } from '../../options/format-options.ts'
import { parsePeriod } from '../../options/parse-date.ts'
import { limitOf } from '../../options/reading-options.ts'
import { REPOSITORY_OPTIONS } from '../../options/repository-options.ts'
import { writeAll } from '../../output/write-all.ts'
import {
  type CommitNames,
  describeCommit,
  namesOf,
  oneLine,
} from '../../reports/describe-commit.ts'
import { withRepository } from '../../sources/with-repository.ts'

export const log = defineCommand({
  usage: '<source> [repository] [revision]',
  options: {
    ...REPOSITORY_OPTIONS,
    revision: {
      type: 'string',
      describe:
        'A branch, tag or commit, such as main~3; or A..B for what B has and A has not [HEAD]',
    },
    all: { type: 'boolean', describe: 'The history of all refs' },
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
    follow: { type: 'boolean', describe: 'Follow the file that --path names across renames' },
    grep: { value: '<text>', describe: 'Only commits whose message contains this' },
    merges: { type: 'boolean', default: true, describe: 'Leave merges out' },
    reverse: { type: 'boolean', describe: 'Oldest first' },
    author: {
      value: '<text>',
      describe: 'Only commits whose author name or address contains this',
    },
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
      'marc repo log samples/organization.tar.gz harbour-lights/tidewatch v1.0.0..main --oneline',
      'what came after a release',
    ],
    [
      'marc repo log samples/organization.tar.gz harbour-lights/tidewatch main --nl',
      'all columns, as NDJSON',
    ],
  ],
  notes: '--author and --grep search for text, not for a pattern, and ignore case.',
  async run({ revision, oneline, all, follow, reverse, ...given }, io) {
    const isText = oneline || isForPerson(given, io)
    if (oneline && formatOf(given))
      throw new UsageError('--oneline cannot be combined with a format')
    if (all && revision !== undefined)
      throw new UsageError('expected --all or a revision, found both')
    if (follow && given.path?.length !== 1) throw new UsageError('--follow takes one --path')
    const { path, author, grep } = given
    const limit = limitOf('limit', given.limit) ?? Number.POSITIVE_INFINITY
    const options: Omit<LogOptions, 'paths'> = {
      author,
      grep,
      noMerges: !given.merges,
      ...parsePeriod(given),
    }
    const words = [revision]
    return withRepository({ ...given, words }, io, async (repository, database, [first]) => {
      const { objects } = repository
      const { from, within } = all
        ? { from: commitsOfRefs(objects, readRefs(database, repository.name)), within: undefined }
        : resolveLogRange(repository, first ?? 'HEAD')
      const indexOf = (...paths: string[]) =>
        createPathIndex(database, repository.name, objects, paths)
      const walked = follow
        ? followed(objects, from, path?.[0] ?? '', { ...options, within, indexOf })
        : walkCommits(objects, from, {
            ...options,
            paths: path,
            within,
            limit,
            pathIndex: path && indexOf(...path),
          })
      const commits = reverse ? reversed(objects, take(walked, limit)) : take(walked, limit)
      if (!isText) await writeRows(rowsOf(commits, formatOf(given)), given, io)
      else await writeAll(io.stdout, describe(commits, namesOf(repository, database, io), oneline))
    })
  },
})

function* followed(...given: Parameters<typeof followFile>): Generator<Commit> {
  for (const { commit } of followFile(...given)) yield commit
}

function* take(commits: Iterable<Commit>, limit: number): Generator<Commit> {
  let count = 0
  if (limit === 0) return
  for (const commit of commits) {
    yield commit
    if (++count >= limit) return
  }
}

/** Commits in the opposite order. Only their ids are kept. */
function* reversed(objects: ObjectStore, commits: Iterable<Commit>): Generator<Commit> {
  const oids = Array.from(commits, ({ oid }) => oid)
  for (const oid of oids.reverse()) yield readCommit(objects, oid)
}

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
