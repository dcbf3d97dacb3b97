import { type GitRepository, listRepositories } from '../../../git/list-repositories.ts'
import { defineCommand } from '../../command/command.ts'
import type { Io } from '../../command/io.ts'
import type { SafeText } from '../../command/safe-text.ts'
import { FORMAT_OPTIONS, isForPerson, writeRows } from '../../options/format-options.ts'
import { SOURCE_OPTION } from '../../options/shared-options.ts'
import { formatTable } from '../../output/format-table.ts'
import { formatBytes } from '../../output/quantities.ts'
import { stylesFor } from '../../output/styles.ts'
import { writeAll } from '../../output/write-all.ts'
import { openReadable } from '../../sources/open-readable.ts'

const COLUMNS = [
  'repository',
  'is_wiki',
  'state',
  'size',
  'packs',
  'objects',
  'loose_objects',
  'refs',
  'branches',
  'tags',
  'head',
  'head_oid',
  'default_branch',
  'url',
] as const satisfies (keyof GitRepository)[]

export const list = defineCommand({
  usage: '<source>',
  options: { source: SOURCE_OPTION, ...FORMAT_OPTIONS },
  examples: [
    ['marc repo list samples/organization.tar.gz', 'every repository'],
    ['marc repo list samples/organization.tar.gz --csv', 'all columns, as CSV'],
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

/** Repositories for people. */
function describeRepositories(
  repositories: readonly GitRepository[],
  { stdout, env }: Io,
): Iterable<SafeText> {
  const rows = repositories.map((repository) => {
    const { state, size, objects, refs } = repository
    const name = repository.repository
    if (state !== 'present') return [name, null, null, null, state]
    return [name, formatBytes(size).padStart(10), objects, refs, describeHead(repository)]
  })
  const columns = ['repository', '      size', 'objects', 'refs', 'HEAD']
  return formatTable(
    { columns, rows },
    { styles: stylesFor(stdout, env), width: stdout.columns || 80 },
  )
}

function describeHead({ head, head_oid, default_branch }: GitRepository): string {
  const branch = head?.replace(/^refs\/heads\//, '')
  if (branch === undefined)
    return head_oid === null ? 'none' : `${head_oid.slice(0, 12)} (a commit)`
  const notes = [
    ...(head_oid === null ? ['without commits'] : []),
    ...(default_branch !== null && default_branch !== branch ? [`default: ${default_branch}`] : []),
  ]
  return notes.length > 0 ? `${branch} (${notes.join(', ')})` : branch
}
