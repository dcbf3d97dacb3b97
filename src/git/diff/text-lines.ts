import { randomInt } from 'node:crypto'

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
  for (let at = 0; at < content.length; at++) if (content[at] === NEWLINE) count++
  const isOpen = content.length > 0 && content.at(-1) !== NEWLINE
  if (isOpen) count++
  const starts = new Uint32Array(count + 1)
  let line = 0
  for (let at = 0; at < content.length; at++) if (content[at] === NEWLINE) starts[++line] = at + 1
  if (isOpen) starts[count] = content.length
  return { content, count, starts }
}

/** The bytes of a line, with its line feed. */
export const bytesOfLine = ({ content, starts }: TextLines, line: number): Buffer =>
  content.subarray(starts[line], starts[line + 1])

// Chosen at random, so that nobody can write a file whose lines all have one hash.
const FACTOR = randomInt(2 ** 31) * 2 + 1
const hashes = new WeakMap<ArrayBufferLike, Uint32Array>()

/** A hash of each line, made once for a file. Takes four bytes per line. */
export function hashesOf({ content, starts }: TextLines): Uint32Array {
  const known = hashes.get(starts.buffer)
  if (known) return known
  const made = new Uint32Array(starts.length - 1)
  for (let line = 0; line < made.length; line++) {
    const end = starts[line + 1] as number
    let hash = 0
    for (let at = starts[line] as number; at < end; at++) {
      hash = (Math.imul(hash, FACTOR) + (content[at] as number)) | 0
    }
    // The last bits choose a place in a table.
    made[line] = hash ^ (hash >>> 15)
  }
  hashes.set(starts.buffer, made)
  return made
}

/** Whether a line of one file equals a line of another. */
export function isSameLine(left: TextLines, line: number, right: TextLines, at: number): boolean {
  const [start, end] = [left.starts[line] as number, left.starts[line + 1] as number]
  const [from, to] = [right.starts[at] as number, right.starts[at + 1] as number]
  if (end - start !== to - from) return false
  // Lines are short: to call a method of the buffers would take longer.
  for (let i = start, j = from; i < end; i++, j++) {
    if (left.content[i] !== right.content[j]) return false
  }
  return true
}

const BLOCK = 1_024

/** Both files without the blocks of 1 KiB at their ends that are equal, as Git compares them if it shows no context. */
export function withoutCommonTail(left: TextLines, right: TextLines): [TextLines, TextLines] {
  const [a, b] = [left.content, right.content]
  let common = 0
  while (common + BLOCK <= Math.min(a.length, b.length)) {
    const [from, to] = [common + BLOCK, common]
    if (a.compare(b, b.length - from, b.length - to, a.length - from, a.length - to) !== 0) break
    common += BLOCK
  }
  // The line that the last block begins in is not cut.
  const newline = a.indexOf(NEWLINE, a.length - common)
  const cut = common === 0 || newline < 0 ? 0 : a.length - 1 - newline
  return [cutLines(left, cut), cutLines(right, cut)]
}

/** A file without the lines of its last bytes. */
function cutLines(lines: TextLines, bytes: number): TextLines {
  const end = lines.content.length - bytes
  let count = lines.count
  while (count > 0 && (lines.starts[count] as number) > end) count--
  return { ...lines, count }
}

// Git looks for a zero byte in this many bytes to tell binary files from text.
const LOOKED_AT = 8_000

/** Whether Git takes a file for text. */
export const isText = (content: Buffer): boolean => !content.subarray(0, LOOKED_AT).includes(0)
