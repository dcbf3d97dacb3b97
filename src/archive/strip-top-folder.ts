import type { ArchiveEntry, ArchiveForm } from './entry.ts'
import { roleOf } from './entry-role.ts'

/**
 * The same entries without the one folder that some tools put around everything. Whether there is one is
 * told by the first entry whose purpose is plain, inside of a folder or not.
 */
export async function* stripTopFolder(
  entries: AsyncIterable<ArchiveEntry>,
  form: ArchiveForm = {},
): AsyncGenerator<ArchiveEntry> {
  let top: string | undefined
  for await (const entry of entries) {
    top ??= topFolderOf(entry.path)
    if (top !== undefined) form.topFolder = top
    if (!top || !entry.path.startsWith(top)) yield entry
    else if (entry.path !== top) yield { ...entry, path: entry.path.slice(top.length) }
  }
}

/** The folder around this entry, `''` if it stands at the top itself, `undefined` if that is not plain. */
function topFolderOf(path: string): string | undefined {
  if (isPlain(path)) return ''
  const inner = path.indexOf('/') + 1
  return inner > 0 && isPlain(path.slice(inner)) ? path.slice(0, inner) : undefined
}

function isPlain(path: string): boolean {
  const { role } = roleOf(path)
  return role !== 'unknown' && role !== 'directory'
}
