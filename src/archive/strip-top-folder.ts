import { type ArchiveEntry, type ArchiveForm, isDirectory } from './entry.ts'
import { roleOf } from './entry-role.ts'
import { checkPath } from './normalize-path.ts'

/**
 * The same entries without the single folder that some tools put around everything. The first entry of known purpose
 * decides whether there is one.
 */
export async function* stripTopFolder(
  entries: AsyncIterable<ArchiveEntry>,
  form: ArchiveForm = {},
): AsyncGenerator<ArchiveEntry> {
  let top: string | undefined
  let folder: ArchiveEntry | undefined // a directory whose meaning depends on the next entry
  for await (const entry of entries) {
    top ??= topFolderOf(entry.path)
    if (folder && folder.path !== top) yield folder
    folder = undefined
    if (top !== undefined) form.topFolder = top
    else if (isDirectory(entry)) folder = entry
    if (top && entry.path.startsWith(top)) {
      // Check again: x/C:/y is harmless, C:/y is not.
      const path = checkPath(entry.path.slice(top.length), entry.path)
      // The original header has the name with the folder.
      const header = entry.header && { template: entry.header.template }
      if (path !== '') yield { ...entry, path, ...(header && { header }) }
    } else if (entry !== folder) yield entry
  }
  if (folder) yield folder
}

/** The folder around this entry, `''` if it is at the top level, `undefined` if unknown. */
function topFolderOf(path: string): string | undefined {
  if (isPlain(path)) return ''
  const inner = path.indexOf('/') + 1
  return inner > 0 && isPlain(path.slice(inner)) ? path.slice(0, inner) : undefined
}

function isPlain(path: string): boolean {
  // A directory decides as a repository in it would.
  const { role } = roleOf(path.endsWith('/') ? `${path}name.git/HEAD` : path)
  return role !== 'unknown'
}
