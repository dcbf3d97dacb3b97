import { highlight, languageOf } from '../highlight.ts'
import { type Html, html } from '../html.ts'
import type { HunkLine } from '../read/hunk-lines.ts'

/** Lines above this length are cut. */
const LONGEST_LINE = 2_000

const CLASSES = { ' ': '', '+': 'add', '-': 'del', '@': 'hunk' } as const
const WORDS = { ' ': '', '+': 'added', '-': 'removed', '@': '' } as const

/** The other parts of a table. */
export interface DiffOptions {
  readonly path: string | null
  /** Its accessible name, because the table scrolls. */
  readonly name: string
  /** The last line is the one that the comments are about. */
  readonly marksLast?: boolean
  /** The prefix of the ids of lines: `diff-…`, then L or R and the number. */
  readonly anchor?: string
  /** The part below a line, such as comments on it. */
  readonly below?: (line: HunkLine, index: number) => Html | undefined
}

/** Lines of a diff with their numbers on both sides. */
export function diffTable(lines: readonly HunkLine[], options: DiffOptions): Html {
  const language = options.path === null ? undefined : languageOf(options.path)
  const rows = lines.map(({ sign, text, old, new: now }, i) => {
    const isMarked = options.marksLast === true && i === lines.length - 1
    const classes = [CLASSES[sign], isMarked ? 'marked' : ''].filter(Boolean).join(' ')
    const under = options.below?.(lines[i] as HunkLine, i)
    const talk = under && html`<tr class="talk-row"><td colspan="4">${under}</td></tr>\n`
    if (sign === '@') {
      return html`<tr class="${classes}"><td class="n"></td><td class="n"></td><td class="s"></td><td class="t">${text}</td></tr>\n${talk}`
    }
    const shown = text.length > LONGEST_LINE ? `${text.slice(0, LONGEST_LINE)} …` : text
    const word = WORDS[sign]
    const id =
      options.anchor === undefined
        ? undefined
        : `${options.anchor}${now === undefined ? `L${old}` : `R${now}`}`
    return html`<tr${classes === '' ? '' : html` class="${classes}"`}${id === undefined ? '' : html` id="${id}"`}><td class="n">${old}</td><td class="n">${now}</td><td class="s">${sign === ' ' ? '' : html`<span aria-hidden="true">${sign}</span>`}${word === '' ? '' : html`<span class="hidden">${word}</span>`}</td><td class="t">${highlight(shown, language)}</td></tr>\n${talk}`
  })
  return html`<div class="scroll" role="group" tabindex="0" aria-label="${options.name}"><table class="diff"><thead class="hidden"><tr><th scope="col">Old line</th><th scope="col">New line</th><th scope="col">Change</th><th scope="col">Text</th></tr></thead><tbody>
${rows}</tbody></table></div>`
}
