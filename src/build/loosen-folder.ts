import { type ArchiveEntry, isDirectory } from '../archive/entry.ts'
import { pathOf, roleOf } from '../archive/entry-role.ts'
import { kindNamed } from '../records/kind-of-record.ts'

/**
 * The entries of a folder under the names that an archive has for them, wherever they lie: files of records
 * that are named after a kind, or lie in a folder that is, and what lies below `repositories`, `attachments`
 * and the like.
 */
export async function* loosenFolder(
  entries: AsyncIterable<ArchiveEntry>,
): AsyncGenerator<ArchiveEntry> {
  const numbers = new Map<string, number>()
  for await (const entry of entries) {
    if (isDirectory(entry)) continue
    const path = innermost(entry.path)
    const stem = kindOf(path)
    if (stem === undefined) {
      yield { ...entry, path }
    } else {
      const number = (numbers.get(stem) ?? 0) + 1
      numbers.set(stem, number)
      const shard = String(number).padStart(6, '0')
      yield { ...entry, path: pathOf({ role: 'records', stem, shard }) }
    }
  }
}

/** The path without folders around what an archive knows; as it is if nothing in it is known. */
function innermost(path: string): string {
  const parts = path.split('/')
  const inner = parts.map((_, i) => parts.slice(i).join('/'))
  return inner.find((rest) => roleOf(rest).role !== 'unknown') ?? path
}

/** The kind of a file of records: `issues_000001.json`, `issues.json`, `issues-2.json`, `issues/2.json`. */
function kindOf(path: string): string | undefined {
  const role = roleOf(path)
  if (role.role === 'records') return kindNamed(role.stem) && role.stem
  if (role.role !== 'unknown') return undefined
  const [, folder = '', name = ''] = /(?:^|([^/]*)\/)([^/]*)\.json$/.exec(path) ?? []
  return [name.replace(/[-_. ]?\d*$/, ''), folder].find((word) => kindNamed(word))
}
