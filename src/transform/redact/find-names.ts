import type { Finding } from './finding.ts'

/** Finds full names in a text. */
export type NameFinder = (text: string) => Iterable<Finding>

/** A hyphen joins parts of a name, as in Anne-Marie, but may also be before one, as in report-Ada. */
const PART = /[\p{L}\p{N}\p{M}]+(?:['’][\p{L}\p{N}\p{M}]+)*/gu

/** A part of a name as it is compared, and whether a hyphen joins it to the part before. */
interface Part {
  key: string
  isJoined: boolean
}

/** Names that begin with the same parts, by the next part. */
interface Node {
  /** Whether a name ends here. */
  isName: boolean
  next: Map<string, Node> | undefined
}

/** Where most names end. */
const END: Node = { isName: true, next: undefined }

/**
 * Creates a finder of full names of two words or more, in a tree of their parts: the time does not depend on their number. The
 * case of letters does not count, nor does the white space between words, which may also be a `+`, as in a URL.
 */
export function createNameFinder(names: Iterable<string>): NameFinder | undefined {
  const first = new Map<string, Node>()
  for (const name of names) if (wordsOf(name).length >= 2) addName(first, partsOf(name))
  if (first.size === 0) return undefined
  const clean = remember(cleanPart)
  return function* (text) {
    // Two words have something between them.
    if (!/[\s.+]/.test(text)) return
    const pattern = new RegExp(PART)
    const next: NextPart = (from) => {
      pattern.lastIndex = from
      const match = pattern.exec(text)
      if (!match) return undefined
      const [found] = match
      const { key, length } = clean(found)
      return { key, length, start: match.index, behind: match.index + found.length }
    }
    for (let part = next(0); part; ) {
      const node = first.get(part.key)
      const end = node && endOf(node, part, text, next)
      if (end !== undefined) {
        yield { type: 'name', start: part.start, end, value: text.slice(part.start, end) }
      }
      part = next(end ?? part.behind)
    }
  }
}

function addName(first: Map<string, Node>, parts: readonly Part[]): void {
  let nodes = first
  parts.forEach(({ key, isJoined }, i) => {
    const step = i === 0 ? key : stepOf(key, isJoined)
    const known = nodes.get(step)
    if (i === parts.length - 1) {
      if (known) known.isName = true
      else nodes.set(step, END)
      return
    }
    const node =
      known === undefined || known === END ? { isName: known === END, next: undefined } : known
    if (node !== known) nodes.set(step, node)
    node.next ??= new Map()
    nodes = node.next
  })
}

/** A part of a name behind another one. */
const stepOf = (key: string, isJoined: boolean): string => (isJoined ? `-${key}` : key)

/** The next part of a text from a place. */
type NextPart = (from: number) => Placed | undefined

/** Where the longest name ends that begins with a part of a text, if there is one. */
function endOf(from: Node, part: Placed, text: string, next: NextPart): number | undefined {
  let end: number | undefined
  let last = part
  for (let node: Node | undefined = from; node?.next; ) {
    const more = next(last.behind)
    if (!more) break
    const between = text.slice(last.start + last.length, more.start)
    // Other text between two words parts them; an initial may have its full stop.
    const isJoined = between === '-'
    if (!isJoined && !/^(?:\.?\s{1,3}|[.+])$/.test(between)) break
    node = node.next.get(stepOf(more.key, isJoined))
    last = more
    if (node?.isName) end = more.start + more.length
  }
  return end
}

/** The words of a name, as they are compared. */
export const wordsOf = (name: string): string[] =>
  partsOf(name).reduce<string[]>((words, { key, isJoined }) => {
    if (isJoined) words.push(`${words.pop()}-${key}`)
    else words.push(key)
    return words
  }, [])

const partsOf = (name: string): Part[] =>
  [...name.matchAll(PART)].map(({ 0: part, index }, i) => ({
    key: cleanPart(part).key,
    isJoined: i > 0 && name[index - 1] === '-' && /[\p{L}\p{N}\p{M}]/u.test(name[index - 2] ?? ''),
  }))

interface Clean {
  key: string
  length: number
}

interface Placed extends Clean {
  start: number
  /** Where it ends with the ending of a genitive. */
  behind: number
}

/** Parts come again and again. */
const MOST_KNOWN = 20_000

function remember(clean: (part: string) => Clean): (part: string) => Clean {
  const known = new Map<string, Clean>()
  return (part) => {
    let cleaned = known.get(part)
    if (cleaned === undefined) {
      cleaned = clean(part)
      if (known.size < MOST_KNOWN && part.length < 40) known.set(part, cleaned)
    }
    return cleaned
  }
}

/** A part without the ending of a genitive. */
function cleanPart(part: string): Clean {
  const bare = /['’]/.test(part) ? part.replace(/['’]s$/, '') : part
  const key = /^[\w'’]*$/.test(bare) ? bare : bare.normalize('NFC')
  return { key: key.toLowerCase(), length: bare.length }
}
