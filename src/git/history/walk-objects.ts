import { setImmediate as nextTurn } from 'node:timers/promises'
import { type GitObject, isBroken, type ObjectType } from '../objects/git-object.ts'
import { type ObjectStore, readForTraversal } from '../objects/object-store.ts'
import { createOidSet } from '../objects/oid-set.ts'
import { type Commit, type Grafts, parseCommit, parseTag } from '../parse/parse-commit.ts'
import { isSubmodule, parseTreeLinks, typeOfEntry } from '../parse/parse-tree.ts'
import type { Ref } from '../refs/read-refs.ts'

/** An object that something leads to. */
interface ReachedObject {
  readonly oid: string
  /** What it must be, as what leads to it says; undefined where a ref leads to it. */
  readonly type: string | undefined
  /** What leads to it: a ref's name or an object's id. */
  readonly from: string
}

/** An object that is not as it must be: `missing`, of another type, or damaged with the error that says how. */
export interface BrokenObject extends ReachedObject {
  readonly broken: 'missing' | 'type' | 'damaged'
  readonly cause?: unknown
}

/**
 * Follows everything from these refs on, each object once, the trees of a commit before other commits. Yields
 * what is missing or broken, and counts the rest. Contents of files are only looked for unless `blobs` says to
 * read them, piece by piece. Memory: a bit for each object in a pack, beside what waits.
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

// So often timers and signals have their turn.
const TURN = 10_000

type Link = Omit<ReachedObject, 'from'>

/** Reads an object, and what it leads to. Only what may be a file is large. */
async function readLinks(
  objects: ObjectStore,
  { oid, type }: ReachedObject,
): Promise<{ type: ObjectType; links: Iterable<Link> }> {
  if (type === undefined || type === 'blob') {
    const object = objects.stream(oid)
    if (object.type === 'blob') {
      for await (const _ of object.content); // which holds it against its id
      return { type: 'blob', links: [] }
    }
  }
  const object = objects.read(oid)
  return { type: object.type, links: linksOf(object, objects) }
}

/** What an object leads to. A submodule's commits are in another repository. */
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

/** Every commit that refs lead to, once, in no order worth relying on. `broken` is told of what is missing. */
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
