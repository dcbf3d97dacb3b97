import type { Header } from 'tar-stream'
import { ArchiveError } from '../../base/errors.ts'
import { BLOCK } from './tar-header.ts'

const TYPE = 156
const OLD_SPARSE = 'S'.charCodeAt(0)
const IS_EXTENDED = 482

/**
 * Whether an entry is a sparse file of GNU tar, from its headers. Throws `archive-unsupported` if it has the old format
 * and more parts than a header holds: a list of them follows that belongs to no size, and hides the next header.
 */
export function isSparseFile({ pax }: Header, head: Buffer | undefined): boolean {
  if (Object.keys(pax ?? {}).some((key) => key.startsWith('GNU.sparse.'))) return true
  const block = head?.subarray(-BLOCK)
  if (block?.[TYPE] !== OLD_SPARSE) return false
  if (block[IS_EXTENDED] === 0) return true
  throw new ArchiveError('archive-unsupported', 'a sparse file with a long list of its parts')
}

/** The name that PAX headers give a sparse file. Its path is for programs that do not know sparse files. */
export const nameOfSparseFile = ({ pax }: Header): string | undefined =>
  (pax as Record<string, string> | null)?.['GNU.sparse.name']
