import type { RawChange } from './change.ts'
import { ALIKE, type Similarity } from './similarity.ts'

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

const LEAST = ALIKE / 2
// A thousand files that are gone with as many that came.
const MOST_PAIRS = 1_000 ** 2
// Of what each file may have been before.
const MOST_CANDIDATES = 4

type Candidate = Rename & { isNamesake: boolean }

/** Pairs those that are most similar first; none where there are too many to compare each with each. */
function* pairSimilar(
  gone: readonly RawChange[],
  come: readonly RawChange[],
  similarity: Similarity,
): Generator<Rename> {
  if (gone.length * come.length > MOST_PAIRS) return
  const best = come.flatMap((came) => {
    const candidates: Candidate[] = []
    for (const source of gone) {
      const score = compareRename(source, came, LEAST, similarity)
      const isNamesake = nameOf(source) === nameOf(came)
      keepBest(candidates, { came, source, score, isNamesake })
    }
    return candidates
  })
  const paired = new Set<RawChange>()
  for (const { came, source, score } of best.sort(byScore)) {
    if (score < LEAST) return
    if (paired.has(came) || paired.has(source)) continue
    paired.add(came).add(source)
    yield { came, source, score }
  }
}

/** The better one before, which is negative; of the same score the one of the same name. */
const byScore = (a: Candidate, b: Candidate) =>
  b.score - a.score || Number(b.isNamesake) - Number(a.isNamesake)

/** Lets the worst give way. Where it stood is the new one's place, which decides between equal ones. */
function keepBest(candidates: Candidate[], candidate: Candidate): void {
  if (candidates.length < MOST_CANDIDATES) {
    candidates.push(candidate)
    return
  }
  let worst = 0
  candidates.forEach((one, i) => {
    if (byScore(one, candidates[worst] as Candidate) > 0) worst = i
  })
  if (byScore(candidates[worst] as Candidate, candidate) > 0) candidates[worst] = candidate
}

/** A file that came, what it was before, and how much of it is the same. */
export interface Rename {
  came: RawChange
  source: RawChange
  score: number
}

/** The name of a file without its folders, a byte a character. */
export const nameOf = ({ bytes }: RawChange): string => bytes.slice(bytes.lastIndexOf('/') + 1)

/** How similar what is gone and what came are. */
const compareRename = (
  source: RawChange,
  came: RawChange,
  least: number,
  similarity: Similarity,
): number => (source.before && came.after ? similarity(source.before, came.after, least) : 0)
