/** The lines of a file that comments in a diff are about. */

import type { Row, Store } from '../store.ts'
import { asIntegerOrNull, asText } from '../values.ts'

/** Lines as they are now, which are unknown once the file has changed there, and as they were. */
export interface Lines {
  readonly line: number | null
  readonly originalLine: number | null
  /** The first ones, if there are several. */
  readonly startLine: number | null
  readonly originalStartLine: number | null
  /** Of the file before the change, or after it. */
  readonly side: 'LEFT' | 'RIGHT'
  readonly startSide: 'LEFT' | 'RIGHT' | null
  /** Whether the comment is about the file, and no line of it. */
  readonly isFile: boolean
}

/** Columns of `pull_request_review_threads`, as `toLines` takes them. */
export const LINES =
  'side, start_side, line, start_line, original_line, original_start_line, subject_type'

/** What a comment in a diff says, whatever its columns hold. */
interface InDiff {
  readonly hunk: unknown
  readonly position: unknown
  readonly originalPosition: unknown
}

const COLUMNS = 'pull_request_review_thread, diff_hunk, position, original_position, subject_type'

/** The lines that the review comment with a rowid is about. */
export function readLines(store: Store, rowid: number): Lines {
  const row = store.record('pull_request_review_comments', COLUMNS, rowid) ?? []
  const [url, hunk, position, originalPosition, subject] = row
  const thread =
    typeof url === 'string'
      ? store.row(`SELECT ${LINES} FROM pull_request_review_threads WHERE url = ?`, url)
      : undefined
  const lines = toLines(thread, { hunk, position, originalPosition })
  return asText(subject) === '' ? lines : { ...lines, isFile: subject === 'file' }
}

/**
 * The lines that a comment is about: those of its thread, or else the last line of its diff hunk. Archives before 2021 have no
 * records of threads.
 */
export function toLines(
  thread: Row | undefined,
  { hunk, position, originalPosition }: InDiff,
): Lines {
  if (thread) {
    const [side, startSide, line, startLine, originalLine, originalStartLine, subject] = thread
    return {
      line: asIntegerOrNull(line),
      originalLine: asIntegerOrNull(originalLine),
      startLine: asIntegerOrNull(startLine),
      originalStartLine: asIntegerOrNull(originalStartLine),
      side: toSide(asText(side)),
      startSide: typeof startSide === 'string' ? toSide(startSide) : null,
      isFile: subject === 'file',
    }
  }
  const last = lastLine(asText(hunk))
  return {
    line: position === originalPosition ? (last?.line ?? null) : null,
    originalLine: last?.line ?? null,
    startLine: null,
    originalStartLine: null,
    startSide: null,
    isFile: false,
    side: last?.side ?? 'RIGHT',
  }
}

const toSide = (side: string) => (side.toUpperCase() === 'LEFT' ? 'LEFT' : 'RIGHT')

/** The last line of a piece of a diff, with its number in the file of its side. */
function lastLine(hunk: string): { side: 'LEFT' | 'RIGHT'; line: number } | undefined {
  const [head = '', ...lines] = hunk.split('\n').filter((line) => !line.startsWith('\\'))
  const [, old, now] = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(head) ?? []
  const last = lines.at(-1)
  if (old === undefined || now === undefined || last === undefined) return undefined
  const [side, start, other] = last.startsWith('-')
    ? (['LEFT', old, '+'] as const)
    : (['RIGHT', now, '-'] as const)
  const before = lines.slice(0, -1).filter((line) => !line.startsWith(other)).length
  return { side, line: Number(start) + before }
}
