import type { Objects } from '../objects/open-objects.ts'
import type { Ref } from './read-refs.ts'
import { peel } from './resolve-revision.ts'

/** The refs that lead to each commit, shortened as `git log` shows them. */
export function openRefNames(
  objects: Objects,
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

/** What a tag is for, where packed-refs does not tell. */
function peeled(objects: Objects, { name, oid }: Ref): string | null {
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
