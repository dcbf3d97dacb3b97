/** A piece of a diff as review threads keep it. */
export interface Hunk {
  /** From its line with `@@` to the line in question. */
  diff_hunk: string
  /** The line in question, counted from the first `@@` of the file. */
  position: number
}

/** Finds a line of the new file `path` in the output of `git diff`. */
export function findHunk(diff: string, path: string, line: number): Hunk {
  const start = diff.indexOf(`\n+++ b/${path}\n`)
  const lines = diff
    .slice(start + 1)
    .split('\n')
    .slice(1)
  let hunk: string[] = []
  let number = 0
  for (const [position, text] of lines.entries()) {
    const header = /^@@ -\S+ \+(\d+)/.exec(text)
    if (header) {
      hunk = [text]
      number = Number(header[1])
      continue
    }
    if (start < 0 || !/^[ +-]/.test(text)) break
    hunk.push(text)
    if (text.startsWith('-')) continue
    if (number === line) return { diff_hunk: hunk.join('\n'), position }
    number++
  }
  throw new Error(`line ${line} of ${path} is not part of the diff`)
}
