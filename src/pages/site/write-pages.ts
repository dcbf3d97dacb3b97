import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { throwIfInterrupted } from '../../base/errors.ts'
import type { WrittenFiles, WrittenFolder } from '../../exporters/written-folder.ts'
import { hasPersonPage } from '../../reading/people/profiles.ts'
import { archiveFile } from '../kinds/archive.ts'
import type { Pages } from '../open-pages.ts'
import type { SiteArchive, SiteLink } from '../page.ts'
import { hostFiles, notFound, withCanonical } from './host-files.ts'
import { rewriteLinks } from './rewrite-links.ts'
import { searchIndexFiles } from './search-index.ts'
import { type SiteAddress, siteAddressOf } from './site-address.ts'
import { writeArchive } from './site-archives.ts'
import type { WriteSiteOptions } from './site-options.ts'
import { openSiteQueue, type SiteQueue } from './site-queue.ts'

interface WritePagesOptions extends Omit<WriteSiteOptions, 'archive'> {
  /** Archives that are built, first of all; here they get their sizes, which pages show. */
  readonly archives: SiteArchive[]
  /** A hash of the databases and options; undefined if these changed meanwhile. */
  readonly sourceOf: () => Promise<string | undefined>
}

/** Writes the archives and the pages, and every page that they lead to; then the search and what web hosts look for. */
export async function writePages(
  pages: Pages,
  output: WrittenFolder,
  folder: string,
  { progress, signal, base, search, archives, sourceOf }: WritePagesOptions,
): Promise<WrittenFiles> {
  const resolve = createResolver(pages)
  const { done } = output
  for (const [i, archive] of archives.entries()) {
    const file = archiveFile(archive)
    output.announce(file)
    const { sha256, bytes, isWritten } = await writeArchive(archive, join(folder, file), {
      before: output.before(file),
      progress: (built) => progress?.({ files: done.files, bytes: done.bytes + built }),
      signal,
    })
    output.note(file, sha256, bytes, isWritten)
    archives[i] = { ...archive, size: bytes }
  }
  const queue = openSiteQueue()
  try {
    // The page for missing pages links to these.
    queue.add(['/', '/-/threads'])
    for (let address = queue.next(); address !== undefined; address = queue.next()) {
      throwIfInterrupted(signal)
      const page = siteAddressOf(address)
      if (page) await writePage(pages, page, { queue, output, resolve, base })
      progress?.({ files: done.files, bytes: done.bytes })
    }
  } finally {
    queue.close()
  }
  for await (const [file, content] of search ? searchIndexFiles(pages, resolve, signal) : []) {
    await output.put(file, content, sha256(content))
    progress?.({ files: done.files, bytes: done.bytes })
  }
  for (const [file, content] of hostFiles(output, await notFound(pages, resolve, base), base)) {
    await output.put(file, content, sha256(content))
  }
  return output.finish(sourceOf)
}

async function writePage(
  pages: Pages,
  page: SiteAddress,
  { queue, output, resolve, base }: PageWriting,
): Promise<void> {
  const { file } = page
  const found = await pages.render(page.path, page.query)
  if ('file' in found) {
    const { bytes, etag } = found.file
    const hash = etag ?? (bytes instanceof Uint8Array ? sha256(bytes) : '')
    const link = linkOf(pages, page)
    if (link) await output.put(link.file, bytes, hash, found.file.size)
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
    if (links.length > 0) queue.add(links)
    const bytes = Buffer.from(withCanonical(html, file, base))
    await output.put(file, bytes, sha256(bytes))
  }
}

interface PageWriting {
  readonly queue: SiteQueue
  readonly output: WrittenFolder
  readonly resolve: Resolve
  readonly base: string | undefined
}

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
