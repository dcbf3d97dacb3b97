import { type Ref, readRefs } from '../../../git/refs/read-refs.ts'
import { defineCommand } from '../../command/command.ts'
import { FORMAT_OPTIONS, isForPerson, writeRows } from '../../options/format-options.ts'
import { REPOSITORY_OPTION, SOURCE_OPTION } from '../../options/shared-options.ts'
import { openReadable } from '../../sources/open-readable.ts'
import { nameRepository } from '../../sources/with-repository.ts'

const COLUMNS = ['oid', 'name', 'target', 'peeled'] as const satisfies (keyof Ref)[]

export const refs = defineCommand({
  usage: '<source> [repository]',
  options: {
    source: SOURCE_OPTION,
    repository: REPOSITORY_OPTION,
    under: {
      type: 'string',
      value: '<prefix>',
      describe: 'Only refs with this prefix, such as refs/heads/',
    },
    ...FORMAT_OPTIONS,
  },
  exits: [1],
  examples: [
    ['marc repo refs samples/organization.tar.gz harbour-lights/tidewatch', 'every ref'],
    [
      'marc repo refs samples/organization.tar.gz harbour-lights/tidewatch --under refs/tags/ --nl',
      'tags, as NDJSON',
    ],
  ],
  async run({ source: named, repository, under = '', ...format }, io) {
    isForPerson(format, io) // refuses two formats before anything is read
    const database = await openReadable(named, io)
    try {
      const refs = readRefs(database, (await nameRepository(database, repository)).name, under)
      await writeRows({ columns: COLUMNS, rows: rowsOf(refs) }, format, io)
      return 0
    } finally {
      database.close()
    }
  },
})

function* rowsOf(refs: Iterable<Ref>) {
  for (const ref of refs) yield COLUMNS.map((column) => ref[column])
}
