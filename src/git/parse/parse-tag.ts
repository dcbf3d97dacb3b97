import { type GitObject, isOid } from '../objects/git-object.ts'
import { damagedObject } from './parse-commit.ts'
import { parseHeaders } from './parse-headers.ts'
import { type Person, parsePerson } from './parse-person.ts'

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
