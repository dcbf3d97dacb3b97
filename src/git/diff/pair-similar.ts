import type { RawChange } from './change.ts'
import type { Similarity } from './open-similarity.ts'
import { compareRename, nameOf, type Rename } from './rename.ts'
import { ALIKE } from './similarity.ts'

const LEAST = ALIKE / 2
// A thousand files that are gone with as many that came.
const MOST_PAIRS = 1_000 ** 2
// Of what each file may have been before.
const MOST_CANDIDATES = 4

type Candidate = Rename & { isNamesake: boolean }

/** Pairs those that are most similar first; none where there are too many to compare each with each. */
export function* pairSimilar(
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
