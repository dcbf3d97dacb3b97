import { codeRanges } from '../../reading/markdown/code-ranges.ts'
import type { Lookup } from './identity-map.ts'
import type { UrlMapper } from './map-urls.ts'

/** Where `@login` is replaced: everywhere, outside of code, or nowhere. */
export const MENTIONS = ['code', 'text', 'none'] as const
export type Mentions = (typeof MENTIONS)[number]

/**
 * Creates a function that maps the URLs, mentions and short references (`owner/name#12`, `owner/name@c0ffee`) in a Markdown
 * text, in one pass for each.
 */
export function createTextMapper(
  urls: UrlMapper,
  { logins, repositories }: Lookup,
  { mentions, isOrganization }: { mentions: Mentions; isOrganization: (login: string) => boolean },
): (text: string) => string {
  const hasNames = logins.size > 0 || repositories.size > 0
  const hasStops = logins.keys().some((login) => login.includes('.'))
  const mapMention = (text: string, at: number): { end: number; now: string } | undefined => {
    if (at > 0 && /[\w/.@-]/.test(text[at - 1] as string)) return undefined
    const dotted = hasStops ? longestKnown(text, at + 1, logins) : undefined
    if (dotted !== undefined) {
      return { end: at + 1 + dotted.length, now: `@${urls.mapLogin(dotted)}` }
    }
    let end = at + 1
    while (end < text.length && /[A-Za-z0-9_-]/.test(text[end] as string)) end++
    const login = text.slice(at + 1, end).replace(/(?<![-_])[-_]+$/, '')
    end = at + 1 + login.length
    const now = urls.mapLogin(login)
    if (login === '' || now === login) return undefined
    const next = text[end] ?? ''
    // An address, a version, or a package such as @ada/kettle, unless an organization has teams.
    if (next === '.' && /\w/.test(text[end + 1] ?? '')) return undefined
    if (next === '@' || (next === '/' && !isOrganization(login))) return undefined
    return { end, now: `@${now}` }
  }
  const mapMentions = (text: string): string => {
    const isCode = mentions === 'text' ? codeRanges(text) : () => false
    let from = 0
    let mapped = ''
    for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
      if (at < from || isCode(at)) continue
      const found = mapMention(text, at)
      if (!found) continue
      mapped += text.slice(from, at) + found.now
      from = found.end
    }
    return from === 0 ? text : mapped + text.slice(from)
  }
  return (text) => {
    let mapped = text.includes('://') ? urls.mapUrls(text) : text
    if (!hasNames) return mapped
    if (mentions !== 'none' && mapped.includes('@')) mapped = mapMentions(mapped)
    if (/[#@]/.test(mapped) && mapped.includes('/')) {
      mapped = mapped.replace(SHORT_REFERENCE, (name) => urls.mapRepository(name))
    }
    return mapped
  }
}

const DOTTED = /[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}/y

/** The longest login with a full stop in it that a text has at a place. */
export function longestKnown(
  text: string,
  at: number,
  logins: { has(login: string): boolean },
): string | undefined {
  DOTTED.lastIndex = at
  let login = DOTTED.exec(text)?.[0] ?? ''
  for (; login.includes('.'); login = login.slice(0, login.lastIndexOf('.'))) {
    const trimmed = login.replace(/(?<![._-])[._-]+$/, '')
    if (trimmed.includes('.') && logins.has(trimmed.toLowerCase())) return trimmed
  }
  return undefined
}

/** `owner/name` before `#12` or `@` and a commit; not within a path or URL. */
export const SHORT_REFERENCE =
  /(?<![\w./@:-])[A-Za-z0-9][\w.-]{0,99}\/[\w.-]{1,100}(?=#\d|@[0-9a-f]{7,40}\b)/g
