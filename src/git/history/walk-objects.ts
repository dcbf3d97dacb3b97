import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  type ObjectStore,
  readForTraversal,
  type TraversedObject,
} from '../objects/object-store.ts'
import { createOidSet } from '../objects/oid-set.ts'
import { isBroken, type ObjectType } from '../parse/git-object.ts'
import { type Commit, type Grafts, parseCommit, parseTag } from '../parse/parse-commit.ts'
import { isSubmodule, parseTree, typeOfEntry } from '../parse/parse-tree.ts'
import type { Ref } from '../refs/read-refs.ts'

/** A referenced object. */
interface ReachedObject {
  readonly oid: string
  /** The type that the reference requires; undefined for refs. */
  readonly type: string | undefined
  /** The name of the ref, or the id of the commit or tag, that leads to it. */
  readonly from: string
  /** For an object in a tree, its path; empty for the tree itself. */
  readonly path?: string | undefined
}

/** A reached object in words, such as `the blob at 1a2b3c:src/boil.c`. */
export const describeReached = ({ type, from, path }: Omit<ReachedObject, 'oid'>): string =>
  path === undefined
    ? `the ${type ?? 'object'} that ${from} names`
    : `the ${type} at ${from}:${path}`

/** A faulty object: missing, of the wrong type, or damaged, with the error as `cause`. */
export interface BrokenObject extends ReachedObject {
  readonly broken: 'missing' | 'type' | 'damaged'
  readonly cause?: unknown
}

/**
 * Visits every object reachable from these refs once, and yields the faulty ones. Blobs only have to exist. Memory: one bit per packed object, and the objects waiting to be visited.
 */
export async function* walkObjects(
  objects: ObjectStore,
  roots: Iterable<{ name: string; oid: string | null }>,
  {
    has = objects.has,
    typeOf,
    done,
  }: {
    /** Whether an object exists. By default as the store says. */
    has?: (oid: string) => boolean
    /** Finds the type of a blob, which is not read. */
    typeOf?: (oid: string) => ObjectType | undefined
    done?: (counted: number) => void
  } = {},
): AsyncGenerator<BrokenObject> {
  const seen = createOidSet(objects)
  const waiting: ReachedObject[] = []
  const trees: ReachedObject[] = []
  let counted = 0
  /** Objects that were reached before, by links that require another type. */
  const wrong: ReachedObject[] = []
  const wronged = createOidSet(objects)
  const reach = (object: ReachedObject) => {
    if (seen.add(object.oid)) (object.type === 'tree' ? trees : waiting).push(object)
    else if (object.type !== undefined && typeOf) {
      const type = typeOf(object.oid)
      if (type !== undefined && type !== object.type && wronged.add(object.oid)) wrong.push(object)
    }
  }
  for (const { name, oid } of roots) if (oid) reach({ oid, type: undefined, from: name })
  for (let next = trees.pop() ?? waiting.pop(); next; next = trees.pop() ?? waiting.pop()) {
    if (!has(next.oid)) {
      yield { ...next, broken: 'missing' }
      continue
    }
    if (next.type === 'blob') {
      const type = typeOf?.(next.oid)
      if (type !== undefined && type !== 'blob') yield { ...next, broken: 'type' }
    } else {
      try {
        const object = readForTraversal(objects, next.oid)
        const { type } = object
        if (next.type !== undefined && type !== next.type) {
          yield { ...next, broken: 'type' }
          continue
        }
        for (const found of linksOf(object, next, objects)) reach(found)
      } catch (cause) {
        if (!isBroken(cause)) throw cause
        yield { ...next, broken: 'damaged', cause }
        continue
      }
    }
    for (const object of wrong.splice(0)) yield { ...object, broken: 'type' }
    done?.(++counted)
    if (counted % TURN === 0) await nextTurn()
  }
}

// After this many objects, timers and signals get their turn.
const TURN = 10_000

/** The objects that an object references. The commits of submodules are in other repositories. */
function* linksOf(
  object: TraversedObject,
  reached: ReachedObject,
  grafts: Grafts,
): Generator<ReachedObject> {
  const from = object.oid
  if (object.type === 'commit') {
    const { tree, parents } = parseCommit(object, grafts)
    yield { oid: tree, type: 'tree', from, path: '' }
    for (const oid of parents) yield { oid, type: 'commit', from }
  } else if (object.type === 'tag') {
    const { object: oid, type } = parseTag(object)
    yield { oid, type, from }
  } else if (object.type === 'tree') {
    const { from, path } = reached
    for (const { name, oid, mode } of parseTree(object)) {
      if (isSubmodule({ mode })) continue
      yield { oid, type: typeOfEntry({ mode }), from, path: path ? `${path}/${name}` : name }
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
      // The first parent is next: who compares each commit with it finds its trees among the last that were read.
      for (const one of next.toReversed()) reach(one)
    } catch (error) {
      if (!isBroken(error)) throw error
      broken(oid, error)
    }
  }
}
