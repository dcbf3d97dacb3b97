/** Builds trees, with whatever names and modes a test gives them. */

import { looseOf, oidOf, treeOf } from './build-pack.ts'
import type { Files } from './build-tar.ts'

export type Entry = readonly [mode: string, name: string, content: string | Entry[]]

/** The objects of a tree with these entries, and its id. A submodule's content is the id of its commit. */
export function objectsOf(entries: readonly Entry[]): { files: Files; oid: string } {
  let files: Files = {}
  const places = entries.map(([mode, name, content]) => {
    if (mode === '160000') return [mode, name, content as string] as const
    const inner =
      typeof content === 'string'
        ? { files: looseOf('blob', content), oid: oidOf('blob', content) }
        : objectsOf(content)
    files = { ...files, ...inner.files }
    return [mode, name, inner.oid] as const
  })
  const tree = treeOf(...places)
  return { files: { ...files, ...looseOf('tree', tree) }, oid: oidOf('tree', tree) }
}
