import { listMigrationRepositories } from '../../../client/list-migrations.ts'
import { defineCommand } from '../../command/command.ts'
import { CLIENT_OPTIONS, clientOf, ID_ARGUMENT, idOf } from '../../options/client-options.ts'
import { FORMAT_OPTIONS, writeRows } from '../../options/format-options.ts'

export const repos = defineCommand({
  usage: '<id>',
  options: {
    id: ID_ARGUMENT,
    ...CLIENT_OPTIONS,
    ...FORMAT_OPTIONS,
  },
  exits: [1, 4],
  examples: [
    ['marc migration repos 1', 'as owner and name'],
    ['marc migration repos 1 --csv', 'the same as CSV'],
  ],
  async run({ id, ...typed }, io) {
    const names = await listMigrationRepositories(idOf(id), clientOf(typed, io))
    const rows = names.map((name) => name.split('/'))
    await writeRows({ columns: ['owner', 'name'], rows: rows.values() }, typed, io)
    return 0
  },
})
