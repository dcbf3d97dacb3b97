import { isBroken } from './is-broken.ts'
import type { Objects } from './open-objects.ts'
import { openOidSet } from './open-oid-set.ts'
import { type Commit, parseCommit } from './parse-commit.ts'
import { parseTag } from './parse-tag.ts'
import { readLinking } from './read-linking.ts'
import type { Ref } from './read-refs.ts'

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
