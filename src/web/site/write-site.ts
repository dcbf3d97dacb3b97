import { aPath, checkArguments, listOf } from '../../check-arguments.ts'
import { ArchiveError, throwIfInterrupted } from '../../errors.ts'
import { openSiteList } from './site-list.ts'
import {
  baseOf,
  COMMITS,
  checkSiteOptions,
  type SiteSummary,
  type WriteSiteOptions,
} from './site-options.ts'

/**
 * Writes the pages of databases as a site of files, which opens from a disk or any web host. A second run writes only
 * what changed, and removes what is gone. The same databases give the same bytes on any day.
 *
 * @param databases paths of databases that `loadArchive` created
 * @param folder the folder to write to; created if needed, and otherwise holds a site that this wrote before
 * @param options what the site consists of, and its address
 * @returns the numbers of files, and their bytes
 * @throws `output-refused`, `output-full`, `repository-not-found`, `interrupted`, `option-invalid`, and the codes of `openDatabase`
 * @example
 * const { files } = await writeSite(['archive.db'], 'site')
 */
export async function writeSite(
  databases: readonly string[],
  folder: string,
  options: WriteSiteOptions = {},
): Promise<SiteSummary> {
  checkArguments({ databases, folder }, { databases: listOf(aPath), folder: aPath })
  checkSiteOptions(options)
  throwIfInterrupted(options.signal)
  const { public: isPublic, git, commits = COMMITS, allRefs = false } = options
  const { repositories: only, files = true, search = true } = options
  const isAll = !isPublic && only === undefined
  // Markdown and colors of code take long to load, for programs that write no site.
  const { openPages } = await import('../open-pages.ts')
  const { writePages } = await import('./write-pages.ts')
  const pages = openPages(databases, {
    ...{ audience: isAll ? 'all' : 'public', isStatic: true },
    ...{ scope: { commits, allRefs, files, search }, only: isPublic ? undefined : only },
    ...(git !== undefined && { git }),
  })
  try {
    for (const name of only ?? []) {
      if (pages.library.repository(name)) continue
      const message = `no repository is named ${JSON.stringify(name)}`
      throw new ArchiveError('repository-not-found', message).about(name)
    }
    const base = baseOf(options.base)
    const list = openSiteList(folder)
    try {
      return await writePages(pages, list, folder, { ...options, base, search })
    } finally {
      list.close()
    }
  } finally {
    pages.close()
  }
}
