import { createLineDiffer, type LineDiffer } from '../../../git/diff/diff-lines.ts'
import { type DiffOptions, diffTreesWith } from '../../../git/diff/diff-trees.ts'
import { readCommit } from '../../../git/history/walk-commits.ts'
import { findObject, type Repository } from '../../../git/open-repository.ts'
import type { GitObject } from '../../../git/parse/git-object.ts'
import { type Commit, parseCommit } from '../../../git/parse/parse-commit.ts'
import { parseTree, typeOfEntry } from '../../../git/parse/parse-tree.ts'
import type { QueryResult } from '../../../query/run-query.ts'
import { defineCommand } from '../../command/command.ts'
import type { Io } from '../../command/io.ts'
import { UsageError } from '../../command/usage-error.ts'
import { FORMAT_OPTIONS, formatOf, writeRows } from '../../options/format-options.ts'
import { contextOf, PATCH_OPTIONS } from '../../options/patch-options.ts'
import { REPOSITORY_OPTIONS } from '../../options/repository-options.ts'
import { CHANGE_COLUMNS, changeRow } from '../../reports/change-row.ts'
import { namesOf } from '../../reports/describe-commit.ts'
import { describePatches, type PatchForm } from '../../reports/describe-patch.ts'
import { changesOf, showObject } from '../../reports/show-object.ts'
import { withRepository } from '../../sources/with-repository.ts'

export const show = defineCommand({
  usage: '<source> [repository] <object>',
  options: {
    ...REPOSITORY_OPTIONS,
    object: {
      type: 'string',
      demandOption: true,
      describe: 'A revision, such as main~3 or v1.0, or revision:path',
    },
    'first-parent': { type: 'boolean', describe: 'Compare a merge with its first parent only' },
    patch: { type: 'boolean', alias: 'p', describe: 'Print the changes as a patch' },
    ...PATCH_OPTIONS,
    ...FORMAT_OPTIONS,
  },
  exits: [1],
  examples: [
    [
      'marc repo show samples/organization.tar.gz harbour-lights/tidewatch main --first-parent',
      'a merge and all the files it changed',
    ],
    [
      'marc repo show samples/organization.tar.gz harbour-lights/tidewatch refs/pull/12/head -p',
      'a commit with its patch, as git show prints it',
    ],
    [
      'marc repo show samples/organization.tar.gz harbour-lights/tidewatch main: --csv',
      'the top folder, as CSV',
    ],
  ],
  notes: 'A patch of a merge compares it with its first parent.',
  async run({ object: named, 'first-parent': firstParent, ...options }, io) {
    const { patch, stat, binary, unified, ...given } = options
    const format = formatOf(given)
    const context = contextOf(unified)
    const isPatch = patch || stat || binary || unified !== undefined
    if (format && isPatch) throw new UsageError('a patch cannot be combined with a format')
    return withRepository(given, io, async (repository, database) => {
      const found = findObject(repository, named)
      if (!format) {
        const names = () => namesOf(repository, database, io)
        const differ = isPatch ? createLineDiffer() : undefined
        const patchOf = differ && createPatchOf(repository, differ, { stat, binary, context }, io)
        await showObject(found, repository, names, { firstParent, stdout: io.stdout, patchOf })
        return
      }
      if (found.type !== 'commit' && found.type !== 'tree') throw noRows(found.type)
      const object = repository.objects.read(found.oid)
      await writeRows(rowsOf(object, repository, firstParent), given, io)
    })
  },
})

/** Compares a commit with its first parent. */
const createPatchOf =
  (
    { objects }: Repository,
    differ: LineDiffer,
    { context, ...form }: PatchForm & DiffOptions,
    io: Io,
  ) =>
  ({ tree, parents: [parent] }: Commit) => {
    const before = parent === undefined ? undefined : readCommit(objects, parent).tree
    const files = diffTreesWith(differ, objects, before, tree, { context })
    return describePatches(files, objects, form, io)
  }

const noRows = (type: string) =>
  new UsageError(`a ${type} has no rows`, 'Omit the format, or name a commit or a folder.')

/** The changed files of a commit, or the entries of a folder. */
function rowsOf(
  object: GitObject,
  repository: Repository,
  firstParent: boolean | undefined,
): QueryResult {
  if (object.type === 'tree') {
    const rows = parseTree(object).map((entry) => [
      entry.mode,
      typeOfEntry(entry),
      entry.oid,
      entry.name,
    ])
    return { columns: ['mode', 'type', 'oid', 'name'], rows }
  }
  const changes = changesOf(parseCommit(object, repository.objects), repository, firstParent)
  return { columns: CHANGE_COLUMNS, rows: changes.map(changeRow) }
}
