import { kindNamed } from '../../records/kinds/kind-of-record.ts'

/** The column of a table with the repository of a record; undefined without one. */
export function ownerRepository(table: string): string | undefined {
  if (table === 'repositories') return 'url'
  const kind = kindNamed(table)
  if (!kind) return undefined
  return ['repository', 'repository_url'].find(
    (name) => name in kind.columns || name in kind.derived,
  )
}
