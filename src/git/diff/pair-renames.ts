import type { RawChange } from './change.ts'
import type { Similarity } from './open-similarity.ts'
import { pairSimilar } from './pair-similar.ts'
import { compareRename, nameOf, type Rename } from './rename.ts'
import { ALIKE } from './similarity.ts'

// Files of one name are found without a look at all others, but must have more in common.
const LEAST_BY_NAME = (3 * ALIKE) / 4

/**
 * Puts a file that is gone and one that came together as one renamed, as Git does: first those with the same content,
 * of several the one with the same name; then, with three quarters in common, those of one name that no other one
 * has; then those that have most in common, half of it at least, unless there are too many to compare.
 */
export function pairRenames(changes: readonly RawChange[], similarity: Similarity): RawChange[] {
  const inOrder = changes.toSorted((a, b) => (a.bytes < b.bytes ? -1 : 1))
  const renames = new Map<RawChange, Rename>()
  const used = new Set<RawChange>()
  for (const pairUp of [pairAlike, pairByName, pairSimilar]) {
    const gone = inOrder.filter((change) => change.status === 'D' && !used.has(change))
    const come = inOrder.filter((change) => change.status === 'A' && !renames.has(change))
    for (const rename of pairUp(gone, come, similarity)) {
      renames.set(rename.came, rename)
      used.add(rename.source)
    }
  }
  return inOrder
    .filter((change) => !used.has(change))
    .map((change) => {
      const rename = renames.get(change)
      if (rename === undefined) return change
      const { source, score } = rename
      const percent = Math.floor((100 * score) / ALIKE)
      return { ...change, status: 'R' as const, before: source.before, similarity: percent }
    })
}

/** Pairs what has the same content, the same name if it can be, and is both a file or a link. */
function* pairAlike(gone: readonly RawChange[], come: readonly RawChange[]): Generator<Rename> {
  const used = new Set<RawChange>()
  // A list only where several are alike, which takes less than one for each.
  const waiting = new Map<string, RawChange | RawChange[]>()
  // From the last to the first, so that the first is at the end, to be taken.
  for (const change of gone.toReversed()) {
    for (const key of [keyOf(change), `${keyOf(change)} ${nameOf(change)}`]) {
      const known = waiting.get(key)
      if (Array.isArray(known)) known.push(change)
      else waiting.set(key, known ? [known, change] : change)
    }
  }
  const take = (key: string): RawChange | undefined => {
    const found = waiting.get(key)
    const sources = Array.isArray(found) ? found : found ? [found] : []
    for (let source = sources.pop(); source; source = sources.pop()) {
      if (!used.has(source)) return source
    }
    return undefined
  }
  for (const change of come) {
    const source = take(`${keyOf(change)} ${nameOf(change)}`) ?? take(keyOf(change))
    if (source === undefined) continue
    used.add(source)
    yield { came: change, source, score: ALIKE }
  }
}

/** Pairs those of one name of which one alone is gone and one alone came. */
function* pairByName(
  gone: readonly RawChange[],
  come: readonly RawChange[],
  similarity: Similarity,
): Generator<Rename> {
  const sources = onlyOnes(gone)
  for (const [name, came] of onlyOnes(come)) {
    const source = sources.get(name)
    if (came === undefined || source === undefined) continue
    const score = compareRename(source, came, LEAST_BY_NAME, similarity)
    if (score >= LEAST_BY_NAME) yield { came, source, score }
  }
}

/** By name what is alone of that name; undefined where there are several. */
function onlyOnes(changes: readonly RawChange[]): Map<string, RawChange | undefined> {
  const found = new Map<string, RawChange | undefined>()
  for (const change of changes) {
    const name = nameOf(change)
    found.set(name, found.has(name) ? undefined : change)
  }
  return found
}

/** What two files have in common of which one may be the other renamed: content, and being a file or a link. */
function keyOf({ before, after }: RawChange): string {
  const { oid = '', mode = '' } = before ?? after ?? {}
  return `${oid} ${mode.slice(0, 3)}`
}
