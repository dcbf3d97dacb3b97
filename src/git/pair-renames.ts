import type { RawChange } from './change.ts'

/**
 * Puts a file that is gone and one with the same content that came together as one renamed, as Git does: of
 * several that are gone one with the same name is taken before the first. What was changed on the way stays two.
 */
export function pairRenames(changes: readonly RawChange[]): RawChange[] {
  const gone = new Map<string, RawChange[]>()
  const put = (key: string, change: RawChange) => {
    const known = gone.get(key)
    if (known) known.push(change)
    else gone.set(key, [change])
  }
  // From the last to the first, so that the first is at the end, to be taken.
  const inOrder = changes.toSorted((a, b) => (a.bytes < b.bytes ? -1 : 1))
  for (const change of inOrder.toReversed()) {
    if (change.status !== 'D') continue
    put(keyOf(change), change)
    put(`${keyOf(change)} ${nameOf(change)}`, change)
  }
  const used = new Set<RawChange>()
  const take = (key: string): RawChange | undefined => {
    const sources = gone.get(key)
    for (let source = sources?.pop(); source; source = sources?.pop()) {
      if (!used.has(source)) return source
    }
    return undefined
  }
  const renamed = inOrder.map((change) => {
    if (change.status !== 'A') return change
    const source = take(`${keyOf(change)} ${nameOf(change)}`) ?? take(keyOf(change))
    if (source === undefined) return change
    used.add(source)
    return { ...change, status: 'R' as const, before: source.before }
  })
  return renamed.filter((change) => !used.has(change))
}

/** What two files have in common of which one may be the other renamed: content, and being a file or a link. */
function keyOf({ before, after }: RawChange): string {
  const { oid = '', mode = '' } = before ?? after ?? {}
  return `${oid} ${mode.slice(0, 3)}`
}

const nameOf = ({ bytes }: RawChange) => bytes.slice(bytes.lastIndexOf('/') + 1)
