import { watchMigration } from '../../../client/watch-migration.ts'
import { defineCommand } from '../../command/command.ts'
import {
  advising,
  CLIENT_OPTIONS,
  clientOf,
  ID_ARGUMENT,
  idOf,
} from '../../options/client-options.ts'
import { WAITING_OPTIONS, waitingOf } from '../../options/waiting-options.ts'
import { writeResult } from '../../output/write-all.ts'
import { describeMigration } from './describe-migration.ts'

export const watch = defineCommand({
  usage: '<id>',
  options: {
    id: ID_ARGUMENT,
    ...WAITING_OPTIONS,
    ...CLIENT_OPTIONS,
    json: { type: 'boolean', describe: 'Print the migration, and errors, as JSON' },
  },
  exits: [1, 4],
  examples: [
    ['marc migration watch 1', 'through faults of the network, up to a day'],
    ['marc migration watch 1 --timeout 10m', 'for ten minutes'],
  ],
  async run({ id, json, ...typed }, io) {
    const options = { ...clientOf(typed, io), ...waitingOf(typed, io) }
    const found = await advising(`watch ${id}`, typed, () => watchMigration(idOf(id), options))
    await writeResult(json, found, describeMigration(found), io)
    return 0
  },
})
