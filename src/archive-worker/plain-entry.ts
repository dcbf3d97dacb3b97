import type { ArchiveEntry } from '../archive/entry.ts'
import { roleOf } from '../archive/entry-role.ts'
import type { Kind } from '../records/kinds/kind.ts'
import { kindNamed } from '../records/kinds/kind-of-record.ts'
import { ROOM } from './worker-messages.ts'

export { peekRuns } from '../records/canonical/detect-canonical.ts'

/** The kind of the records of an entry, where that is known and they may be plain. */
export function kindOfEntry({ path, size }: Omit<ArchiveEntry, 'content'>): Kind | undefined {
  const role = roleOf(path)
  return role.role === 'records' && size <= ROOM ? kindNamed(role.stem) : undefined
}
