import { type Html, type HtmlValue, html, shown } from '../html.ts'
import type { MarkdownContext } from './markdown-context.ts'
import { findReferences } from './rules/references.ts'

/** Text that is not Markdown, such as the message of a commit, with links to what it refers to. */
export function linkText(text: string, context: MarkdownContext): Html {
  const parts: HtmlValue[] = []
  let end = 0
  for (const found of findReferences(text, context)) {
    const words = found.isCode ? html`<code>${found.words}</code>` : found.words
    parts.push(shown(text.slice(end, found.start)), html`<a href="${found.path}">${words}</a>`)
    end = found.end
  }
  return html`${parts}${shown(text.slice(end))}`
}
