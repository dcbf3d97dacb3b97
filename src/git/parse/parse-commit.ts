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
  const { headers, message, decode } = splitHeaders(object)
  const tree = headers.startsWith(TREE) ? valueAt(headers, TREE.length) : ''
  if (!isOid(tree)) throw damagedObject(oid, 'it names no tree')
  const author = headerOf(headers, '\nauthor ') ?? ''
  const committer = headerOf(headers, '\ncommitter ') ?? ''
  const writer = parsePerson(decode(author))
  return {
    oid,
    tree: copyOf(tree),
    parents: isShallow(oid) ? [] : parentsOf(headers, oid),
    author: writer,
    committer: committer === author ? writer : parsePerson(decode(committer)),
    message,
  }
}

const TREE = '\ntree '
const PARENT = '\nparent '
const OID = 40

// Like Git, reads only the parents that directly follow the tree.
function parentsOf(headers: string, oid: string): string[] {
  const parents: string[] = []
  const first = TREE.length + OID
  for (let at = first; headers.startsWith(PARENT, at); at += PARENT.length + OID) {
    const parent = valueAt(headers, at + PARENT.length)
    if (!isOid(parent)) throw damagedObject(oid, 'a parent has no id')
    parents.push(copyOf(parent))
  }
  return parents
}

// A substring keeps the whole commit in memory, and ids are often kept for long.
const copyOf = (oid: string): string => Buffer.from(oid, 'latin1').toString('latin1')

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
  const { headers, message, decode } = splitHeaders(stored)
  const first = (start: string) => decode(headerOf(headers, start) ?? '')
  const object = first('\nobject ')
  if (!isOid(object)) throw damagedObject(oid, 'it names no object')
  const tagger = headerOf(headers, '\ntagger ')
  return {
    oid,
    object,
    type: first('\ntype '),
    name: first('\ntag '),
    tagger: tagger === undefined ? undefined : parsePerson(decode(tagger)),
    message,
  }
}

/** The headers of a commit or tag, each between two newlines, with one character for each byte, and the message. */
function splitHeaders({ content }: GitObject): {
  headers: string
  message: string
  decode: (text: string) => string
} {
  // They end at an empty line, which may be missing.
  const text = `\n${content.toString('latin1')}\n\n`
  const end = text.indexOf('\n\n')
  const headers = text.slice(0, end + 1)
  const message = text.slice(end + 2, -2)
  const encoding = headerOf(headers, '\nencoding ')
  const decode =
    encoding === undefined && isAscii(content)
      ? (ascii: string) => ascii
      : (latin1: string) => decodeText(Buffer.from(latin1, 'latin1'), encoding)
  return { headers, message: decode(message), decode }
}

/** The value of the first header that starts so. Lines that continue another begin with a space. */
function headerOf(headers: string, start: string): string | undefined {
  const at = headers.indexOf(start)
  return at < 0 ? undefined : valueAt(headers, at + start.length)
}

const valueAt = (headers: string, at: number): string =>
  headers.slice(at, headers.indexOf('\n', at))
