/**
 * Finds code in a Markdown text: spans between backticks, and fenced blocks. Returns a test for positions, to be asked in
 * rising order. It takes time linear in the text.
 */
export function codeRanges(text: string): (at: number) => boolean {
  if (!text.includes('`') && !text.includes('~~~')) return () => false
  const ranges = [...findRanges(text)]
  let next = 0
  return (at) => {
    while (next < ranges.length && (ranges[next] as Range).end <= at) next++
    const range = ranges[next]
    return range !== undefined && range.start <= at
  }
}

interface Range {
  start: number
  end: number
}

const FENCE = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/

function* findRanges(text: string): Generator<Range> {
  let fence: { start: number; marks: string } | undefined
  let plain = 0
  for (let at = 0; at < text.length; ) {
    const newline = text.indexOf('\n', at)
    const end = newline < 0 ? text.length : newline + 1
    const [, marks] =
      FENCE.exec(text.slice(at, Math.min(end, at + 1000)).replace(/\r?\n$/, '')) ?? []
    if (fence) {
      const closes = marks?.startsWith(fence.marks) && text.slice(at, end).trim() === marks
      if (closes) {
        yield { start: fence.start, end }
        fence = undefined
        plain = end
      }
    } else if (marks !== undefined) {
      yield* spansIn(text, plain, at)
      fence = { start: at, marks }
    }
    at = end
  }
  // A fence that is never closed lasts to the end.
  if (fence) yield { start: fence.start, end: text.length }
  else yield* spansIn(text, plain, text.length)
}

/** Spans of code: a run of backticks to the next run of the same length. */
function* spansIn(text: string, from: number, to: number): Generator<Range> {
  const runs = [...text.slice(from, to).matchAll(/`+/g)].map((run) => ({
    start: from + run.index,
    length: run[0].length,
  }))
  // From the end, so that each run knows the next one of its length.
  const last = new Map<number, number>()
  const partners = new Array<number | undefined>(runs.length)
  for (let i = runs.length - 1; i >= 0; i--) {
    const { length } = runs[i] as { length: number }
    partners[i] = last.get(length)
    last.set(length, i)
  }
  for (let i = 0; i < runs.length; i++) {
    const partner = partners[i]
    if (partner === undefined) continue
    const [open, close] = [runs[i], runs[partner]] as { start: number; length: number }[]
    yield { start: open?.start ?? 0, end: (close?.start ?? 0) + (close?.length ?? 0) }
    i = partner
  }
}
