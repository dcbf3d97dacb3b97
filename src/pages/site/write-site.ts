import { aPath, checkArguments, listOf } from '../../base/check-arguments.ts'
import { ArchiveError, throwIfInterrupted } from '../../base/errors.ts'
import { refuseLargeCells } from '../../database/large-cells.ts'
import { type FolderList, openWrittenFolder } from '../../exporters/written-folder.ts'
import type { SiteArchive } from '../page.ts'
import {
  baseOf,
  COMMITS,
  checkSiteOptions,
  type SiteSummary,
  type WriteSiteOptions,
} from './site-options.ts'
import { hashSource } from './site-source.ts'

/** The list of the files of a site. */
export const LIST: FolderList = {
  path: '-/site.ndjson',
  header: '{"site":"migration-archive","version":1}',
}

/**
 * Writes the pages of databases as a site of files, which opens from a disk or any web host. A second run writes only
 * what changed, and removes what is gone; of databases that did not change it makes no page. The same databases give the same bytes on any day.
 *
 * @param databases paths of databases that `loadArchive` created
 * @param folder the folder to write to; created if needed, and otherwise holds a site that this wrote before
 * @param options what the site consists of, and its address
 * @returns the numbers of files, and their bytes
 * @throws what `buildArchive` throws for a database whose archive is refused, `output-refused`, `output-full`, `repository-not-found`, `interrupted`, `option-invalid`, and the codes of `openDatabase`
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
  const { repositories: only, files = true, search = true, archive = false } = options
  const isAll = !isPublic && only === undefined
  // Markdown and colors of code take long to load, for programs that write no site.
  const { openPages } = await import('../open-pages.ts')
  const { createResolver, writePages } = await import('./write-pages.ts')
  const { planArchives } = await import('./site-archives.ts')
  const archives: SiteArchive[] = []
  const scope = { commits, allRefs, files, search, archives }
  const pages = openPages(databases, {
    audience: isAll ? 'all' : 'public',
    isStatic: true,
    scope,
    only: isPublic ? undefined : only,
    ...(git !== undefined && { git }),
  })
  try {
    for (const { database } of pages.library.stores) refuseLargeCells(database)
    if (archive) archives.push(...planArchives(pages.library))
    for (const name of only ?? []) {
      if (pages.library.repository(name)) continue
      const message = `no repository is named ${JSON.stringify(name)}`
      throw new ArchiveError('repository-not-found', message).about(name)
    }
    const base = baseOf(options.base)
    const output = openWrittenFolder(folder, LIST)
    try {
      const hash = () =>
        hashSource(databases, {
          ...options,
          base,
          git,
          commits,
          allRefs,
          files,
          search,
          archive,
        })
      const { shadowed } = pages.library
      const source = await hash()
      const there = output.source === source ? output.measure() : undefined
      if (there) return { ...there, written: 0, removed: 0, shadowed }
      if (options.dryRun) {
        const { countSite } = await import('./count-site.ts')
        const counted = await countSite(pages, createResolver(pages), { ...options, scope })
        return { ...counted, written: 0, removed: 0, shadowed }
      }
      // Of what changed while its pages were written, a site is no whole picture.
      const sourceOf = async () => ((await hash()) === source ? source : undefined)
      const written = await writePages(pages, output, folder, {
        ...options,
        base,
        search,
        archives,
        sourceOf,
      })
      return { ...written, shadowed }
    } finally {
      output.close()
    }
  } finally {
    pages.close()
  }
}
