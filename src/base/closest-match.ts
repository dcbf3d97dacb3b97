/**
 * The word that was probably meant: one that begins with this, or one close enough.
 *
 * @param letters how many letters of the text tell it from others; a third of them may be wrong
 */
export function closestMatch(
  text: string,
  words: readonly string[],
  letters = text.length,
): string | undefined {
  const begun = text.length > 2 && words.find((word) => word.startsWith(text))
  if (begun) return begun
  const scored = words.map((word) => ({ word, distance: distance(text, word) }))
  const best = scored.sort((a, b) => a.distance - b.distance)[0]
  return best && best.distance <= Math.max(1, Math.floor(letters / 3)) ? best.word : undefined
}

/** The number of letters to add, remove, change or swap with the next (edit distance). */
function distance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)]
  const at = (i: number, j: number) => rows[i]?.[j] ?? 0
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    rows.push(row)
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1
      row[j] = Math.min(at(i - 1, j) + 1, (row[j - 1] as number) + 1, at(i - 1, j - 1) + cost)
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (swapped) row[j] = Math.min(row[j] as number, at(i - 2, j - 2) + 1)
    }
  }
  return at(a.length, b.length)
}
