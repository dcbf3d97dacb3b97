import {
  type IndexedRepository,
  indexCommits as indexDatabase,
} from '../../../git/history/index-commits.ts'
import { defineCommand } from '../../command/command.ts'
import type { Io } from '../../command/io.ts'
import { type SafeText, safe } from '../../command/safe-text.ts'
import { UsageError } from '../../command/usage-error.ts'
import { SOURCE_OPTION } from '../../options/shared-options.ts'
import { escapeControlsInJson } from '../../output/escape-controls.ts'
import { formatTable } from '../../output/format-table.ts'
import { stylesFor } from '../../output/styles.ts'
import { writeAll } from '../../output/write-all.ts'
import { databasePath } from '../../sources/open-readable.ts'

export const indexCommits = defineCommand({
  usage: '<source> [repository]',
  options: {
    source: SOURCE_OPTION,
    repository: { type: 'string', describe: 'owner/name, or name alone [all]' },
    files: { type: 'boolean', describe: 'Note the files that each commit changed as well' },
    json: { type: 'boolean', describe: 'Print the summary and errors as JSON' },
    quiet: { type: 'boolean', alias: 'q', describe: 'Show no progress and no summary' },
  },
  exits: [1],
  examples: [
    ['marc repo index samples/organization.tar.gz', 'all repositories and wikis'],
    [
      'marc repo index samples/organization.tar.gz harbour-lights/tidewatch --files',
      'one of them, with the files that each commit changed',
    ],
  ],
  notes: `Fills the table commits, and with --files the table commits_files; marc repo
log --path and marc repo blame are then faster. Done again, it adds only what is
new. A merge is compared with its first parent, so its files are those of its
pull request.`,
  async run({ source: named, repository, files, json, quiet }, io) {
    if (named === '-') {
      const hint = 'Load it first with: marc load - -o <database>'
      throw new UsageError('commits of standard input cannot be kept', hint)
    }
    const path = await databasePath(named, io, { quiet, contents: 'git' })
    const indexed = await indexDatabase(path, { repository, files, signal: io.signal })
    if (json) await writeAll(io.stdout, [safe`${escapeControlsInJson(JSON.stringify(indexed))}\n`])
    else if (!quiet) await writeAll(io.stdout, describe(indexed, io))
    return 0
  },
})

function describe(indexed: readonly IndexedRepository[], { stdout, env }: Io): Iterable<SafeText> {
  const isWhole = indexed.every(({ broken }) => broken === 0)
  const rows = indexed.map(({ repository, commits, broken }) =>
    isWhole ? [repository, commits] : [repository, commits, broken],
  )
  const columns = ['repository', 'commits', ...(isWhole ? [] : ['missing or damaged'])]
  return formatTable({ columns, rows }, { styles: stylesFor(stdout, env) })
}
