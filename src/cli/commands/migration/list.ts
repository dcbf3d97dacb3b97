import { listMigrations } from '../../../client/list-migrations.ts'
import { MIGRATION_STATES, type Migration } from '../../../client/migration.ts'
import { defineCommand } from '../../command/command.ts'
import { UsageError } from '../../command/usage-error.ts'
import { CLIENT_OPTIONS, clientOf } from '../../options/client-options.ts'
import { FORMAT_OPTIONS, writeRows } from '../../options/format-options.ts'
import { archiveUntil } from './describe-migration.ts'

const COLUMNS = ['state', 'id', 'created_at', 'repositories', 'archive_until']

export const list = defineCommand({
  usage: '',
  options: {
    state: { choices: MIGRATION_STATES, describe: 'Only those in a state' },
    limit: { alias: 'n', value: '<number>', describe: 'Maximum number of migrations [all]' },
    ...CLIENT_OPTIONS,
    ...FORMAT_OPTIONS,
  },
  exits: [4],
  examples: [
    ['marc migration list', 'of the server in MARC_SERVER'],
    ['marc migration list --state exported --limit 5', 'the five newest that are exported'],
  ],
  async run({ state, limit, ...typed }, io) {
    const most = countOf(limit)
    const found: Migration[] = []
    for await (const migration of listMigrations(clientOf(typed, io))) {
      if (found.length >= most) break
      if (state === undefined || migration.state === state) found.push(migration)
    }
    const rows = found.map((one) => [
      one.state,
      one.id,
      one.created_at,
      one.repositories.join(', '),
      archiveUntil(one),
    ])
    await writeRows({ columns: COLUMNS, rows: rows.values() }, typed, io)
    return 0
  },
})

function countOf(text: string | undefined): number {
  if (text === undefined) return Number.POSITIVE_INFINITY
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new UsageError(`--limit takes a number, not ${JSON.stringify(text)}`)
}
