import { type FoundObject, findObject } from '../../../git/find-object.ts'
import type { Repository } from '../../../git/open-repository.ts'
import { parseCommit } from '../../../git/parse-commit.ts'
import { parseTree, typeOfEntry } from '../../../git/parse-tree.ts'
import type { QueryResult } from '../../../query/query-result.ts'
import { defineCommand } from '../../command.ts'
import { namesOf } from '../../commit-names.ts'
import { changesOf, describeObject } from '../../describe-object.ts'
import { FORMAT_OPTIONS, formatOf, writeRows } from '../../format-options.ts'
import { shownOnTerminal } from '../../output/shown-on-terminal.ts'
import { writeAll } from '../../output/write-all.ts'
import { REPOSITORY_OPTIONS, withRepository } from '../../repository-options.ts'
import { UsageError } from '../../usage-error.ts'

export const show = defineCommand({
  usage: '<archive> <repository> <object>',
  summary: 'Show a commit with its changed files, a tag, a folder or a file',
  options: {
    ...REPOSITORY_OPTIONS,
    object: {
      type: 'string',
      demandOption: true,
      describe: 'A revision, such as main~3 or v1.0, or revision:path',
    },
    'first-parent': {
      type: 'boolean',
      describe: 'Of a merge, everything that is not as in its first parent',
    },
    ...FORMAT_OPTIONS,
  },
  examples: [
    [
      'marc repo show samples/organization.tar.gz harbour-lights/tidewatch main --first-parent',
      'a merge and all the files it changed',
    ],
    [
      'marc repo show samples/organization.tar.gz harbour-lights/tidewatch main: --csv',
      'what is in its top folder',
    ],
  ],
  async run({ object: named, 'first-parent': firstParent, ...given }, io) {
    const format = formatOf(given)
    return withRepository(given, io, async (repository, database) => {
      const object = findObject(repository, named)
      if (format) {
        await writeRows(rowsOf(object, repository, firstParent), given, io)
        return
      }
      const pieces = describeObject(object, repository, namesOf(repository, database, io), {
        firstParent,
      })
      const isRaw = object.type === 'blob' && io.stdout.isTTY
      await writeAll(io.stdout, isRaw ? shownOnTerminal(pieces) : pieces)
    })
  },
})

/** The changed files of a commit, or what is in a folder. */
function rowsOf(
  object: FoundObject,
  repository: Repository,
  firstParent: boolean | undefined,
): QueryResult {
  if (object.type === 'tree') {
    const rows = parseTree(object).map((entry) => [
      ...[entry.mode, typeOfEntry(entry), entry.oid, entry.name],
    ])
    return { columns: ['mode', 'type', 'oid', 'name'], rows }
  }
  if (object.type === 'submodule' || object.type !== 'commit') {
    const hint = 'Leave the format away, or name a commit or a folder.'
    throw new UsageError(`a ${object.type} has no rows`, hint)
  }
  const rows = changesOf(parseCommit(object), repository, firstParent).map((change) => {
    const { status, path, after } = change
    const { before, similarity } = 'before' in change ? change : {}
    return [
      ...[status, path, before?.path ?? null, before?.mode ?? null, after?.mode ?? null],
      ...[before?.oid ?? null, after?.oid ?? null, similarity ?? null],
    ]
  })
  const columns = ['status', 'path', 'old_path', 'old_mode', 'mode', 'old_oid', 'oid', 'similarity']
  return { columns, rows }
}
