import { percentDecoded } from '../../base/text.ts'
import type { Lookup } from './identity-map.ts'

/** Counts of names that were replaced, or cannot be put back, while texts were read. */
export interface MapNotes {
  /** Occurrences that were written unlike the name in the map: the inverse map writes them as there. */
  respelt: number
  /** Occurrences of new names that were there before: the inverse map would change them. */
  taken: number
}

/** Replaces URLs of the old names. */
export interface UrlMapper {
  /** A string that is a URL as a whole; the same if it is of no old name. */
  mapUrl(url: string): string
  /** The URLs within a text. */
  mapUrls(text: string): string
  /** `tarball://root/repositories/owner/name.git`, or a path below `repositories/`. */
  mapPath(path: string): string
  /** `owner/name`, also of a wiki. */
  mapRepository(name: string): string
  /** A login; the same if it is not renamed. */
  mapLogin(login: string): string
}

/** Folders of a host that are no logins; the name of a person or organization may follow. */
const BEFORE_LOGIN = new Set(['orgs', 'apps', 'sponsors', 'organizations'])

const SCHEME = '://'
const WWW = 'www.'

/**
 * Maps URLs by looking up their parts, so that the time does not depend on the number of names. `/ada` is not in `/adam`:
 * a part ends where a name must end.
 */
export function createUrlMapper(
  { hosts, logins, repositories, newHosts, newLogins }: Lookup,
  known: ReadonlySet<string>,
  notes: MapNotes,
): UrlMapper {
  const mapLogin = (login: string): string => {
    const renaming = logins.get(login.toLowerCase())
    if (renaming === undefined) {
      if (newLogins.has(login.toLowerCase())) notes.taken++
      return login
    }
    if (renaming.old !== login) notes.respelt++
    return renaming.new
  }
  const mapRepository = (name: string): string => {
    const [, plain = name, wiki = ''] = /^(.*?)(\.wiki)?$/s.exec(name) ?? []
    const whole = repositories.get(plain.toLowerCase())
    if (whole !== undefined) return whole + wiki
    const slash = plain.indexOf('/')
    if (slash < 0) return name
    return mapLogin(plain.slice(0, slash)) + plain.slice(slash) + wiki
  }
  /** The path of a URL on a known host, from its first slash. */
  const mapParts = (path: string): string => {
    const [, first = '', rest = ''] = PART.exec(path) ?? []
    if (first === '') return path
    if (BEFORE_LOGIN.has(first)) {
      const [, second = '', more = ''] = PART.exec(rest) ?? []
      return second === '' ? path : `/${first}/${mapName(second, mapLogin)}${more}`
    }
    const [, second = '', more = ''] = PART.exec(rest) ?? []
    if (second !== '') {
      const [, bare = second, git = ''] = /^(.*?)((?:\.wiki)?(?:\.git)?)$/s.exec(second) ?? []
      const now = repositories.get(`${first}/${bare}`.toLowerCase())
      if (now !== undefined) return `/${now}${git}${more}`
    }
    return `/${mapName(first, mapLogin)}${rest}`
  }
  /** The part of a text that is a URL: its host from `at`, and where it ends. */
  const mapAt = (text: string, at: number, end: number, scheme: string): string | undefined => {
    const slash = nextOf(text, at, end)
    const typed = text.slice(at, slash)
    const whole = typed.toLowerCase()
    // The same site is often behind this name as well.
    const www = known.has(whole) || !whole.startsWith(WWW) ? '' : typed.slice(0, WWW.length)
    const host = whole.slice(www.length)
    if (!known.has(host)) {
      if (newHosts.has(host)) notes.taken++
      return undefined
    }
    const now = hosts.get(host)
    const path = mapParts(text.slice(slash, end))
    if (now === undefined) return `${scheme}${typed}${path}`
    const { oldScheme, newScheme } = now
    const isOtherScheme = newScheme !== oldScheme && scheme !== oldScheme
    if (host !== typed.slice(www.length) || isOtherScheme) notes.respelt++
    return `${newScheme === oldScheme ? scheme : newScheme}${www}${now.host}${path}`
  }
  return {
    mapLogin,
    mapRepository,
    mapUrl(url) {
      const at = url.indexOf(SCHEME)
      if (at < 4 || at > 5 || !isWeb(url.slice(0, at))) return url
      return mapAt(url, at + SCHEME.length, url.length, url.slice(0, at + SCHEME.length)) ?? url
    },
    mapUrls(text) {
      let from = 0
      let mapped = ''
      for (let at = text.indexOf(SCHEME); at >= 0; at = text.indexOf(SCHEME, at + 1)) {
        const start = text.slice(at - 5, at).toLowerCase() === 'https' ? at - 5 : at - 4
        if (start < from || !isWeb(text.slice(start, at)) || isNameAt(text, start - 1)) continue
        const end = endOfUrl(text, at + SCHEME.length)
        const now = mapAt(text, at + SCHEME.length, end, text.slice(start, at + SCHEME.length))
        if (now === undefined) continue
        mapped += text.slice(from, start) + now
        from = end
      }
      return from === 0 ? text : mapped + text.slice(from)
    },
    mapPath(path) {
      const [, before = '', name = '', rest = ''] = REPOSITORY_PATH.exec(path) ?? []
      if (before !== '') return `${before}${mapRepository(name)}${rest}`
      const [, folder = '', owner = ''] = /^(repositories\/)([^/]+)\/$/.exec(path) ?? []
      return folder === '' ? path : `${folder}${mapLogin(owner)}/`
    },
  }
}

const REPOSITORY_PATH = /^((?:tarball:\/\/root\/)?repositories\/)([^/]+\/[^/]+?)(\.git(?:\/.*)?)$/s

const isWeb = (scheme: string) => /^https?$/i.test(scheme)
const isNameAt = (text: string, at: number) => at >= 0 && /[\w]/.test(text[at] as string)

/** A part of a path, as far as a name may go, and the rest. */
const PART = /^\/([^/?#]*)(.*)$/s

/** A name in a URL, which may be percent-encoded, end a sentence, or have `.git` behind it. */
function mapName(part: string, map: (name: string) => string): string {
  const [, plain = '', end = ''] = /^(.*?)((?:\.git)?)$/s.exec(part) ?? []
  const decoded = plain.includes('%') ? percentDecoded(plain) : plain
  const now = map(decoded)
  if (now === decoded) return part
  return (plain === decoded ? now : now.replace(/[[\]]/g, encodeURIComponent)) + end
}

/** Where the host ends. */
function nextOf(text: string, at: number, end: number): number {
  let i = at
  while (i < end && !'/?#'.includes(text[i] as string)) i++
  return i
}

// White space, quotes and brackets end a URL in Markdown and HTML, except the brackets of a bot.
const ENDS = /[\s<>"'`|\\^{}()[\],;*]/
const TRAILING = '.:!?_~'

/** Where a URL in a text ends: punctuation after it belongs to the sentence. */
function endOfUrl(text: string, at: number): number {
  let end = at
  while (end < text.length) {
    if (ENDS.test(text[end] as string)) {
      if (!text.startsWith('[bot]', end)) break
      end += '[bot]'.length
    } else end++
  }
  while (end > at && TRAILING.includes(text[end - 1] as string)) end--
  return end
}
