import { kindNamed } from '../../records/kinds/kind-of-record.ts'

/** The column of a table that tells which repository a record belongs to; undefined if none does. */
export function ownerRepository(table: string): string | undefined {
  if (table === 'repositories') return 'url'
  const kind = kindNamed(table)
  if (!kind) return undefined
  return ['repository', 'repository_url'].find(
    (name) => name in kind.columns || name in kind.derived,
  )
}
