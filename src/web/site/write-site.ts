import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { aPath, checkArguments, listOf } from '../../check-arguments.ts'
import { ArchiveError } from '../../errors.ts'
import { writeFile } from '../../files/write-file.ts'
import { createLruCache } from '../../lru-cache.ts'
import { openPages, type Pages } from '../open-pages.ts'
import type { SiteLink } from '../page.ts'
import { hasPersonPage } from '../read/people.ts'
import { hostFiles, notFound, withCanonical } from './host-files.ts'
import { rewriteLinks } from './rewrite-links.ts'
import { searchIndexFiles } from './search-index.ts'
import { type SiteAddress, siteAddressOf } from './site-address.ts'
import { LIST, openSiteList, type SiteList } from './site-list.ts'
import { baseOf, COMMITS, checkSiteOptions, type WriteSiteOptions } from './site-options.ts'

/** The result of writing a site. */
export interface SiteSummary {
  /** Files of the site. */
  readonly files: number
  /** Those that were written; all others were there already. */
  readonly written: number
  /** Files of the site before that are gone. */
  readonly removed: number
  /** Bytes of all files. */
  readonly bytes: number
}

/**
 * Writes the pages of databases as a site of files, which opens from a disk or any web host. A second run writes only
 * what changed, and removes what is gone. The same databases give the same bytes on any day.
 *
 * @param databases paths of databases that `loadArchive` created
 * @param folder is created, or holds a site that this wrote before
 * @throws `output-refused`, `output-full`, the codes of `openDatabase`, and the reason of the signal
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
  const { public: isPublic, git, commits = COMMITS, allRefs = false } = options
  const { repositories: only, files = true, search = true } = options
  const isAll = !isPublic && only === undefined
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
      return await write(pages, list, folder, { ...options, base, search })
    } finally {
      list.close()
    }
  } finally {
    pages.close()
  }
}

async function write(
  pages: Pages,
  list: SiteList,
  folder: string,
  { progress, signal, base, search, dryRun = false }: WriteSiteOptions,
): Promise<SiteSummary> {
  const made = new Set<string>()
  const resolve = createResolver(pages)
  let [files, written, removed, size] = [0, 0, 0, 0]
  const put: Put = async (
    file: string,
    content: Uint8Array | AsyncIterable<Uint8Array>,
    hash: string,
    length?: number,
  ) => {
    // Several addresses may have the same bytes.
    if (list.has(file)) return
    files++
    size += content instanceof Uint8Array ? content.length : (length ?? 0)
    const path = join(folder, file)
    const isNew = list.note(file, hash)
    if (dryRun || (!isNew && existsSync(path))) return
    if (!list.had(file) && existsSync(path)) {
      throw new ArchiveError('output-refused', `${file} is there, and no site of ours has it`, {
        archive: folder,
      })
    }
    makeFolder(dirname(path), folder, made)
    // Whatever happens, the list names the file before it is there.
    appendFileSync(join(folder, LIST), `${JSON.stringify([file, ''])}\n`)
    await writeFile(path, content instanceof Uint8Array ? once([content]) : content, {
      force: true,
      sync: false,
      tidy: false,
    })
    written++
  }

  if (!dryRun) makeFolder(join(folder, '-'), folder, made)
  if (!dryRun && !existsSync(join(folder, LIST)))
    appendFileSync(join(folder, LIST), firstLine(list))
  list.add(['/'])
  for (let address = list.next(); address !== undefined; address = list.next()) {
    signal?.throwIfAborted()
    const page = siteAddressOf(address)
    if (page) await writePage(pages, page, list, { resolve, put, base })
    progress?.(files, size)
  }
  for await (const [file, content] of search ? searchIndexFiles(pages, signal) : []) {
    await put(file, content, sha256(content))
    progress?.(files, size)
  }
  for (const [file, content] of hostFiles(list, await notFound(pages, resolve, base), base)) {
    await put(file, content, sha256(content))
  }
  if (dryRun) return { files, written: 0, removed: 0, bytes: size }
  for (const file of list.gone()) {
    rmSync(join(folder, file), { force: true })
    removed++
  }
  await writeFile(join(folder, LIST), once(list.lines()), { force: true, sync: false })
  return { files, written, removed, bytes: size }
}

async function* once(parts: Iterable<Uint8Array | string>): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield typeof part === 'string' ? Buffer.from(part) : part
}

const firstLine = (list: SiteList): string => list.lines().next().value ?? ''

async function writePage(
  pages: Pages,
  page: SiteAddress,
  list: SiteList,
  { resolve, put, base }: { resolve: Resolve; put: Put; base: string | undefined },
): Promise<void> {
  const { file } = page
  const found = await pages.render(page.path, page.query)
  if ('file' in found) {
    const { bytes, etag } = found.file
    const hash = etag ?? (bytes instanceof Uint8Array ? sha256(bytes) : '')
    const link = linkOf(pages, page)
    if (link) await put(link.file, bytes, hash, found.file.size)
  } else if ('html' in found && found.status === 200) {
    const links = new Set<string>()
    const html = rewriteLinks(found.html, file, (address) => {
      const link = resolve(address)
      if (link) links.add(link.address)
      return link
    })
    list.add([...links])
    const bytes = Buffer.from(withCanonical(html, file, base))
    await put(file, bytes, sha256(bytes))
  }
}

type Put = (
  file: string,
  content: Uint8Array | AsyncIterable<Uint8Array>,
  hash: string,
  length?: number,
) => Promise<void>

type Resolve = (address: string) => (SiteLink & { address: string }) | undefined

/** Links that are remembered: most pages lead to the same places. */
const REMEMBERED = 20_000

function createResolver(pages: Pages): Resolve {
  const known = createLruCache<string, { link: ReturnType<Resolve> }>(REMEMBERED)
  return (address) => {
    const before = known.get(address)
    if (before) return before.link
    const page = siteAddressOf(address)
    const to = page && linkOf(pages, page)
    const link = page && to ? { ...to, address: page.text } : undefined
    known.set(address, { link })
    return link
  }
}

/** The file of a page; undefined if the site does not have it. What pages lead to otherwise was looked up. */
function linkOf(pages: Pages, { path, query, file }: SiteAddress): SiteLink | undefined {
  const found = pages.find(path, query)
  if (!found) return undefined
  const { page, request } = found
  const { library } = pages
  if (page.isPrivate && library.audience !== 'all') return undefined
  // Texts name people of whom the archive has nothing.
  const { login } = request.params
  if (login !== undefined && !hasPersonPage(library, login)) return undefined
  if (page.isInSite && !page.isInSite(request)) return undefined
  return page.siteLink ? page.siteLink(request, file) : { file }
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

function makeFolder(path: string, folder: string, made: Set<string>): void {
  if (made.has(path)) return
  try {
    mkdirSync(path, { recursive: true })
  } catch (error) {
    throw new ArchiveError('output-refused', (error as Error).message, { archive: folder }, error)
  }
  if (made.size > 10_000) made.clear()
  made.add(path)
}
