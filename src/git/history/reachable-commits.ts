import { isBroken } from '../objects/is-broken.ts'
import { openOidSet } from '../objects/oid-set.ts'
import type { Objects } from '../objects/open-objects.ts'
import { type Commit, parseCommit } from '../parse/parse-commit.ts'
import { parseTag } from '../parse/parse-tag.ts'
import type { Ref } from '../refs/read-refs.ts'
import { readLinking } from './read-for-traversal.ts'

/** Every commit that refs lead to, once, in no order worth relying on. `broken` is told of what is missing. */
export function* reachableCommits(
  objects: Objects,
  refs: Iterable<Pick<Ref, 'oid'>>,
  broken: (oid: string, error: unknown) => void,
): Generator<Commit> {
  const seen = openOidSet(objects)
  const waiting: string[] = []
  const reach = (oid: string | null) => {
    if (oid !== null && seen.add(oid)) waiting.push(oid)
  }
  for (const { oid } of refs) reach(oid)
  for (let oid = waiting.pop(); oid !== undefined; oid = waiting.pop()) {
    try {
      const object = readLinking(objects, oid)
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
