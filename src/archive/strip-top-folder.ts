import { type ArchiveEntry, type ArchiveForm, isDirectory } from './entry.ts'
import { roleOf } from './entry-role.ts'
import { checkPath } from './normalize-path.ts'

/**
 * The same entries without the one folder that some tools put around everything. Whether there is one is
 * told by the first entry whose purpose is plain, inside of a folder or not.
 */
export async function* stripTopFolder(
  entries: AsyncIterable<ArchiveEntry>,
  form: ArchiveForm = {},
): AsyncGenerator<ArchiveEntry> {
  let top: string | undefined
  let folder: ArchiveEntry | undefined // a directory of which only the next entry tells what it is
  for await (const entry of entries) {
    top ??= topFolderOf(entry.path)
    if (folder && folder.path !== top) yield folder
    folder = undefined
    if (top !== undefined) form.topFolder = top
    else if (isDirectory(entry)) folder = entry
    if (top && entry.path.startsWith(top)) {
      // What was harmless inside of a folder, such as x/C:/y, need not be so without.
      const path = checkPath(entry.path.slice(top.length), entry.path)
      // The whole header has the name with the folder.
      const header = entry.header && { template: entry.header.template }
      if (path !== '') yield { ...entry, path, ...(header && { header }) }
    } else if (entry !== folder) yield entry
  }
  if (folder) yield folder
}

/** The folder around this entry, `''` if it stands at the top itself, `undefined` if that is not plain. */
function topFolderOf(path: string): string | undefined {
  if (isPlain(path)) return ''
  const inner = path.indexOf('/') + 1
  return inner > 0 && isPlain(path.slice(inner)) ? path.slice(0, inner) : undefined
}

function isPlain(path: string): boolean {
  // A directory is as plain as a repository in it would be.
  const { role } = roleOf(path.endsWith('/') ? `${path}name.git/HEAD` : path)
  return role !== 'unknown'
}
