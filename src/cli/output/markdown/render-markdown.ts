import MarkdownIt, { type Token } from 'markdown-it'
import { type SafeText, safe } from '../../command/safe-text.ts'
import { escapeControlsButNewlines } from '../escape-controls.ts'
import type { Styles } from '../styles.ts'
import { textOfHtml } from './html-text.ts'
import { spansOf } from './inline-spans.ts'
import { openPage, type Page } from './page.ts'
import { renderTable } from './render-table.ts'

export interface RenderOptions {
  /** Columns of the terminal. */
  width: number
  styles: Styles
}

/** GitHub allows 65,536 characters. A much longer text is shown without formatting. */
const LONGEST = 262_144

/** Maximum characters of a line of such a text; the terminal wraps it. */
const LONGEST_LINE = 8_192

const parser = new MarkdownIt({ html: true, breaks: true })

/** Markdown as lines for a terminal: wrapped, styled, without control characters. */
export const markdownLines = (text: string, options: RenderOptions): Iterable<SafeText> =>
  text.length > LONGEST ? linesOf(text) : renderMarkdown(text, options)

/** The same, for text that is not too long. */
export function renderMarkdown(text: string, { width, styles }: RenderOptions): SafeText[] {
  const tokens = parser.parse(text.replaceAll('\r\n', '\n'), {})
  const page = openPage(width, styles)
  for (let at = 0; at < tokens.length; ) at = renderBlock(tokens, at, page, styles)
  return page.lines
}

/** The lines of a text one by one: an array of all would take up to a hundred times as much memory. */
function* linesOf(text: string): Generator<SafeText> {
  for (let at = 0; at < text.length; ) {
    const found = text.indexOf('\n', at)
    const end = found < 0 ? text.length : found
    let cut = Math.min(end, at + LONGEST_LINE)
    // Do not cut a surrogate pair.
    if (cut < end && /[\ud800-\udbff]/.test(text.charAt(cut - 1))) cut--
    yield escapeControlsButNewlines(text.slice(at, cut).replace(/\r$/, ''))
    at = cut === end ? end + 1 : cut
  }
}

/** Renders the block that begins at a token. Returns the index of the next one. */
function renderBlock(tokens: readonly Token[], at: number, page: Page, styles: Styles): number {
  const token = tokens[at] as Token
  switch (token.type) {
    case 'inline': {
      const before = tokens[at - 1]
      const heading = before?.type === 'heading_open' ? Number(before.tag.slice(1)) : undefined
      const spans = spansOf(token.children ?? [], styles, heading ? styles.bold : undefined)
      const sign = { text: safe`${safe`#`.repeat(heading ?? 0)} `, style: styles.dim }
      page.write(heading ? [sign, ...spans] : spans)
      break
    }
    case 'paragraph_open':
    case 'heading_open':
      // The paragraphs of a tight list are hidden: no lines between them.
      if (!token.hidden) page.separate()
      break
    case 'bullet_list_open':
    case 'ordered_list_open':
      page.openList(
        token.type === 'ordered_list_open' ? Number(token.attrGet('start') ?? 1) : undefined,
      )
      break
    case 'bullet_list_close':
    case 'ordered_list_close':
      page.closeList()
      break
    case 'list_item_open':
      page.openItem(tokens[at + 1]?.type === 'paragraph_open' && !tokens[at + 1]?.hidden)
      break
    case 'blockquote_open':
      page.openQuote()
      break
    case 'list_item_close':
    case 'blockquote_close':
      page.close()
      break
    case 'fence':
    case 'code_block':
      page.separate()
      page.writeCode(escapeControlsButNewlines(token.content.replace(/\n$/, '')))
      break
    case 'html_block': {
      const shown = textOfHtml(token.content).trim()
      if (shown !== '') {
        page.separate()
        page.write([{ text: escapeControlsButNewlines(shown) }])
      }
      break
    }
    case 'hr':
      page.separate()
      page.rule()
      break
    case 'table_open': {
      const end = tokens.findIndex(({ type }, i) => i > at && type === 'table_close')
      page.separate()
      page.writeLines(renderTable(tokens.slice(at, end), page.room(), styles))
      return end + 1
    }
  }
  return at + 1
}
