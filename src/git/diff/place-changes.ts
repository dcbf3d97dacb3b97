import { bytesOfLine, isSameLine, type TextLines } from './text-lines.ts'

/** Positions that are tried for one group of lines. */
const MOST_TRIED = 100

/**
 * Moves groups of changed lines to where a reader expects them. A group that begins with the line after it, or ends with
 * the line before it, can slide by a line and says the same. As in Git, it is moved to the last change of the other
 * version that it can meet; else to where indentation and empty lines suggest a beginning.
 *
 * @param lines the file
 * @param marks 1 for each line of it that changed, and a 0 at the end; changed in place
 * @param others the same for the other version
 */
export function placeChanges(lines: TextLines, marks: Uint8Array, others: Uint8Array): void {
  const group = createGroup(marks, lines)
  const opposite = createGroup(others)
  do {
    if (group.end > group.start) place(lines, group, opposite)
    opposite.next()
  } while (group.next())
}

type Group = ReturnType<typeof createGroup>

function place(lines: TextLines, group: Group, opposite: Group): void {
  let size = 0
  let first = 0
  let meeting = false
  // A group that touches another one when it slides takes it in, and can then slide further.
  while (size !== group.end - group.start) {
    size = group.end - group.start
    while (group.slideUp()) opposite.previous()
    first = group.end
    meeting = opposite.end > opposite.start
    while (group.slideDown()) {
      opposite.next()
      meeting ||= opposite.end > opposite.start
    }
  }
  const up = () => {
    group.slideUp()
    opposite.previous()
  }
  if (group.end === first) return
  if (meeting) {
    while (opposite.end === opposite.start) up()
    return
  }
  let best: { end: number; score: Score } | undefined
  const from = Math.max(first, group.end - size - 1, group.end - MOST_TRIED)
  for (let end = from; end <= group.end; end++) {
    const score = addScores(scoreOf(lines, end), scoreOf(lines, end - size))
    if (best === undefined || compareScores(score, best.score) <= 0) best = { end, score }
  }
  while (best && group.end > best.end) up()
}

/** Goes from one group of marked lines to the next; between two unmarked lines is an empty group. */
function createGroup(marks: Uint8Array, lines?: TextLines) {
  const count = marks.length - 1
  const group = { start: 0, end: 0, next, previous, slideUp, slideDown }
  const grow = () => {
    while (marks[group.end]) group.end++
  }
  const growUp = () => {
    while (group.start > 0 && marks[group.start - 1]) group.start--
  }
  grow()
  function next(): boolean {
    if (group.end >= count) return false
    group.start = group.end = group.end + 1
    grow()
    return true
  }
  function previous(): void {
    group.start = group.end = group.start - 1
    growUp()
  }
  function slideDown(): boolean {
    const { start, end } = group
    if (!lines || end >= count || !isSameLine(lines, start, lines, end)) return false
    marks[group.start++] = 0
    marks[group.end++] = 1
    grow()
    return true
  }
  function slideUp(): boolean {
    const { start, end } = group
    if (!lines || start === 0 || !isSameLine(lines, start - 1, lines, end - 1)) return false
    marks[--group.start] = 1
    marks[--group.end] = 0
    growUp()
    return true
  }
  return group
}

/** How well a change begins or ends before a line; less is better. */
interface Score {
  indent: number
  penalty: number
}

const addScores = (a: Score, b: Score): Score => ({
  indent: a.indent + b.indent,
  penalty: a.penalty + b.penalty,
})

const INDENT_WEIGHT = 60

const compareScores = (a: Score, b: Score): number =>
  INDENT_WEIGHT * Math.sign(a.indent - b.indent) + a.penalty - b.penalty

// The weights are Git's, which found them by rating many diffs by hand.
const START_OF_FILE = 1
const END_OF_FILE = 21
const EMPTY_LINE = -30
const EMPTY_LINE_AFTER = 6
/** Without and with empty lines around. */
const INDENTED = [-4, 10] as const
const OUTDENTED = [24, 17] as const
const DEDENTED = [23, 17] as const

/** Rates a split before a line, by its indentation and that of the next lines that are not empty. */
function scoreOf(lines: TextLines, split: number): Score {
  const own = split < lines.count ? indentOf(lines, split) : EMPTY
  const before = nextIndent(lines, split, -1)
  const after = nextIndent(lines, split, 1)
  const emptyAfter = own === EMPTY ? 1 + after.empty : 0
  const empty = before.empty + emptyAfter
  const indent = own === EMPTY ? after.indent : own
  const by = empty > 0 ? 1 : 0
  let penalty = EMPTY_LINE * empty + EMPTY_LINE_AFTER * emptyAfter
  if (before.indent === EMPTY && before.empty === 0) penalty += START_OF_FILE
  if (split >= lines.count) penalty += END_OF_FILE
  if (indent !== EMPTY && before.indent !== EMPTY && indent !== before.indent) {
    if (indent > before.indent) penalty += INDENTED[by]
    else penalty += after.indent > indent ? OUTDENTED[by] : DEDENTED[by]
  }
  return { indent, penalty }
}

const MOST_EMPTY = 20

/** The indentation of the next line that is not empty, and the number of empty lines before it. */
function nextIndent(lines: TextLines, split: number, step: 1 | -1) {
  let empty = 0
  for (let line = split + step; line >= 0 && line < lines.count; line += step) {
    const indent = indentOf(lines, line)
    if (indent !== EMPTY) return { indent, empty }
    if (++empty === MOST_EMPTY) return { indent: 0, empty }
  }
  return { indent: EMPTY, empty }
}

const EMPTY = -1
const MOST_INDENT = 200
const TAB = 9
const NEWLINE = 10
const RETURN = 13
const SPACE = 32

/** The columns of space at the start of a line; -1 if it has nothing else. */
function indentOf(lines: TextLines, line: number): number {
  let indent = 0
  for (const byte of bytesOfLine(lines, line)) {
    if (byte === SPACE) indent++
    else if (byte === TAB) indent += 8 - (indent % 8)
    else if (byte !== NEWLINE && byte !== RETURN) return indent
    if (indent >= MOST_INDENT) return MOST_INDENT
  }
  return EMPTY
}
