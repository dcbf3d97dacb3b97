import { type ArchiveEntry, type ArchiveForm, isDirectory } from './entry.ts'
import { endsAsRecords, roleOf } from './entry-role.ts'
import { checkPath } from './normalize-path.ts'

/**
 * The same entries without the single folder that some tools put around everything. The first entry of known purpose
 * decides whether there is one. Records in another folder are those of a second export, which the form names.
 */
export async function* stripTopFolder(
  entries: AsyncIterable<ArchiveEntry>,
  form: ArchiveForm = {},
): AsyncGenerator<ArchiveEntry> {
  let top: string | undefined
  let folder: ArchiveEntry | undefined // a directory whose meaning depends on the next entry
  let elsewhere: string | undefined // the first records that are not directly in the folder
  for await (const entry of entries) {
    top ??= topFolderOf(entry.path)
    if (endsAsRecords(entry.path) && !isDirectlyIn(top, entry.path)) elsewhere ??= entry.path
    if (top !== undefined && elsewhere !== undefined) form.second = elsewhere
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

/** Whether records are those of the export in a folder, or a file of it that is named like records, such as an upload. */
function isDirectlyIn(top: string | undefined, path: string): boolean {
  return top !== undefined && path.startsWith(top) && isPlain(path.slice(top.length))
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
