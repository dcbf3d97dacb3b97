import { createHash } from 'node:crypto'
import type { ChangeObject, StructuredPatchHunk } from 'diff'

/** Texts of more bytes are compared as wholes. */
export const LONGEST_TEXT = 2 ** 20
/** Lines or words that differ, at most. Time grows with the square: these take half a second. */
const MOST_EDITS = 4_000
/** Milliseconds for one text. Only a machine that is ten times slower gets there, so that all machines say the same. */
const MOST_TIME = 5_000

/** How two texts differ. */
export type TextDiff =
  | { hunks: readonly StructuredPatchHunk[] }
  | { words: readonly ChangeObject<string>[] }
  | { sizes: readonly [before: number, after: number]; sums: readonly [string, string] }

/**
 * Compares two texts line by line, or word by word. Texts that are too long, or differ in too much, are compared by size and
 * SHA-256.
 */
export async function diffTexts(
  before: string,
  after: string,
  { context, byWord }: { context: number; byWord: boolean },
): Promise<TextDiff> {
  const isShort =
    Math.max(before.length, after.length) <= LONGEST_TEXT &&
    (byWord || fewestEdits(before, after) <= MOST_EDITS)
  // The library takes time to load, and few changes need it.
  const { diffWordsWithSpace, structuredPatch } = await import('diff')
  const bounds = { maxEditLength: MOST_EDITS, timeout: MOST_TIME }
  if (isShort && byWord) {
    const words = diffWordsWithSpace(before, after, bounds)
    if (words) return { words }
  } else if (isShort) {
    const patch = structuredPatch('', '', before, after, '', '', { ...bounds, context })
    if (patch) return { hunks: patch.hunks }
  }
  const [old, now] = [Buffer.from(before), Buffer.from(after)]
  const sum = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
  return { sizes: [old.length, now.length], sums: [sum(old), sum(now)] }
}

/** The lines that one text has more often than the other: at least these are added or removed, wherever they stand. */
export function fewestEdits(before: string, after: string): number {
  const balance = new Map<string, number>()
  for (const [text, sign] of [
    [before, 1],
    [after, -1],
  ] as const) {
    for (const line of text.match(/[^\n]*\n|[^\n]+/g) ?? [])
      balance.set(line, (balance.get(line) ?? 0) + sign)
  }
  let sum = 0
  for (const count of balance.values()) sum += Math.abs(count)
  return sum
}
