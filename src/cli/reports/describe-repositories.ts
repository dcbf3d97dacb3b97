import type { GitRepository } from '../../git/list-repositories.ts'
import type { Io } from '../command/io.ts'
import { formatTable } from '../output/format-table.ts'
import { formatBytes } from '../output/quantities.ts'
import type { SafeText } from '../output/safe-text.ts'
import { stylesFor } from '../output/styles.ts'

/** Repositories as a person reads them. */
export function describeRepositories(
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
