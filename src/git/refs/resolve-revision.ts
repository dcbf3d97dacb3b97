import type { Database } from '../../database/open-database.ts'
import { ArchiveError } from '../../errors.ts'
import { type LinkingObject, readLinking } from '../history/read-for-traversal.ts'
import { isOid, type ObjectType } from '../objects/git-object.ts'
import type { Objects } from '../objects/open-objects.ts'
import { parseCommit } from '../parse/parse-commit.ts'
import { parseTag } from '../parse/parse-tag.ts'
import { findRef } from './read-refs.ts'

/** Where revisions are looked up. */
export interface RevisionSource {
  database: Database
  repository: string
  objects: Objects
}

// In the order of gitrevisions(7).
const PLACES = ['', 'refs/', 'refs/tags/', 'refs/heads/', 'refs/remotes/']
const LEAST_DIGITS = 4
// A tag of a tag is rare; a longer chain is there to be followed for ever.
const LONGEST_CHAIN = 100

/**
 * The id of what a revision names: a ref, whole or short, an object's id or the beginning of it, followed by
 * any of `~2`, `^2`, `^{}`, `^{commit}`, `^{tree}`; of the type that is wanted, if one is. Throws
 * `git-revision-not-found`.
 */
export function resolveRevision(
  source: RevisionSource,
  revision: string,
  wanted?: ObjectType,
): string {
  const [, name = '', steps = ''] = /^(.*?)((?:~\d*|\^\d+|\^\{\w*\}|\^)*)$/s.exec(revision) ?? []
  let oid = resolveName(source, name === '@' ? 'HEAD' : name, revision)
  for (const [step, letter, argument = ''] of steps.matchAll(/([~^])(\d+|\{\w*\})?/g)) {
    oid = follow(source.objects, oid, letter as string, argument)
    if (oid === '') throw notFound(source, revision, nothingAt(argument, step))
  }
  if (wanted === undefined) return oid
  const object = peel(source.objects, oid, wanted)
  if (object) return object.oid
  throw notFound(source, revision, `it is no ${wanted}`)
}

const nothingAt = (argument: string, step: string) =>
  argument.startsWith('{') ? `it is no ${argument.slice(1, -1)}` : `there is nothing at ${step}`

function resolveName(source: RevisionSource, name: string, revision: string): string {
  const { database, repository, objects } = source
  // Git, too, takes forty digits for an object even where a branch is named so.
  if (isOid(name)) return name
  for (const place of PLACES) {
    const ref = findRef(database, repository, place + name)
    if (ref?.oid) return ref.oid
    if (ref) throw notFound(source, revision, `${ref.target ?? ref.name} has no commits yet`)
  }
  const digits = name.toLowerCase()
  if (/^[0-9a-f]+$/.test(digits) && digits.length >= LEAST_DIGITS && digits.length < 40) {
    const [found, another] = objects.startingWith(digits)
    if (another !== undefined) throw notFound(source, revision, 'several objects begin so')
    if (found !== undefined) return found
  }
  throw notFound(source, revision, 'there is no such ref or object')
}

/** One step from an object; empty where it leads nowhere. */
function follow(objects: Objects, oid: string, letter: string, argument: string): string {
  if (argument.startsWith('{')) {
    const wanted = argument.slice(1, -1)
    return peel(objects, oid, wanted === '' ? undefined : (wanted as ObjectType))?.oid ?? ''
  }
  const count = argument === '' ? 1 : Number(argument)
  const parent = (at: string, place: number): string => {
    const object = peel(objects, at, 'commit')
    if (object?.type !== 'commit' || place === 0) return object?.oid ?? ''
    return parseCommit(object, objects).parents[place - 1] ?? ''
  }
  if (letter === '^') return parent(oid, count)
  let at = parent(oid, 0)
  for (let i = 0; i < count && at !== ''; i++) at = parent(at, 1)
  return at
}

/** The object that a tag is for, and the tree of a commit if that is wanted; undefined for another type. */
export function peel(
  objects: Objects,
  oid: string,
  wanted: ObjectType | undefined,
): LinkingObject | undefined {
  let object = readLinking(objects, oid)
  for (let i = 0; object.type === 'tag' && object.type !== wanted; i++) {
    if (i === LONGEST_CHAIN) return undefined
    object = readLinking(objects, parseTag(object).object)
  }
  if (object.type === 'commit' && wanted === 'tree') {
    return readLinking(objects, parseCommit(object, objects).tree)
  }
  return wanted === undefined || object.type === wanted ? object : undefined
}

const notFound = ({ repository }: RevisionSource, revision: string, message: string) =>
  new ArchiveError('git-revision-not-found', `${JSON.stringify(revision)}: ${message}`, {
    entry: repository,
  })
