import { throwIfInterrupted } from '../../base/errors.ts'
import { openSearchTexts } from '../../reading/threads/all-texts.ts'
import { sizeOfUploads } from '../../reading/uploads.ts'
import type { Pages } from '../open-pages.ts'
import type { SiteScope } from '../page.ts'
import { rewriteLinks } from './rewrite-links.ts'
import { type SiteAddress, siteAddressOf } from './site-address.ts'
import { totalsOf } from './site-totals.ts'
import type { Resolve } from './write-pages.ts'

/** Pages of a kind that are made, and pages of these with a query, to know how large such pages are and where they lead. */
const SAMPLES = 20
const WITH_QUERY = 100

/** The pages of one pattern. */
interface Kind {
  /** Paths that were found, and those of them whose page was made. */
  readonly found: Set<string>
  readonly made: Set<string>
  /** The last page of each list that was found: by its path, and its query without the number of the page. */
  readonly lists: Map<string, Map<string, number>>
  /** Pages without and with a query that were made, and their bytes. */
  readonly plain: Sizes
  readonly withQuery: Sizes
}

interface Sizes {
  pages: number
  bytes: number
}

/** Files that hosts look for, and the list of all. */
const HOST_FILES = 4

/**
 * About how many files a site would have, and how many bytes: pages that grow with the archive are counted in the databases,
 * and some of each kind are made. What is rare is found, and made.
 */
export async function countSite(
  pages: Pages,
  resolve: Resolve,
  { scope, signal }: { scope: SiteScope; signal?: AbortSignal | undefined },
): Promise<{ files: number; bytes: number }> {
  const { library } = pages
  const make = async (page: SiteAddress, sizes: Sizes, note?: (address: string) => void) => {
    const rendered = await pages.render(page.path, page.query)
    sizes.pages++
    if ('file' in rendered) sizes.bytes += rendered.file.size ?? 0
    if (!('html' in rendered)) return
    const html = rewriteLinks(rendered.html, page.file, (to) => {
      const link = resolve(to)
      if (link) note?.(link.address)
      return link
    })
    sizes.bytes += Buffer.byteLength(html)
  }
  const kinds = new Map<string, Kind>()
  const queue = new Set(['/', '/-/threads'])
  for (const address of queue) {
    throwIfInterrupted(signal)
    const page = siteAddressOf(address)
    const pattern = page && pages.find(page.path, page.query)?.page.path
    // Their bytes are known.
    if (!page || pattern === undefined || pattern.startsWith('/-/files/')) continue
    if (pattern.startsWith('/-/download/')) continue
    const kind = kinds.get(pattern) ?? newKind()
    kinds.set(pattern, kind)
    if (isChosen(kind, page)) {
      const sizes = isBase(page) ? kind.plain : kind.withQuery
      await make(page, sizes, (link) => queue.add(link))
    }
  }
  const totals = totalsOf(library, scope)
  let [files, bytes] = [HOST_FILES, 0]
  for (const [pattern, kind] of kinds) {
    // The first ones that were found are the newest, and may be longer than others.
    const step = Math.floor(kind.found.size / SAMPLES)
    const others = step < 2 ? [] : [...kind.found].filter((_, i) => i % step === 1)
    const sizes = others.length === 0 ? kind.plain : { pages: 0, bytes: 0 }
    for (const address of others) {
      throwIfInterrupted(signal)
      const page = siteAddressOf(address)
      if (page) await make(page, sizes)
    }
    const paths = Math.max(kind.found.size, totals.get(pattern) ?? 0)
    const lists = paths * listsOf(kind)
    files += paths + Math.round(lists)
    bytes += Math.round(paths * meanOf(sizes) + lists * meanOf(kind.withQuery))
  }
  const others = [
    scope.files ? sizeOfUploads(library) : NOTHING,
    scope.search ? countIndex(pages) : NOTHING,
  ]
  for (const other of others) {
    files += other.files
    bytes += other.bytes
  }
  for (const { size } of scope.archives) {
    files++
    bytes += size
  }
  return { files, bytes }
}

const NOTHING = { files: 0, bytes: 0 }

const newKind = (): Kind => ({
  found: new Set(),
  made: new Set(),
  lists: new Map(),
  plain: { pages: 0, bytes: 0 },
  withQuery: { pages: 0, bytes: 0 },
})

/** Notes an address, and tells whether its page is made. */
function isChosen(kind: Kind, { path, query, text }: SiteAddress): boolean {
  const base = query.has('url') ? text : path
  kind.found.add(base)
  const rest = new URLSearchParams(query)
  rest.delete('page')
  const lists = kind.lists.get(base) ?? new Map<string, number>()
  kind.lists.set(base, lists)
  const list = rest.toString()
  lists.set(list, Math.max(lists.get(list) ?? 1, Number(query.get('page') ?? 1)))
  if (base === path && query.size > 0) {
    return kind.made.has(base) && kind.withQuery.pages < WITH_QUERY
  }
  if (kind.made.size === SAMPLES) return false
  kind.made.add(base)
  return true
}

/** Whether an address is a path alone. Records have one path, and are told apart by their query. */
const isBase = ({ query }: SiteAddress): boolean => query.size === 0 || query.has('url')

/** How many more pages a path has, on average of those that were made: those of its lists. */
function listsOf({ made, lists }: Kind): number {
  let count = 0
  for (const path of made) {
    for (const last of lists.get(path)?.values() ?? []) count += last
  }
  return made.size === 0 ? 0 : Math.max(0, count / made.size - 1)
}

const meanOf = ({ pages, bytes }: Sizes): number => (pages === 0 ? 0 : bytes / pages)

/** Texts whose words are counted. */
const TEXTS = 400
/** Bytes of a script of the index, and of one word in a text of it. */
const SCRIPT = 50_000
const WORD = 5

function countIndex({ library }: Pages): { files: number; bytes: number } {
  const all = openSearchTexts(library)
  try {
    let [texts, size] = [0, 0]
    const step = Math.max(1, Math.ceil(all.count / TEXTS))
    for (let after = 0; after < all.count; after += step) {
      for (const { title, body } of all.following(after, 1)) {
        const text = `${title ?? ''} ${(body ?? '').slice(0, 4_096)}`
        texts++
        size += 150 + Buffer.byteLength(text) + WORD * new Set(text.split(/\W+/)).size
      }
    }
    const bytes = texts === 0 ? 0 : Math.round((size * all.count) / texts)
    return { files: 1 + Math.ceil(bytes / SCRIPT), bytes }
  } finally {
    all.close()
  }
}
