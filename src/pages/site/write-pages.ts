import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ArchiveError, throwIfInterrupted } from '../../base/errors.ts'
import { hasInnerFolder, isPlainFile, makeInnerFolder } from '../../files/inner-folder.ts'
import { attemptSync, isThere, writeFile } from '../../files/write-file.ts'
import { hasPersonPage } from '../../reading/people/profiles.ts'
import { archiveFile } from '../kinds/archive.ts'
import type { Pages } from '../open-pages.ts'
import type { SiteArchive, SiteLink } from '../page.ts'
import { hostFiles, notFound, withCanonical } from './host-files.ts'
import { rewriteLinks } from './rewrite-links.ts'
import { searchIndexFiles } from './search-index.ts'
import { type SiteAddress, siteAddressOf } from './site-address.ts'
import { writeArchive } from './site-archives.ts'
import { LIST, type SiteList } from './site-list.ts'
import type { SiteSummary, WriteSiteOptions } from './site-options.ts'

interface WritePagesOptions extends Omit<WriteSiteOptions, 'archive'> {
  /** Archives that are built, first of all; here they get their sizes, which pages show. */
  readonly archives: SiteArchive[]
  /** A hash of the databases and options; undefined if these changed meanwhile. */
  readonly sourceOf: () => Promise<string | undefined>
}

/** Writes the archives and the pages, and every page that they lead to; then the search and what web hosts look for. */
export async function writePages(
  pages: Pages,
  list: SiteList,
  folder: string,
  { progress, signal, base, search, archives, sourceOf }: WritePagesOptions,
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
    const noted = list.note(file, hash)
    // Several addresses may have the same bytes.
    if (!noted) return
    files++
    size += content instanceof Uint8Array ? content.length : (length ?? 0)
    const path = join(folder, file)
    const { before } = noted
    makeFolderOnce(folder, file, made)
    if (before === hash && isPlainFile(path)) return
    announce(file, before)
    await writeFile(path, content instanceof Uint8Array ? once(content) : content, {
      force: true,
      sync: false,
      tidy: false,
    })
    written++
  }

  const announce = (file: string, before: string | undefined) => {
    if (before === undefined && isThere(join(folder, file))) {
      throw new ArchiveError(
        'output-refused',
        `${file} is there, and marc did not write it: name another folder`,
        {
          archive: folder,
        },
      )
    }
    // Whatever happens, the list names the file before it is there.
    list.announce(file)
  }

  makeFolderOnce(folder, LIST, made)
  for (const [i, archive] of archives.entries()) {
    const file = archiveFile(archive)
    const before = list.before(file)
    makeFolderOnce(folder, file, made)
    announce(file, before)
    const built = await writeArchive(archive, join(folder, file), {
      before,
      progress: (bytes) => progress?.(files, size + bytes),
      signal,
    })
    list.note(file, built.sha256)
    files++
    size += built.bytes
    if (built.isWritten) written++
    archives[i] = { ...archive, size: built.bytes }
  }
  // The page for missing pages links to these.
  list.add(['/', '/-/threads'])
  for (let address = list.next(); address !== undefined; address = list.next()) {
    throwIfInterrupted(signal)
    const page = siteAddressOf(address)
    if (page) await writePage(pages, page, list, { resolve, put, base })
    progress?.(files, size)
  }
  for await (const [file, content] of search ? searchIndexFiles(pages, resolve, signal) : []) {
    await put(file, content, sha256(content))
    progress?.(files, size)
  }
  for (const [file, content] of hostFiles(list, await notFound(pages, resolve, base), base)) {
    await put(file, content, sha256(content))
  }
  for (const file of list.gone()) {
    if (!hasInnerFolder(folder, foldersOf(file))) continue
    attemptSync(folder, () => rmSync(join(folder, file), { force: true }))
    removed++
  }
  await list.save(await sourceOf())
  return { files, written, removed, bytes: size }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

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
    const links: string[] = []
    const html = rewriteLinks(found.html, file, (address) => {
      const link = resolve(address)
      if (link && !link.isListed) {
        link.isListed = true
        links.push(link.address)
      }
      return link
    })
    if (links.length > 0) list.add(links)
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

/** A file of the site with the address of its page. */
interface ResolvedLink extends SiteLink {
  readonly address: string
  /** The list has it: nearly every link of a page does not have to be looked for there. */
  isListed: boolean
}

export type Resolve = (address: string) => ResolvedLink | undefined

/** Links that are remembered: most pages lead to the same places. */
const REMEMBERED = 20_000

/** Finds the files of pages. */
export function createResolver(pages: Pages): Resolve {
  const known = new Map<string, ReturnType<Resolve>>()
  return (part) => {
    const before = known.get(part)
    if (before || known.has(part)) return before
    // A copy: a part of the text of a page keeps the whole text in memory.
    const address = Buffer.from(part).toString()
    const page = siteAddressOf(address)
    const to = page && linkOf(pages, page)
    const link = page && to ? { ...to, address: page.text, isListed: false } : undefined
    if (known.size === REMEMBERED) known.clear()
    known.set(address, link)
    return link
  }
}

/** The file of a page; undefined if the site does not have it. */
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

const foldersOf = (file: string): string[] => file.split('/').slice(0, -1)

/** Makes the folder of a file. Throws `output-refused` instead of following a link. */
function makeFolderOnce(folder: string, file: string, known: Set<string>): void {
  const path = dirname(file)
  if (known.has(path)) return
  makeInnerFolder(folder, foldersOf(file))
  if (known.size > 10_000) known.clear()
  known.add(path)
}
