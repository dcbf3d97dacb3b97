import { lastPart } from '../../base/text.ts'
import { ALIKE, type Similarity } from './similarity.ts'

/** A file in a tree. */
export interface FileState {
  readonly path: string
  /** The path as one character per byte. */
  readonly bytes: string
  readonly mode: string
  readonly oid: string
}

/** A file that was added, deleted, modified or renamed, or whose type changed. */
export interface Change {
  readonly status: 'A' | 'D' | 'M' | 'T' | 'R'
  /** The new path, or the old one of a deleted file. */
  readonly path: string
  readonly before: FileState | undefined
  readonly after: FileState | undefined
  /** The percentage of a renamed file that is unchanged. */
  readonly similarity?: number
}

/** A change with its path as one character per byte, by which changes are sorted. */
export type RawChange = Change & { readonly bytes: string }

// Files with the same name are paired without comparing all others, but must be more similar.
const LEAST_BY_NAME = (3 * ALIKE) / 4

/**
 * Pairs deleted and added files into renames as Git does: first by equal content, preferring the same name; then by a unique
 * name, if three quarters are similar; then by similarity of at least half, unless there are too many files to compare.
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

/** Pairs files, or links, with the same content, preferring the same name. */
function* pairAlike(gone: readonly RawChange[], come: readonly RawChange[]): Generator<Rename> {
  const used = new Set<RawChange>()
  // An array only if several are equal, to save memory.
  const waiting = new Map<string, RawChange | RawChange[]>()
  // In reverse, because `pop` takes the last one.
  for (const change of gone.toReversed()) {
    for (const key of [keyOf(change), `${keyOf(change)} ${baseNameOf(change)}`]) {
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
    const source = take(`${keyOf(change)} ${baseNameOf(change)}`) ?? take(keyOf(change))
    if (source === undefined) continue
    used.add(source)
    yield { came: change, source, score: ALIKE }
  }
}

/** Pairs files whose name is unique among both the deleted and the added ones. */
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

/** Changes by name; undefined for names that occur several times. */
function onlyOnes(changes: readonly RawChange[]): Map<string, RawChange | undefined> {
  const found = new Map<string, RawChange | undefined>()
  for (const change of changes) {
    const name = baseNameOf(change)
    found.set(name, found.has(name) ? undefined : change)
  }
  return found
}

/** A key of content and file type, equal for a file and its exact rename. */
function keyOf({ before, after }: RawChange): string {
  const { oid = '', mode = '' } = before ?? after ?? {}
  return `${oid} ${mode.slice(0, 3)}`
}

const LEAST = ALIKE / 2
// A thousand deleted and a thousand added files.
const MOST_PAIRS = 1_000 ** 2
// For each added file.
const MOST_CANDIDATES = 4

type Candidate = Rename & { isNamesake: boolean }

/** Pairs the most similar files first; none if there are too many to compare. */
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
      const isNamesake = baseNameOf(source) === baseNameOf(came)
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

/** Sorts by score, best first; at equal scores, a file with the same name first. */
const byScore = (a: Candidate, b: Candidate) =>
  b.score - a.score || Number(b.isNamesake) - Number(a.isNamesake)

/** Replaces the worst candidate in place, as Git does: the position decides between equal ones. */
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

/** An added file, the deleted file that it was, and their similarity. */
export interface Rename {
  came: RawChange
  source: RawChange
  score: number
}

/** The name of a file without its folders, one character per byte. */
const baseNameOf = ({ bytes }: RawChange): string => lastPart(bytes)

/** The similarity of a deleted and an added file. */
const compareRename = (
  source: RawChange,
  came: RawChange,
  least: number,
  similarity: Similarity,
): number => (source.before && came.after ? similarity(source.before, came.after, least) : 0)
