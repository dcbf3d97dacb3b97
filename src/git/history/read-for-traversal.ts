import type { GitObject } from '../objects/git-object.ts'
import type { Objects } from '../objects/open-objects.ts'

/** An object that leads to others, or a file without its content, which may be large and leads nowhere. */
export type LinkingObject =
  | (GitObject & { readonly type: 'commit' | 'tag' | 'tree' })
  | { readonly oid: string; readonly type: 'blob' }

/** Reads an object of any type for what it leads to. Throws as `Objects.read` does. */
export function readLinking(objects: Objects, oid: string): LinkingObject {
  const { type, content } = objects.stream(oid)
  if (type === 'blob') return { oid, type }
  const whole = Symbol.asyncIterator in content ? objects.read(oid).content : content[0]
  return { oid, type, content: whole }
}
