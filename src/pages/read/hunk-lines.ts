/** A line of a hunk. */
export interface HunkLine {
  readonly sign: ' ' | '+' | '-' | '@'
  readonly text: string
  readonly old: number | undefined
  readonly new: number | undefined
}

/** Splits the text of a hunk, or of several hunks of one file, into numbered lines. */
export function parseHunk(hunk: string): HunkLine[] {
  let old = 0
  let now = 0
  return hunk
    .replace(/\n$/, '')
    .split('\n')
    .flatMap((line): HunkLine[] => {
      const start = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(line)
      if (start) {
        old = Number(start[1])
        now = Number(start[2])
        return [{ sign: '@', text: line, old: undefined, new: undefined }]
      }
      // "\ No newline at end of file"
      if (line.startsWith('\\')) return []
      const text = line.slice(1).replace(/\r$/, '')
      if (line.startsWith('+')) return [{ sign: '+', text, old: undefined, new: now++ }]
      if (line.startsWith('-')) return [{ sign: '-', text, old: old++, new: undefined }]
      return [{ sign: ' ', text, old: old++, new: now++ }]
    })
}
