import { buildArchive } from '../../build/build-archive.ts'
import { isPlainFile } from '../../files/inner-folder.ts'
import { foldName, numberedName, safeName, withoutEnding } from '../../files/safe-name.ts'
import { withSha256, writeFile } from '../../files/write-file.ts'
import { archiveSizeOf } from '../../reading/databases/archives.ts'
import type { Library } from '../../reading/library.ts'
import type { SiteArchive } from '../page.ts'

/** The archives that a site has for download, one of each database, with about the size that they will have. */
export function planArchives({ stores }: Library): SiteArchive[] {
  const names = new Set<string>()
  return stores.map((store) => {
    const own = safeName(`${withoutEnding(store.title).replace(/^\./, '')}.tar.gz`)
    let name = own
    for (let i = 2; names.has(foldName(name)); i++) name = numberedName(own, i)
    names.add(foldName(name))
    return { store, name, size: archiveSizeOf(store) }
  })
}

/**
 * Builds an archive into a site, as `marc build` does. A file that has the same bytes stays as it is.
 *
 * @param before the SHA-256 of the file that is there; undefined without one
 * @param progress is called with the bytes that were built so far
 */
export async function writeArchive(
  { store }: SiteArchive,
  path: string,
  { before, progress, signal }: WriteArchiveOptions,
): Promise<{ sha256: string; bytes: number; isWritten: boolean }> {
  const archive = withSha256(buildArchive(store.database, { signal }))
  async function* bytes() {
    let built = 0
    for await (const piece of archive.bytes) {
      yield piece
      built += piece.length
      progress(built)
    }
  }
  let isWritten = true
  const isSame = () => {
    isWritten = archive.sum().sha256 !== before || !isPlainFile(path)
    return !isWritten
  }
  await writeFile(path, bytes(), { force: true, sync: false, isSame })
  return { ...archive.sum(), isWritten }
}

interface WriteArchiveOptions {
  readonly before: string | undefined
  readonly progress: (bytes: number) => void
  readonly signal: AbortSignal | undefined
}
