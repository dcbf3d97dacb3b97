import { getMigration } from '../../../client/list-migrations.ts'
import { defineCommand } from '../../command/command.ts'
import { CLIENT_OPTIONS, clientOf, ID_ARGUMENT, idOf } from '../../options/client-options.ts'
import { writeResult } from '../../output/write-all.ts'
import { describeMigration } from './describe-migration.ts'

export const status = defineCommand({
  usage: '<id>',
  options: {
    id: ID_ARGUMENT,
    ...CLIENT_OPTIONS,
    json: { type: 'boolean', describe: 'Print the migration, and errors, as JSON' },
  },
  exits: [1, 4],
  examples: [
    ['marc migration status 1', 'its state and repositories'],
    ['marc migration status 1 --json', 'with its options and dates'],
  ],
  async run({ id, json, ...typed }, io) {
    const found = await getMigration(idOf(id), clientOf(typed, io))
    await writeResult(json, found, describeMigration(found), io)
    return found.state === 'failed' ? 1 : 0
  },
})
