/** The place of a comment in the diff of a file. */
export interface Hunk {
  /** The piece of the diff that ends with the line, with its @@ line. */
  diff_hunk: string
  /** The line, counted from the first @@ of the file. */
  position: number
}

/** Finds a line in the diff of a file; undefined if the diff does not show it. */
export function findHunk(
  diff: string,
  line: { left: number | null; right: number | null },
): Hunk | undefined {
  let [left, right] = [0, 0]
  let start = -1
  const lines = diff.split('\n')
  for (const [i, text] of lines.entries()) {
    const [, from, to] = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(text) ?? []
    if (from !== undefined) {
      left = Number(from)
      right = Number(to)
      start = i
      continue
    }
    if (start < 0) continue
    const sign = text[0]
    const isLeft = sign === '-' || sign === ' '
    const isRight = sign === '+' || sign === ' '
    const isFound =
      line.right !== null ? isRight && right === line.right : isLeft && left === line.left
    if (isFound) return { diff_hunk: lines.slice(start, i + 1).join('\n'), position: i }
    if (isLeft) left++
    if (isRight) right++
  }
  return undefined
}

/** The @@ line of a place whose diff is not there. */
export const bareHunk = (left: number | null, right: number | null): Hunk => ({
  diff_hunk: `@@ -${left ?? 0},${left === null ? 0 : 1} +${right ?? 0},${right === null ? 0 : 1} @@`,
  position: 1,
})
