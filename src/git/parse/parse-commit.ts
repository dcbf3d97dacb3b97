import { ArchiveError } from '../../errors.ts'
import { type GitObject, isOid } from '../objects/git-object.ts'
import { type Header, parseHeaders } from './parse-headers.ts'
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
