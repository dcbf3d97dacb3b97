import { type SafeText, safe } from '../../command/safe-text.ts'
import { displayWidth } from '../display-width.ts'
import type { Styles } from '../styles.ts'
import { cutLine, type Span, wrapSpans } from '../wrap-spans.ts'

/** The text before the lines of a list item or quote. */
interface Indent {
  first: SafeText
  rest: SafeText
  used: boolean
}

/** A page that is filled from the top. Lists and quotes indent their contents. */
export interface Page {
  lines: SafeText[]
  /** Columns for text. */
  room(): number
  /** Puts an empty line before the next text, unless it is the first on the page or in its item. */
  separate(): void
  write(spans: readonly Span[]): void
  /** Writes lines unchanged, but cuts long ones into several. */
  writeCode(text: SafeText): void
  writeLines(lines: readonly SafeText[]): void
  rule(): void
  openList(start: number | undefined): void
  closeList(): void
  /** An empty line precedes a loose item. */
  openItem(loose: boolean): void
  openQuote(): void
  /** Ends an item or quote. */
  close(): void
}

const LEAST_ROOM = 20

export function openPage(width: number, styles: Styles): Page {
  const lines: SafeText[] = []
  const indents: Indent[] = []
  const lists: { next: number | undefined }[] = []
  let isSeparate = false

  const prefix = () =>
    indents
      .map((indent) => {
        const shown = indent.used ? indent.rest : indent.first
        indent.used = true
        return shown
      })
      .join('')
  const taken = () => indents.reduce((sum, { rest }) => sum + displayWidth(rest), 0)
  const room = () => Math.max(LEAST_ROOM, width - taken())

  function writeLines(added: readonly SafeText[]): void {
    if (isSeparate) {
      const quotes = indents.map(({ rest, used }) => (used ? rest : safe``)).join('')
      lines.push(styled(quotes).trimEnd())
    }
    isSeparate = false
    for (const line of added) lines.push(safe`${styled(prefix())}${line}`.trimEnd())
  }
  const styled = (indent: SafeText) => indent.replace(/│/g, styles.dim(safe`│`))

  return {
    lines,
    room,
    separate() {
      if (lines.length > 0 && indents.every((indent) => indent.used)) isSeparate = true
    },
    write: (spans) => writeLines(wrapSpans(spans, room())),
    writeCode(text) {
      const most = room() - 4
      const cut = text
        .split('\n')
        .flatMap((line) => cutLine(line.replaceAll('\t', safe`    `), most))
      writeLines(cut.map((line) => (line === '' ? line : safe`    ${styles.cyan(line)}`)))
    },
    writeLines,
    rule: () => writeLines([styles.dim(safe`─`.repeat(Math.min(room(), 80)))]),
    openList(start) {
      if (lists.length === 0) this.separate()
      lists.push({ next: start })
    },
    closeList() {
      lists.pop()
    },
    openItem(loose) {
      if (loose) this.separate()
      const list = lists.at(-1)
      const first = list?.next === undefined ? safe`• ` : safe`${list.next++}. `
      indents.push({ first, rest: safe` `.repeat(displayWidth(first)), used: false })
    },
    openQuote() {
      this.separate()
      indents.push({ first: safe`│ `, rest: safe`│ `, used: false })
    },
    close() {
      const indent = indents.pop()
      // An empty item has a bullet too.
      if (indent && !indent.used) lines.push(safe`${styled(prefix())}${indent.first}`.trimEnd())
    },
  }
}
