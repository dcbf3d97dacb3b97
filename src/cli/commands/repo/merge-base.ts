import { findMergeBases } from '../../../git/history/find-merge-bases.ts'
import { defineCommand } from '../../command/command.ts'
import { writeRows } from '../../options/format-options.ts'
import { REPOSITORY_OPTIONS } from '../../options/repository-options.ts'
import { withRepository } from '../../sources/with-repository.ts'

export const mergeBase = defineCommand({
  usage: '<source> [repository] <revision> <more..>',
  options: {
    ...REPOSITORY_OPTIONS,
    revision: { type: 'string', demandOption: true, describe: 'A branch, tag or commit' },
    more: { type: 'string', array: true, demandOption: true, describe: 'One or more others' },
    json: { type: 'boolean', describe: 'Print rows and errors as JSON' },
  },
  exits: [1],
  examples: [
    [
      'marc repo merge-base samples/organization.tar.gz harbour-lights/tidewatch main refs/pull/12/head',
      'where a pull request began',
    ],
    [
      'marc repo merge-base samples/organization.tar.gz harbour-lights/tidewatch main v1.0.0',
      'the older one, if it is an ancestor of the other',
    ],
  ],
  notes: `Given more than two, prints those of the first and a merge of the others, as git
merge-base does. Exits with 1 if there are none.`,
  async run({ revision, more, json, ...given }, io) {
    let found: string[] = []
    await withRepository(given, io, async (repository) => {
      found = findMergeBases(repository, [revision, ...more])
      const rows = found.map((oid) => [oid])
      await writeRows({ columns: ['oid'], rows }, { json, raw: !json }, io)
    })
    return found.length > 0 ? 0 : 1
  },
})
