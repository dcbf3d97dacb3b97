import { ArchiveError } from '../errors.ts'
import { type GitObject, isOid } from './git-object.ts'
import { type Header, parseHeaders } from './parse-headers.ts'
import { type Person, parsePerson } from './parse-person.ts'

/** A commit: a state of all files, where it came from, who made it and why. */
export interface Commit {
  readonly oid: string
  readonly tree: string
  readonly parents: readonly string[]
  readonly author: Person
  readonly committer: Person
  readonly message: string
}

/** Throws `git-object-damaged` for what names no tree. */
export function parseCommit(object: GitObject): Commit {
  const { oid } = object
  const { headers, message } = parseHeaders(object)
  const first = (wanted: string) => headers.find(([name]) => name === wanted)?.[1] ?? ''
  const tree = headers[0]?.[1] ?? ''
  if (headers[0]?.[0] !== 'tree' || !isOid(tree)) throw damagedObject(oid, 'it names no tree')
  return {
    oid,
    tree,
    parents: parentsOf(headers, oid),
    author: parsePerson(first('author')),
    committer: parsePerson(first('committer')),
    message,
  }
}

// Git reads those that directly follow the tree, and no others.
function parentsOf(headers: readonly Header[], oid: string): string[] {
  const parents: string[] = []
  for (const [name, value] of headers.slice(1)) {
    if (name !== 'parent') break
    if (!isOid(value)) throw damagedObject(oid, 'a parent has no id')
    parents.push(value)
  }
  return parents
}

export const damagedObject = (oid: string, what: string) =>
  new ArchiveError('git-object-damaged', `the object ${oid} is damaged: ${what}`)

/** The first paragraph of a message on one line. */
export const subjectOf = ({ message }: { message: string }): string =>
  (message.replace(/^\s*\n/, '').split(/\n[ \t]*\n/, 1)[0] ?? '')
    .split('\n')
    .map((line) => line.trimEnd())
    .join(' ')
    .trimEnd()
