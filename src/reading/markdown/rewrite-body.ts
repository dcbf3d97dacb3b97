import { withoutEnd } from '../../records/upload-links.ts'
import { codeRanges } from './code-ranges.ts'
import { type Markup, markupIn } from './filter-tags.ts'
import { MENTION, type Reference, referenceOf } from './references.ts'

/** Where the links of a text lead in a folder of files. */
export interface BodyLinks {
  /** The address in place of one as it was written; undefined if that stays. */
  address(url: string): FoundAddress | undefined
  /** The address of what a text refers to; undefined if the folder does not have it. */
  reference(reference: Reference): string | undefined
}

export interface FoundAddress {
  readonly to: string
  /** The text to show in place of an address that stands by itself, such as `owner/repo#12`. */
  readonly label?: string | undefined
}

/**
 * Where something begins that is changed, or skipped: an escaped character, a bracket, the target of a link or of a definition, a
 * tag or an address.
 */
const MARKS = [
  '\\\\[\\s\\S]',
  '(?<target>\\]\\([ \\t]*)',
  '(?<definition>(?<=^ {0,3})\\[(?!\\^)[^\\]\\[\\n]{1,999}\\]:[ \\t]*)',
  '(?<tag><)',
  '(?<url>(?<![\\w/])https?://)',
].join('|')

/** For one text after another: to make it takes a fifth of the time. A folder has no commits, so none are looked for. */
const PATTERN = new RegExp(`${MARKS}|${MENTION.source}`, 'gm')

/**
 * Rewrites the links of a Markdown text, but not those in code: what it refers to by `#12` or `@login` becomes a link. A tag
 * without an end, and those that a page cannot have, become text: nothing swallows what follows. It takes time linear in the text.
 */
export function rewriteBody(text: string, links: BodyLinks): string {
  PATTERN.lastIndex = 0
  const first = PATTERN.exec(text)
  if (!first) return text
  const isCode = codeRanges(text)
  const { isLinkText, closes } = findBrackets(text)
  const markupAt = markupIn(text)
  /** Where a block of HTML ends: what is in it is no Markdown. */
  let htmlEnd = 0
  /** Elements that are open, the innermost last. */
  const open: string[] = []
  let made = ''
  let end = 0
  const replace = (from: number, to: number, by: string) => {
    made += text.slice(end, from) + by
    end = to
    PATTERN.lastIndex = to
  }
  for (let match: RegExpExecArray | null = first; match; match = PATTERN.exec(text)) {
    const { 0: found, index: at, groups = {} } = match
    if (isCode(at)) continue
    const after = at + found.length
    const isText = at >= htmlEnd && !isLinkText(at) && !open.includes('a')
    if (groups.target !== undefined || groups.definition !== undefined) {
      const isDefinition = groups.definition !== undefined
      if (at < htmlEnd || !(isDefinition || closes.has(at))) continue
      const target = targetAt(text, after)
      const rest = text.slice(target.end, target.end + 100)
      const isWhole = (isDefinition ? AFTER_DEFINITION : AFTER_TARGET).test(rest)
      if (!isWhole || target.url === '') continue
      const address = links.address(decoded(target.url))
      if (address) replace(after, target.end, address.to)
      else PATTERN.lastIndex = target.end
    } else if (groups.tag !== undefined) {
      const [address, url = ''] = autolinkAt(text, at)
      const markup = address === undefined ? markupAt(at) : undefined
      if (address !== undefined) {
        const stop = at + address.length
        const to = isText ? links.address(url) : undefined
        if (to) replace(at, stop, linkTo(url, to))
        else PATTERN.lastIndex = stop
      } else if (markup === undefined) {
        replace(at, after, '&lt;')
      } else {
        if (at >= htmlEnd) htmlEnd = endOfHtml(text, at, markup.text)
        replace(at, at + markup.text.length, keepTag(markup, open, links))
      }
    } else if (groups.url !== undefined) {
      const url = withoutEnd(addressAt(text, at))
      const stop = at + Math.max(url.length, found.length)
      const to = isText ? links.address(url) : undefined
      if (to) replace(at, stop, linkTo(url, to))
      else PATTERN.lastIndex = stop
    } else if (!found.startsWith('\\') && isText) {
      const to = links.reference(referenceOf(groups))
      if (to !== undefined) replace(at, after, linkTo(found, { to }))
    }
  }
  const closing = open.reverse().map((name) => `</${name}>`)
  return made + text.slice(end) + (closing.length > 0 ? `\n\n${closing.join('')}` : '')
}

/** Elements that are deeper stay open: no reader needs so many. */
const DEEPEST = 100

const AFTER_TARGET = /^[ \t\n]*[)"'(]/
const AFTER_DEFINITION = /^[ \t]*(?:$|\n|["'(])/

const INLINE = new Set(
  'a abbr b br code del em i img ins kbd mark q s samp span strike strong sub sup tt var'.split(
    ' ',
  ),
)
const BLANK = /\n[ \t]*(?:\n|$)/g

/** Where a block of HTML ends that begins with a tag: at the next blank line. The place itself if none begins. */
function endOfHtml(text: string, at: number, tag: string): number {
  const before = text.slice(Math.max(0, at - 4), at)
  const indent = /(?:^|\n)( {0,3})$/.exec(before)?.[1]
  if (indent === undefined) return at
  const line = at - indent.length
  const name = /^<\/?([a-z0-9-]+)/i.exec(tag)?.[1]?.toLowerCase()
  if (name === undefined) return at
  if (INLINE.has(name)) {
    // A tag of these begins one if it stands alone, and no paragraph goes on.
    const isAlone = /^[ \t]*(?:\n|$)/.test(text.slice(at + tag.length, at + tag.length + 100))
    if (!isAlone || !/(?:^|\n)[ \t]*\n?$/.test(text.slice(Math.max(0, line - 100), line))) return at
  }
  BLANK.lastIndex = at
  return BLANK.exec(text)?.index ?? text.length
}

const VOID = new Set(['br', 'hr', 'img', 'input', 'wbr', 'source', 'track', 'col', 'meta', 'link'])

/** A tag with its links rewritten; without one that ends what is not open. */
function keepTag({ text }: Markup, open: string[], links: BodyLinks): string {
  const [, slash, word = ''] = /^<(\/?)([a-z][a-z0-9-]*)/i.exec(text) ?? []
  const name = word.toLowerCase()
  // A comment.
  if (name === '') return text
  if (VOID.has(name)) return withLinks(text, links)
  if (slash) {
    const at = open.lastIndexOf(name)
    if (at < 0) return ''
    open.length = at
    return text
  }
  const shown = withLinks(text, links)
  if (shown.startsWith('<') && !text.endsWith('/>') && open.length < DEEPEST) open.push(name)
  return shown
}

// Begins with the first of several spaces alone: with each of them it would take time that grows with their square.
const ATTRIBUTE =
  /(?<![\s/])([\s/]*)([a-z_:][\w:.-]*)(?:(\s*=\s*)(?:"([^"]*)"|'([^']*)'|([^\s"'<>=`]+)))?/gi
const LINKS = new Set(['href', 'src', 'poster'])
/** These run code, cover a page, or take the place that links to a comment lead to. */
const UNSAFE = /^(?:on.*|style|id|name)$/i

/**
 * A whole tag with other addresses, attribute by attribute: what stands in the value of another one is none. With an unsafe one after
 * a slash it becomes text, as it is on a page.
 */
function withLinks(tag: string, links: BodyLinks): string {
  const [head = ''] = /^<[a-z][a-z0-9-]*/i.exec(tag) ?? []
  let isText = false
  const rest = tag.slice(head.length).replace(ATTRIBUTE, (whole, space, name, is, ...values) => {
    if (UNSAFE.test(name)) {
      isText ||= space.includes('/')
      return ''
    }
    const value: string | undefined = values.slice(0, 3).find((each) => each !== undefined)
    if (value === undefined || !LINKS.has(name.toLowerCase())) return whole
    const address = links.address(decoded(value))
    return address ? `${space}${name}${is}"${address.to.replaceAll('&', '&amp;')}"` : whole
  })
  return isText ? `&lt;${tag.slice(1)}` : head + rest
}

const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  colon: ':',
  newline: '\n',
  quot: '"',
  tab: '\t',
}

/** An address without the escapes that a reader undoes. */
const decoded = (address: string): string =>
  address
    .replace(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|(\w{1,9}));/gi, (found, hex, decimal, name) => {
      if (name !== undefined) return NAMED[name.toLowerCase()] ?? found
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : found
    })
    .trim()

const linkTo = (url: string, { to, label = url }: FoundAddress): string =>
  `[${label.replace(/[\\`*_[\]<>~]/g, '\\$&')}](${to})`

const AUTOLINK = /<(https?:\/\/[^\s<>]*)>/y

/** `<https://…>` at a position, and the address in it. */
function autolinkAt(text: string, at: number): readonly (string | undefined)[] {
  AUTOLINK.lastIndex = at
  return AUTOLINK.exec(text) ?? []
}

const ADDRESS = /https?:\/\/[^\s<>"'`[\]\\]*/y

function addressAt(text: string, at: number): string {
  ADDRESS.lastIndex = at
  return ADDRESS.exec(text)?.[0] ?? ''
}

const POINTED = /<([^<>\n]*)>/y
/** A longer one is left: it is a file by itself. */
const PLAIN = /[^\s<>]{0,2000}/y

/** The target of a link: `<with spaces>`, or up to a space or a parenthesis that is not opened in it. */
function targetAt(text: string, at: number): { url: string; end: number } {
  POINTED.lastIndex = at
  const [pointed, inside = ''] = POINTED.exec(text) ?? []
  if (pointed !== undefined) return { url: inside, end: at + pointed.length }
  PLAIN.lastIndex = at
  const [plain = ''] = PLAIN.exec(text) ?? []
  let [open, end] = [0, 0]
  for (; end < plain.length; end++) {
    if (plain[end] === '(') open++
    if (plain[end] === ')' && --open < 0) break
  }
  return { url: plain.slice(0, end), end: at + end }
}

interface Brackets {
  /** Whether a position is in the text of a link, asked in rising order: what is there cannot be another one. */
  isLinkText(at: number): boolean
  /** Where brackets end that are opened. */
  readonly closes: ReadonlySet<number>
}

function findBrackets(text: string): Brackets {
  const isCode = codeRanges(text)
  const ranges: { start: number; end: number }[] = []
  const closes = new Set<number>()
  const open: number[] = []
  for (const { 0: sign, index } of text.matchAll(/\\[\s\S]|[[\]]/g)) {
    if (isCode(index) || sign.startsWith('\\')) continue
    if (sign === '[') {
      open.push(index)
      continue
    }
    const start = open.pop()
    if (start === undefined || !/[([:]/.test(text[index + 1] ?? '')) continue
    closes.add(index)
    // The outer one has the inner ones in it.
    while ((ranges.at(-1)?.start ?? -1) > start) ranges.pop()
    ranges.push({ start, end: index })
  }
  let next = 0
  const isLinkText = (at: number) => {
    while (next < ranges.length && (ranges[next]?.end ?? 0) < at) next++
    return (ranges[next]?.start ?? text.length) < at
  }
  return { isLinkText, closes }
}
