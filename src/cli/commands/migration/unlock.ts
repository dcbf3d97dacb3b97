import { type Unlocked, unlockRepositories } from '../../../client/unlock-repositories.ts'
import { defineCommand } from '../../command/command.ts'
import { type SafeText, safe } from '../../command/safe-text.ts'
import { UsageError } from '../../command/usage-error.ts'
import { CLIENT_OPTIONS, clientOf } from '../../options/client-options.ts'
import { escapeControls } from '../../output/escape-controls.ts'
import { writeResult } from '../../output/write-all.ts'

export const unlock = defineCommand({
  usage: '[repositories..]',
  options: {
    repositories: {
      type: 'string',
      array: true,
      describe: 'Id of the migration [the newest that locked them], and repositories',
    },
    all: { type: 'boolean', describe: 'All repositories of the migration, or of all migrations' },
    ...CLIENT_OPTIONS,
    json: { type: 'boolean', describe: 'Print the result, and errors, as JSON' },
  },
  exits: [4],
  examples: [
    ['marc migration unlock 1 --all', 'every repository of migration 1'],
    ['marc migration unlock ada/kettle', 'whichever migration locked it'],
  ],
  async run({ repositories = [], all, json, ...typed }, io) {
    const [first = '', ...others] = repositories
    const migration = /^\d{1,15}$/.test(first) ? Number(first) : undefined
    const names = migration === undefined ? repositories : others
    if (all ? names.length > 0 : names.length === 0) {
      const message = all ? '--all leaves no repository to name' : 'no repository is named'
      throw new UsageError(message, 'Name repositories, or pass --all.')
    }
    const done = await unlockRepositories(migration, all ? 'all' : names, clientOf(typed, io))
    await writeResult(json, done, describeUnlocked(done), io)
    return 0
  },
})

/** The result for each lock, on a line each. */
export const describeUnlocked = (done: readonly Unlocked[]): SafeText =>
  done.length === 0
    ? safe`No migration has locked a repository.`
    : done
        .map(({ repository, unlocked }) => {
          const what = unlocked ? safe`unlocked` : safe`was not locked`
          return safe`${escapeControls(repository)}: ${what}`
        })
        .join('\n')
