import { createHash } from 'node:crypto'
import { findPage } from '../open-pages.ts'

/** The longest path of a file in a site. */
const LONGEST = 600
/** Windows has devices with these names. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d¹²³])(?:\.|$)/i
const PLAIN = /^[\w@+][\w.@+-]{0,99}$/

/** An address of a page that a site has, with its query in one order. */
export interface SiteAddress {
  readonly path: string
  readonly query: URLSearchParams
  /** Both together: two addresses of one page are equal. */
  readonly text: string
  /** The file of the page in the site. */
  readonly file: string
}

/**
 * The file that a site has for an address of ours; undefined for pages that need a server.
 *
 * @param address path and query, without a fragment
 */
export function siteAddressOf(address: string): SiteAddress | undefined {
  const [path = '', search = ''] = address.split('?')
  const found = findPage(path)
  if (!found || found.page.isServerOnly) return undefined
  const given = new URLSearchParams(search)
  const query = new URLSearchParams()
  for (const name of found.page.query ?? []) {
    const value = given.get(name)
    if (value !== null && !(name === 'page' && value === '1')) query.set(name, value)
  }
  const text = query.size === 0 ? path : `${path}?${query}`
  return { path, query, text, file: fileOf(path, query, found.page.path) }
}

/** Names of files at the top of a site, without their ending. */
const OURS = /^(?:index|404|search)$/i

/** Patterns whose pages are files with a name of their own, not HTML. */
const BYTES = new Set(['/-/assets/:name', '/-/files/:sha256/:name', '/:owner/:repo/-/labels.css'])

/** Names of files are kept. An ending may be added to them, and no file system takes more than 255 bytes. */
const NAME_OF_BYTES = /^[\w-][\w.-]{0,199}$/

function fileOf(path: string, query: URLSearchParams, pattern: string): string {
  if (path === '/' && query.size === 0) return 'index.html'
  const parts = path === '/' ? ['-', 'index'] : path.split('/').slice(1).map(decodeURIComponent)
  const safe = parts.map((part, i) => safePart(part, i, pattern))
  // A login may be the name of a page of ours at the top.
  if (pattern === '/:login' && OURS.test(parts[0] ?? '')) safe[0] = `${parts[0]}~person`
  if (query.size > 0) {
    const last = [...query].map(([name, value]) => `${name}-${value}`).join('.')
    safe.push('-', safePart(last, safe.length, pattern))
  }
  const file = safe.join('/')
  // Not every file system takes a longer path.
  const short =
    file.length > LONGEST ? `${safe.slice(0, 3).join('/')}/${safePart(file, 0, '')}` : file
  return `${short}${BYTES.has(pattern) ? '' : '.html'}`
}

/** A part of a path as a name that every file system takes; one that had to be changed gets a hash, so that none fall together. */
function safePart(part: string, position: number, pattern: string): string {
  // Owners and repositories are found in any case: two that differ only in case are one.
  const isOneCase = position < 2 || !/[A-Z]/.test(part)
  // Windows takes neither.
  const isTaken = !DEVICE.test(part) && !part.endsWith('.')
  const isPlain = PLAIN.test(part) && isTaken
  const isOwn =
    (part === '-' && pattern.split('/')[position + 1] === '-') ||
    (BYTES.has(pattern) && position >= 2 && NAME_OF_BYTES.test(part) && isTaken)
  if (isOwn || (isPlain && isOneCase && !/\.html$|\.git$/i.test(part))) return part
  const hash = createHash('sha256').update(part).digest('hex').slice(0, 10)
  return `${part
    .replace(/[^\w-]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, 60)}~${hash}`
}
