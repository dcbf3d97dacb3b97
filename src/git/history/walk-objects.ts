import { setImmediate as nextTurn } from 'node:timers/promises'
import { type GitObject, isBroken, type ObjectType } from '../objects/git-object.ts'
import { type ObjectStore, readForTraversal } from '../objects/object-store.ts'
import { createOidSet } from '../objects/oid-set.ts'
import { type Commit, type Grafts, parseCommit, parseTag } from '../parse/parse-commit.ts'
import { isSubmodule, parseTreeLinks, typeOfEntry } from '../parse/parse-tree.ts'
import type { Ref } from '../refs/read-refs.ts'

/** A referenced object. */
interface ReachedObject {
  readonly oid: string
  /** The type that the reference requires; undefined for refs. */
  readonly type: string | undefined
  /** The name of the ref, or the id of the object, that references it. */
  readonly from: string
}

/** A faulty object: missing, of the wrong type, or damaged, with the error as `cause`. */
export interface BrokenObject extends ReachedObject {
  readonly broken: 'missing' | 'type' | 'damaged'
  readonly cause?: unknown
}

/**
 * Visits every object reachable from these refs once, and yields the faulty ones. Blobs are read only if `blobs` is set;
 * otherwise they only have to exist. Memory: one bit per packed object, and the objects waiting to be visited.
 */
export async function* walkObjects(
  objects: ObjectStore,
  roots: Iterable<{ name: string; oid: string | null }>,
  { blobs = false, done }: { blobs?: boolean; done?: (counted: number) => void } = {},
): AsyncGenerator<BrokenObject> {
  const seen = createOidSet(objects)
  const waiting: ReachedObject[] = []
  const trees: ReachedObject[] = []
  let counted = 0
  const reach = (object: ReachedObject) => {
    if (seen.add(object.oid)) (object.type === 'tree' ? trees : waiting).push(object)
  }
  for (const { name, oid } of roots) if (oid) reach({ oid, type: undefined, from: name })
  for (let next = trees.pop() ?? waiting.pop(); next; next = trees.pop() ?? waiting.pop()) {
    if (!objects.has(next.oid)) {
      yield { ...next, broken: 'missing' }
      continue
    }
    if (next.type !== 'blob' || blobs) {
      try {
        const { type, links } = await readLinks(objects, next)
        if (next.type !== undefined && type !== next.type) {
          yield { ...next, broken: 'type' }
          continue
        }
        for (const found of links) reach({ ...found, from: next.oid })
      } catch (cause) {
        if (!isBroken(cause)) throw cause
        yield { ...next, broken: 'damaged', cause }
        continue
      }
    }
    done?.(++counted)
    if (counted % TURN === 0) await nextTurn()
  }
}

// After this many objects, timers and signals get their turn.
const TURN = 10_000

type Link = Omit<ReachedObject, 'from'>

/** Reads an object and its references. Only blobs can be large, so only these are streamed. */
async function readLinks(
  objects: ObjectStore,
  { oid, type }: ReachedObject,
): Promise<{ type: ObjectType; links: Iterable<Link> }> {
  if (type === undefined || type === 'blob') {
    const object = objects.stream(oid)
    if (object.type === 'blob') {
      for await (const _ of object.content); // reading verifies it against its id
      return { type: 'blob', links: [] }
    }
  }
  const object = objects.read(oid)
  return { type: object.type, links: linksOf(object, objects) }
}

/** The objects that an object references. The commits of submodules are in other repositories. */
function* linksOf(object: GitObject, grafts: Grafts): Generator<Link> {
  if (object.type === 'commit') {
    const { tree, parents } = parseCommit(object, grafts)
    yield { oid: tree, type: 'tree' }
    for (const oid of parents) yield { oid, type: 'commit' }
  } else if (object.type === 'tag') {
    const { object: oid, type } = parseTag(object)
    yield { oid, type }
  } else if (object.type === 'tree') {
    for (const entry of parseTreeLinks(object)) {
      if (!isSubmodule(entry)) yield { oid: entry.oid, type: typeOfEntry(entry) }
    }
  }
}

/** Yields every commit reachable from refs once, in no particular order. `broken` is called for faulty objects. */
export function* reachableCommits(
  objects: ObjectStore,
  refs: Iterable<Pick<Ref, 'oid'>>,
  broken: (oid: string, error: unknown) => void,
): Generator<Commit> {
  const seen = createOidSet(objects)
  const waiting: string[] = []
  const reach = (oid: string | null) => {
    if (oid !== null && seen.add(oid)) waiting.push(oid)
  }
  for (const { oid } of refs) reach(oid)
  for (let oid = waiting.pop(); oid !== undefined; oid = waiting.pop()) {
    try {
      const object = readForTraversal(objects, oid)
      const commit = object.type === 'commit' ? parseCommit(object, objects) : undefined
      if (commit) yield commit
      const next = commit?.parents ?? (object.type === 'tag' ? [parseTag(object).object] : [])
      for (const one of next) reach(one)
    } catch (error) {
      if (!isBroken(error)) throw error
      broken(oid, error)
    }
  }
}
