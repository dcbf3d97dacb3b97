import type { MergeChange } from '../../git/diff/compare-trees.ts'
import type { Change } from '../../git/diff/pair-renames.ts'

/** The columns of `changeRow`. */
export const CHANGE_COLUMNS = [
  'status',
  'path',
  'old_path',
  'old_mode',
  'mode',
  'old_oid',
  'oid',
  'similarity',
] as const

/** A changed file as a row. Columns that do not apply are null: a merge has no file before it. */
export function changeRow(change: Change | MergeChange): (string | number | null)[] {
  const { status, path, after } = change
  const { before, similarity } = 'before' in change ? change : {}
  return [
    status,
    path,
    before?.path ?? null,
    before?.mode ?? null,
    after?.mode ?? null,
    before?.oid ?? null,
    after?.oid ?? null,
    similarity ?? null,
  ]
}
