import { type GitRepository, listRepositories } from '../../../git/list-repositories.ts'
import { defineCommand } from '../../command/command.ts'
import { FORMAT_OPTIONS, isForPerson, writeRows } from '../../options/format-options.ts'
import { SOURCE_OPTION } from '../../options/shared-options.ts'
import { writeAll } from '../../output/write-all.ts'
import { describeRepositories } from '../../reports/describe-repositories.ts'
import { openReadable } from '../../sources/open-readable.ts'

const COLUMNS = [
  ...['repository', 'is_wiki', 'state', 'size', 'packs', 'objects', 'loose_objects', 'refs'],
  ...['branches', 'tags', 'head', 'head_oid', 'default_branch', 'url'],
] as const satisfies (keyof GitRepository)[]

export const list = defineCommand({
  usage: '<source>',
  summary: 'List repositories and wikis: size, objects, refs, HEAD',
  options: {
    source: SOURCE_OPTION,
    ...FORMAT_OPTIONS,
  },
  examples: [
    ['marc repo list samples/organization.tar.gz', 'every repository'],
    ['marc repo list samples/organization.tar.gz --csv', 'as CSV, with all that is known'],
  ],
  async run({ source: named, ...format }, io) {
    const isShown = isForPerson(format, io) // refuses two formats before anything is read
    const database = await openReadable(named, io)
    try {
      const repositories = listRepositories(database)
      if (isShown) {
        await writeAll(io.stdout, describeRepositories(repositories, io))
      } else {
        const rows = repositories.map((repository) => COLUMNS.map((name) => repository[name]))
        await writeRows({ columns: COLUMNS, rows }, format, io)
      }
      return 0
    } finally {
      database.close()
    }
  },
})
