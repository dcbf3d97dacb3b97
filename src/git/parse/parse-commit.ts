import { isAscii } from 'node:buffer'
import { ArchiveError } from '../../errors.ts'
import { type GitObject, isOid } from '../objects/git-object.ts'
import { decodeText } from './decode-text.ts'
import { type Person, parsePerson, trimSpaceAtEnd } from './parse-person.ts'

/** A commit: a state of all files, where it came from, who made it and why. */
export interface Commit {
  readonly oid: string
  readonly tree: string
  readonly parents: readonly string[]
  readonly author: Person
  readonly committer: Person
  readonly message: string
}

/** What tells where history was cut. */
export interface Grafts {
  isShallow(oid: string): boolean
}

/** A commit as Git takes it: without parents where history was cut. Throws `git-object-damaged` for what names no tree. */
export function parseCommit(object: GitObject, { isShallow }: Grafts): Commit {
  const { oid } = object
  const { headers, message } = parseHeaders(object)
  const first = (wanted: string) => headers.find(([name]) => name === wanted)?.[1] ?? ''
  const tree = copyOf(headers[0]?.[1] ?? '')
  if (headers[0]?.[0] !== 'tree' || !isOid(tree)) throw damagedObject(oid, 'it names no tree')
  return {
    oid,
    tree,
    parents: isShallow(oid) ? [] : parentsOf(headers, oid),
    author: parsePerson(first('author')),
    committer: parsePerson(first('committer')),
    message,
  }
}

// A part of a text keeps all of it in memory, and of a commit nothing but its ids may be wanted for long.
const copyOf = (oid: string): string => Buffer.from(oid, 'latin1').toString('latin1')

// Git reads those that directly follow the tree, and no others.
function parentsOf(headers: readonly Header[], oid: string): string[] {
  const parents: string[] = []
  for (const [name, value] of headers.slice(1)) {
    if (name !== 'parent') break
    if (!isOid(value)) throw damagedObject(oid, 'a parent has no id')
    parents.push(copyOf(value))
  }
  return parents
}

export const damagedObject = (oid: string, what: string) =>
  new ArchiveError('git-object-damaged', `the object ${oid} is damaged: ${what}`)

/** The first paragraph of a message on one line. Space is what Git takes for it: ASCII alone. */
export const subjectOf = ({ message }: { message: string }): string =>
  trimSpaceAtEnd(
    (message.replace(/^(?:[ \t\r\f\v]*\n)+/, '').split(/\n[ \t\r\f\v]*\n/, 1)[0] ?? '')
      .split('\n')
      .map(trimSpaceAtEnd)
      .join(' '),
  )

/** An annotated tag. */
export interface Tag {
  readonly oid: string
  /** What it is for, and of which type that is. */
  readonly object: string
  readonly type: string
  readonly name: string
  readonly tagger: Person | undefined
  readonly message: string
}

/** Throws `git-object-damaged` for what is for nothing. */
export function parseTag(stored: GitObject): Tag {
  const { oid } = stored
  const { headers, message } = parseHeaders(stored)
  const first = (wanted: string) => headers.find(([name]) => name === wanted)?.[1]
  const object = first('object') ?? ''
  if (!isOid(object)) throw damagedObject(oid, 'it is for no object')
  const tagger = first('tagger')
  return {
    oid,
    object,
    type: first('type') ?? '',
    name: first('tag') ?? '',
    tagger: tagger === undefined ? undefined : parsePerson(tagger),
    message,
  }
}

/** A line at the head of a commit or tag: `author Ada <…> …`. One that means nothing here has no name. */
export type Header = readonly [name: string, value: string]

const KNOWN = new Set([
  ...['tree', 'parent', 'author', 'committer', 'encoding', 'object', 'type', 'tag', 'tagger'],
])

/**
 * The lines at the head of a commit or tag, up to the first that is empty, and the message after it.
 */
function parseHeaders({ content }: GitObject): { headers: Header[]; message: string } {
  // A byte a character, so that all of it is cut at once, and most of it is text as it is.
  const bytes = content.toString('latin1')
  const headers: [string, string][] = []
  let at = 0
  while (at < bytes.length && bytes[at] !== '\n') {
    const newline = bytes.indexOf('\n', at)
    const end = newline < 0 ? bytes.length : newline
    const line = bytes.slice(at, end)
    const name = line.slice(0, Math.max(0, line.indexOf(' ')))
    if (KNOWN.has(name)) headers.push([name, line.slice(name.length + 1)])
    // Others, and lines that go on with the one before, such as those of a signature, only stand between.
    else if (headers.at(-1)?.[0] !== '') headers.push(['', ''])
    at = end + 1
  }
  const message = bytes.slice(at + 1)
  const encoding = headers.find(([name]) => name === 'encoding')?.[1]
  if (encoding === undefined && isAscii(content)) return { headers, message }
  const decode = (text: string) => decodeText(Buffer.from(text, 'latin1'), encoding)
  return {
    headers: headers.map(([name, value]) => [name, decode(value)]),
    message: decode(message),
  }
}
