import { isAscii } from 'node:buffer'
import { ArchiveError } from '../../base/errors.ts'
import { decodeText } from './decode-text.ts'
import { type GitObject, isOid } from './git-object.ts'
import { type Person, parsePerson, trimSpaceAtEnd } from './parse-person.ts'

/** A commit. */
export interface Commit {
  /** Its id. */
  readonly oid: string
  /** Id of the tree of its files. */
  readonly tree: string
  /** Ids of the commits before it: none for the first commit, several for a merge. */
  readonly parents: readonly string[]
  /** Who wrote the change, and when. */
  readonly author: Person
  /** Who committed it, and when. */
  readonly committer: Person
  /** The message with all its lines. */
  readonly message: string
}

/** The facts about a commit that a walk through history needs. */
export interface CommitLinks {
  readonly oid: string
  readonly tree: string
  readonly parents: readonly string[]
  /** When it was committed, in seconds since 1970; 0 without a date. */
  readonly seconds: number
}

/** Knows the shallow commits, where history was cut. */
export interface Grafts {
  isShallow(oid: string): boolean
}

/** Parses a commit. A shallow one has no parents. Throws `git-object-damaged` if it names no tree. */
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

const TREE = 'tree '.length
const PARENT = 'parent '.length
const OID = 40

/** Parses only the links and the date of a commit; of one that looks unusual, all. Throws as `parseCommit` does. */
export function parseCommitLinks(object: GitObject, grafts: Grafts): CommitLinks {
  const { oid, content } = object
  return readLinks(oid, content, grafts) ?? linksOf(parseCommit(object, grafts))
}

const linksOf = ({ oid, tree, parents, committer }: Commit): CommitLinks => ({
  oid,
  tree,
  parents,
  seconds: committer.seconds ?? 0,
})

const COMMITTER = /^author [^\n]*\ncommitter [^\n]*> (\d{1,12}) [+-]\d{4}\n/

function readLinks(oid: string, content: Buffer, { isShallow }: Grafts): CommitLinks | undefined {
  const idAt = (at: number) => content.toString('latin1', at, at + OID)
  const tree = idAt(TREE)
  if (content.toString('latin1', 0, TREE) !== 'tree ' || !isOid(tree)) return undefined
  const parents: string[] = []
  let at = TREE + OID + 1
  while (content.toString('latin1', at, at + PARENT) === 'parent ') {
    const parent = idAt(at + PARENT)
    if (!isOid(parent) || content[at - 1] !== NEWLINE) return undefined
    parents.push(parent)
    at += PARENT + OID + 1
  }
  if (content[at - 1] !== NEWLINE) return undefined
  const seconds = COMMITTER.exec(content.toString('latin1', at, at + USUAL))?.[1]
  if (seconds === undefined) return undefined
  return { oid, tree, parents: isShallow(oid) ? [] : parents, seconds: Number(seconds) }
}

const NEWLINE = 10
// The author and the committer of most commits.
const USUAL = 500

// A substring keeps the whole commit in memory, and ids are often kept for long.
const copyOf = (oid: string): string => Buffer.from(oid, 'latin1').toString('latin1')

// Like Git, reads only the parents that directly follow the tree.
function parentsOf(headers: readonly Header[], oid: string): string[] {
  const parents: string[] = []
  for (const [name, value] of headers.slice(1)) {
    if (name !== 'parent') break
    if (!isOid(value)) throw damagedObject(oid, 'a parent has no id')
    parents.push(copyOf(value))
  }
  return parents
}

export const damagedObject = (oid: string, fault: string) =>
  new ArchiveError('git-object-damaged', `the object ${oid} is damaged: ${fault}`)

/** The first paragraph of a message, on one line. As in Git, only ASCII space counts as space. */
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
  /** The tagged object. */
  readonly object: string
  /** The type of the tagged object. */
  readonly type: string
  readonly name: string
  readonly tagger: Person | undefined
  readonly message: string
}

/** Parses a tag. Throws `git-object-damaged` if it names no object. */
export function parseTag(stored: GitObject): Tag {
  const { oid } = stored
  const { headers, message } = parseHeaders(stored)
  const first = (wanted: string) => headers.find(([name]) => name === wanted)?.[1]
  const object = first('object') ?? ''
  if (!isOid(object)) throw damagedObject(oid, 'it names no object')
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

/** A header line of a commit or tag, such as `author Ada <…> …`. Unknown ones have an empty name. */
export type Header = readonly [name: string, value: string]

const KNOWN = new Set([
  'tree',
  'parent',
  'author',
  'committer',
  'encoding',
  'object',
  'type',
  'tag',
  'tagger',
])

/** Parses the headers of a commit or tag, which end at an empty line, and the message. */
function parseHeaders({ content }: GitObject): { headers: Header[]; message: string } {
  // One character per byte: fast to split, and usually ASCII anyway.
  const bytes = content.toString('latin1')
  const headers: [string, string][] = []
  let at = 0
  while (at < bytes.length && bytes[at] !== '\n') {
    const newline = bytes.indexOf('\n', at)
    const end = newline < 0 ? bytes.length : newline
    const line = bytes.slice(at, end)
    const name = line.slice(0, Math.max(0, line.indexOf(' ')))
    if (KNOWN.has(name)) headers.push([name, line.slice(name.length + 1)])
    // An empty name marks other headers and continuation lines, such as a signature, which may separate parents.
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
