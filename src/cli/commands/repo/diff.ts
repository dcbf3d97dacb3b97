import { createLineDiffer } from '../../../git/diff/diff-lines.ts'
import { diffTreesWith, type FilePatch } from '../../../git/diff/diff-trees.ts'
import { statsOf } from '../../../git/diff/format-stat.ts'
import { resolveRange } from '../../../git/revisions/resolve-range.ts'
import { defineCommand } from '../../command/command.ts'
import { UsageError } from '../../command/usage-error.ts'
import { FORMAT_OPTIONS, formatOf, writeRows } from '../../options/format-options.ts'
import { contextOf, PATCH_OPTIONS } from '../../options/patch-options.ts'
import { REPOSITORY_OPTIONS } from '../../options/repository-options.ts'
import { writeAll } from '../../output/write-all.ts'
import { CHANGE_COLUMNS, changeRow } from '../../reports/change-row.ts'
import { describePatches } from '../../reports/describe-patch.ts'
import { withRepository } from '../../sources/with-repository.ts'

export const diff = defineCommand({
  usage: '<source> [repository] <revision> [other]',
  options: {
    ...REPOSITORY_OPTIONS,
    revision: {
      type: 'string',
      demandOption: true,
      describe: 'The older revision; or A..B, or A...B for what B changed since they parted',
    },
    other: { type: 'string', describe: 'The newer revision' },
    ...PATCH_OPTIONS,
    ...FORMAT_OPTIONS,
  },
  exits: [1],
  examples: [
    [
      'marc repo diff samples/organization.tar.gz harbour-lights/tidewatch v1.0.0 main --stat',
      'what changed since a release',
    ],
    [
      'marc repo diff samples/organization.tar.gz harbour-lights/tidewatch v1.0.0...refs/pull/12/head',
      'what a pull request changes, as a patch for git apply',
    ],
  ],
  notes: `Renames are detected as Git does. A file of more than 32 MiB counts as binary.
The attributes in .gitattributes are not applied.`,
  async run({ revision, other, stat, binary, unified, ...given }, io) {
    const format = formatOf(given)
    if (format && stat) throw new UsageError('--stat cannot be combined with a format')
    const context = contextOf(unified)
    const words = [revision, other]
    return withRepository({ ...given, words }, io, async (repository, _, [left, right]) => {
      const { objects } = repository
      const { from, to } = resolveRange(repository, rangeOf(left, right))
      const files = diffTreesWith(createLineDiffer(), objects, from, to, { context })
      if (format) await writeRows({ columns: COLUMNS, rows: rowsOf(files) }, given, io)
      else await writeAll(io.stdout, describePatches(files, objects, { stat, binary }, io))
    })
  },
})

function rangeOf(left = '', right?: string): string {
  const isRange = left.includes('..')
  if (isRange === (right !== undefined)) {
    throw new UsageError('expected two revisions, A..B or A...B')
  }
  return isRange ? left : `${left}..${right}`
}

const COLUMNS = [...CHANGE_COLUMNS, 'inserted', 'deleted']

function* rowsOf(files: Iterable<FilePatch>) {
  for (const { change, isText, inserted, deleted } of statsOf(files)) {
    yield [...changeRow(change), ...(isText ? [inserted, deleted] : [null, null])]
  }
}
