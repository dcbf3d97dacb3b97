/** The lines of a file: its bytes and where each line begins. A line ends with its line feed, but the last may have none. */
export interface TextLines {
  readonly content: Buffer
  readonly count: number
  /** The offset of each line, and of the end. */
  readonly starts: Uint32Array
}

const NEWLINE = 10

/** Finds the lines of a file. Takes four bytes per line. */
export function splitLines(content: Buffer): TextLines {
  let count = 0
  for (let at = content.indexOf(NEWLINE); at >= 0; at = content.indexOf(NEWLINE, at + 1)) count++
  const isOpen = content.length > 0 && content.at(-1) !== NEWLINE
  if (isOpen) count++
  const starts = new Uint32Array(count + 1)
  for (let line = 1; line <= count; line++) {
    const end = content.indexOf(NEWLINE, starts[line - 1])
    starts[line] = end < 0 ? content.length : end + 1
  }
  return { content, count, starts }
}

/** The bytes of a line, with its line feed. */
export const bytesOfLine = ({ content, starts }: TextLines, line: number): Buffer =>
  content.subarray(starts[line], starts[line + 1])

/** Whether a line of one file equals a line of another. */
export function isSameLine(one: TextLines, line: number, other: TextLines, at: number): boolean {
  const [start, end] = [one.starts[line] as number, one.starts[line + 1] as number]
  const [from, to] = [other.starts[at] as number, other.starts[at + 1] as number]
  return end - start === to - from && one.content.compare(other.content, from, to, start, end) === 0
}

// Git looks for a zero byte in this many bytes to tell binary files from text.
const LOOKED_AT = 8_000

/** Whether Git takes a file for text. */
export const isText = (content: Buffer): boolean => !content.subarray(0, LOOKED_AT).includes(0)
