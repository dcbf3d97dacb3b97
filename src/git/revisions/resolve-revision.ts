import { ArchiveError } from '../../base/errors.ts'
import type { Database } from '../../database/open-database.ts'
import { compilePatterns } from '../grep/compile-patterns.ts'
import { walkCommits } from '../history/walk-commits.ts'
import {
  type ObjectStore,
  readForTraversal,
  type TraversedObject,
} from '../objects/object-store.ts'
import { isOid, type ObjectType } from '../parse/git-object.ts'
import { parseCommit, parseTag } from '../parse/parse-commit.ts'
import { findRef, type Ref, readRefs } from '../refs/read-refs.ts'

/** The repository in which revisions are looked up. */
interface RevisionSource {
  database: Database
  repository: string
  objects: ObjectStore
}

// In the order of gitrevisions(7).
const PLACES = ['', 'refs/', 'refs/tags/', 'refs/heads/', 'refs/remotes/']
// No name has a ~ or ^: where the steps begin need not be tried, which takes long for hostile revisions.
const REVISION = /^([^~^]*)((?:~\d*|\^\d+|\^\{(?:\w*|\/[^}]*)\}|\^)*)$/
const LEAST_DIGITS = 4
// Tags of tags are rare; a long chain is an attack.
const LONGEST_CHAIN = 100

/**
 * Resolves a revision to an object id: a full or short ref, or a full or abbreviated id, followed by any of `~2`, `^2`,
 * `^{}`, `^{commit}`, `^{tree}`, `^{object}`, `^{/text}`; a description such as `v1.0-3-g1a2b3c4`; or `:/text`, the newest commit
 * of any ref whose message matches the text, a regular expression of JavaScript; `:/!-text` is the newest that does not. Peels
 * it to the wanted type, if given. Throws `git-revision-not-found`; `option-invalid` or `limit-time` for the expression.
 */
export function resolveRevision(
  source: RevisionSource,
  revision: string,
  wanted?: ObjectType,
): string {
  if (revision.startsWith(':/')) {
    const { database, repository, objects } = source
    const tips = commitsOfRefs(objects, readRefs(database, repository))
    const found = findMessage(objects, tips, revision.slice(2))
    if (found === undefined) throw notFound(source, revision, 'no message matches this')
    return wanted === undefined || wanted === 'commit'
      ? found.oid
      : found[wanted === 'tree' ? 'tree' : 'oid']
  }
  const [, name = '', steps = ''] = REVISION.exec(revision) ?? []
  let oid = resolveName(source, name === '@' ? 'HEAD' : name, revision)
  for (const [step, letter, argument = ''] of steps.matchAll(/([~^])(\d+|\{(?:\w*|\/[^}]*)\})?/g)) {
    oid = follow(source.objects, oid, letter as string, argument)
    if (oid === '') throw notFound(source, revision, nothingAt(argument, step))
  }
  if (wanted === undefined) return oid
  const object = peel(source.objects, oid, wanted)
  if (object) return object.oid
  throw notFound(source, revision, `it is not a ${wanted}`)
}

const nothingAt = (argument: string, step: string) =>
  argument.startsWith('{/')
    ? 'no message matches this'
    : argument.startsWith('{')
      ? `it is not a ${argument.slice(1, -1)}`
      : `there is nothing at ${step}`

function resolveName(source: RevisionSource, name: string, revision: string): string {
  const { database, repository, objects } = source
  // As in Git, forty digits are an object id even if a branch has that name.
  if (isOid(name.toLowerCase())) return name.toLowerCase()
  for (const place of PLACES) {
    const ref = findRef(database, repository, place + name)
    if (ref?.oid) return ref.oid
    if (ref) throw notFound(source, revision, `${ref.target ?? ref.name} has no commits yet`)
  }
  const digits = name.toLowerCase()
  if (/^[0-9a-f]+$/.test(digits) && digits.length >= LEAST_DIGITS && digits.length < 40) {
    const [found, another] = objects.startingWith(digits)
    if (another !== undefined) throw notFound(source, revision, 'several objects match')
    if (found !== undefined) return found
  }
  // As git describe prints it: the id counts, and the tag before it is a comment.
  const described = /-g([0-9a-f]{4,40})$/i.exec(name)?.[1]
  if (described !== undefined) return resolveName(source, described, revision)
  throw notFound(source, revision, 'there is no such ref or object')
}

/** The newest commit of these histories whose message matches; after `!-`, that does not; `!!` is an exclamation mark. */
function findMessage(objects: ObjectStore, tips: readonly string[], pattern: string) {
  const isNegated = pattern.startsWith('!-')
  const text = pattern.replace(/^!-/, '').replace(/^!!/, '!')
  const { find } = compilePatterns([text])
  for (const commit of walkCommits(objects, tips)) {
    if (find([commit.message]).length > 0 !== isNegated) return commit
  }
  return undefined
}

/** The commits that refs name, or the tags that they name. Refs to missing and other objects are left out. */
export function commitsOfRefs(objects: ObjectStore, refs: Iterable<Ref>): string[] {
  const tips = new Set<string>()
  for (const { oid, peeled } of refs) {
    const named = peeled ?? oid
    if (named === null || tips.has(named) || !objects.has(named)) continue
    const commit = peel(objects, named, 'commit')
    if (commit?.type === 'commit') tips.add(commit.oid)
  }
  return [...tips]
}

/** Follows one step from an object; returns an empty string if it leads nowhere. */
function follow(objects: ObjectStore, oid: string, letter: string, argument: string): string {
  if (argument.startsWith('{')) {
    const wanted = argument.slice(1, -1)
    if (wanted.startsWith('/')) {
      const commit = peel(objects, oid, 'commit')
      const found = commit && findMessage(objects, [commit.oid], wanted.slice(1))
      return found?.oid ?? ''
    }
    if (wanted === 'object') return objects.has(oid) ? oid : ''
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

/** Peels an object to the wanted type; undefined if that is impossible. */
export function peel(
  objects: ObjectStore,
  oid: string,
  wanted: ObjectType | undefined,
): TraversedObject | undefined {
  let object = readForTraversal(objects, oid)
  for (let i = 0; object.type === 'tag' && object.type !== wanted; i++) {
    if (i === LONGEST_CHAIN) return undefined
    object = readForTraversal(objects, parseTag(object).object)
  }
  if (object.type === 'commit' && wanted === 'tree') {
    return readForTraversal(objects, parseCommit(object, objects).tree)
  }
  return wanted === undefined || object.type === wanted ? object : undefined
}

const notFound = ({ repository }: RevisionSource, revision: string, message: string) =>
  new ArchiveError('git-revision-not-found', `${JSON.stringify(revision)}: ${message}`, {
    entry: repository,
  }).about(revision)

/** The short names of the refs that point to each commit, as `git log` shows them. */
export function createRefNames(
  objects: ObjectStore,
  refs: Iterable<Ref>,
): (oid: string) => readonly string[] {
  const names = new Map<string, string[]>()
  let head: Ref | undefined
  for (const ref of refs) {
    if (ref.name === 'HEAD') head = ref
    else put(names, ref.peeled ?? peeled(objects, ref), shortName(ref.name))
  }
  const branch = head?.target && shortName(head.target)
  return (oid) => {
    const found = names.get(oid) ?? []
    const grafted = objects.isShallow(oid) ? ['grafted'] : []
    if (head?.oid !== oid) return [...grafted, ...found]
    const first = branch ? `HEAD -> ${branch}` : 'HEAD'
    return [...grafted, first, ...found.filter((name) => name !== branch)]
  }
}

/** Peels a tag that packed-refs does not have peeled. */
function peeled(objects: ObjectStore, { name, oid }: Ref): string | null {
  if (oid === null || !name.startsWith('refs/tags/') || !objects.has(oid)) return oid
  return peel(objects, oid, undefined)?.oid ?? oid
}

function put(names: Map<string, string[]>, oid: string | null, name: string): void {
  if (oid === null) return
  const known = names.get(oid)
  if (known) known.push(name)
  else names.set(oid, [name])
}

const shortName = (name: string): string =>
  name
    .replace(/^refs\/heads\//, '')
    .replace(/^refs\/tags\//, 'tag: ')
    .replace(/^refs\/remotes\//, '')
