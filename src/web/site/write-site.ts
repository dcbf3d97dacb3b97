import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import {
  aFlag,
  aFunction,
  aPath,
  aSignal,
  checkArguments,
  checkOptions,
  listOf,
} from '../../check-arguments.ts'
import { ArchiveError } from '../../errors.ts'
import { writeFile } from '../../files/write-file.ts'
import { createLruCache } from '../../lru-cache.ts'
import { findPage, openPages, type Pages } from '../open-pages.ts'
import { hasPersonPage } from '../read/people.ts'
import { fileType, findFile } from '../read/uploads.ts'
import { rewriteLinks, type SiteLink } from './rewrite-links.ts'
import { type SiteAddress, siteAddressOf } from './site-address.ts'
import { LIST, openSiteList, type SiteList } from './site-list.ts'

export interface WriteSiteOptions {
  /** Only what a stranger may see: public repositories, and nothing about the whole database. Default false. */
  public?: boolean | undefined
  /** Called after each page with the numbers of files and of bytes so far. */
  progress?: ((files: number, bytes: number) => void) | undefined
  signal?: AbortSignal | undefined
}

/** What became of a site. */
export interface SiteSummary {
  /** Files of the site. */
  readonly files: number
  /** Those that were written; all others were there already. */
  readonly written: number
  /** Files of the site before that are gone. */
  readonly removed: number
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
  checkOptions(options, { public: aFlag, progress: aFunction, signal: aSignal })
  const audience = options.public ? 'public' : 'all'
  const pages = openPages(databases, { audience, isStatic: true })
  try {
    const list = openSiteList(folder)
    try {
      return await write(pages, list, folder, options)
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
  { progress, signal }: WriteSiteOptions,
): Promise<SiteSummary> {
  const made = new Set<string>()
  const resolve = createResolver(pages)
  let [files, written, removed, size] = [0, 0, 0, 0]
  const put = async (
    file: string,
    content: Uint8Array | AsyncIterable<Uint8Array>,
    hash: string,
  ) => {
    files++
    if (content instanceof Uint8Array) size += content.length
    const path = join(folder, file)
    const isNew = list.note(file, hash)
    if (!isNew && existsSync(path)) return
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

  makeFolder(join(folder, '-'), folder, made)
  if (!existsSync(join(folder, LIST))) appendFileSync(join(folder, LIST), firstLine(list))
  list.add(['/'])
  for (let address = list.next(); address !== undefined; address = list.next()) {
    signal?.throwIfAborted()
    const page = siteAddressOf(address)
    if (page) await writePage(pages, page, list, resolve, put)
    progress?.(files, size)
  }
  await put('.nojekyll', Buffer.alloc(0), 'empty')
  for (const file of list.gone()) {
    rmSync(join(folder, file), { force: true })
    removed++
  }
  await writeFile(join(folder, LIST), once(list.lines()), { force: true, sync: false })
  return { files, written, removed }
}

async function* once(parts: Iterable<Uint8Array | string>): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield typeof part === 'string' ? Buffer.from(part) : part
}

const firstLine = (list: SiteList): string => list.lines().next().value ?? ''

async function writePage(
  pages: Pages,
  { path, query, file }: SiteAddress,
  list: SiteList,
  resolve: Resolve,
  put: (
    file: string,
    content: Uint8Array | AsyncIterable<Uint8Array>,
    hash: string,
  ) => Promise<void>,
): Promise<void> {
  const found = await pages.render(path, query)
  if ('file' in found) {
    const { bytes, etag } = found.file
    const hash = etag ?? (bytes instanceof Uint8Array ? sha256(bytes) : '')
    await put(linkOf(pages, path, file).file, bytes, hash)
  } else if ('html' in found && found.status === 200) {
    const links = new Set<string>()
    const html = rewriteLinks(found.html, file, (address) => {
      const link = resolve(address)
      if (link) links.add(link.address)
      return link
    })
    list.add([...links])
    const bytes = Buffer.from(html)
    await put(file, bytes, sha256(bytes))
  }
}

type Resolve = (address: string) => (SiteLink & { address: string }) | undefined

/** Links that are remembered: most pages lead to the same places. */
const REMEMBERED = 20_000

function createResolver(pages: Pages): Resolve {
  const known = createLruCache<string, { link: ReturnType<Resolve> }>(REMEMBERED)
  return (address) => {
    const before = known.get(address)
    if (before) return before.link
    const page = siteAddressOf(address)
    const isThere = page && isAlive(pages, page.text)
    const link = isThere
      ? { ...linkOf(pages, page.path, page.file), address: page.text }
      : undefined
    known.set(address, { link })
    return link
  }
}

/** Texts name people of whom the archive has nothing; what else pages lead to was looked up. */
function isAlive({ library }: Pages, address: string): boolean {
  const found = findPage(address.split('?')[0] ?? '')
  if (!found || (found.page.isPrivate && library.audience !== 'all')) return false
  const { login } = found.params
  return login === undefined || hasPersonPage(library, login)
}

/** No host can be told what a file of bytes is: one that no browser may open is to be saved. */
function linkOf({ library }: Pages, path: string, file: string): SiteLink {
  const [, sha256 = '', name = ''] = /^\/-\/files\/([0-9a-f]{64})\/([^/]+)$/.exec(path) ?? []
  if (sha256 === '') return { file }
  const decoded = decodeURIComponent(name)
  const upload = findFile(library, sha256, decoded)
  const kind = upload && fileType(upload).kind
  return kind === 'other' || kind === 'svg' || kind === 'text'
    ? { file: `${file}.bin`, download: decoded }
    : { file }
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
