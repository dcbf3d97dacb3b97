import type { MarkdownIt, Token } from 'markdown-it'
import { REFERENCE, referenceOf } from '../../../reading/markdown/references.ts'
import { type Html, type HtmlValue, html, shown } from '../../html.ts'
import type { MarkdownContext } from '../markdown-context.ts'

/** A reference in a text to something that is there. */
interface FoundReference {
  readonly start: number
  readonly end: number
  readonly path: string
  /** The text of a link to it. */
  readonly words: string
  readonly isCode: boolean
  readonly isPerson: boolean
}

/** Finds references to what is there. */
function* findReferences(text: string, context: MarkdownContext): Generator<FoundReference> {
  for (const { 0: typed, index, groups = {} } of text.matchAll(REFERENCE)) {
    const path = context.reference(referenceOf(groups))
    if (path === undefined) continue
    const words = groups.oid && !groups.of ? typed.slice(0, 7) : typed
    const [isCode, isPerson] = [groups.oid !== undefined, groups.login !== undefined]
    yield { start: index, end: index + typed.length, path, words, isCode, isPerson }
  }
}

/** Makes links of references to what is there, but not in code, links and HTML. */
export function linkReferences(parser: MarkdownIt): void {
  parser.core.ruler.after('linkify', 'references', ({ tokens, env, Token: Made }) => {
    const { context } = env as { context: MarkdownContext }
    for (const token of tokens) {
      if (token.type !== 'inline' || !token.children) continue
      let depth = 0
      token.children = token.children.flatMap((child) => {
        if (child.type === 'link_open') depth++
        if (child.type === 'link_close') depth--
        if (child.type === 'html_inline') depth += linkDepth(child.content)
        return child.type === 'text' && depth <= 0 ? split(child, context, Made) : [child]
      })
    }
  })
}

const linkDepth = (markup: string): number =>
  /^<a[\s>]/i.test(markup) ? 1 : /^<\/a\s*>/i.test(markup) ? -1 : 0

function split(text: Token, context: MarkdownContext, Made: typeof Token): Token[] {
  const parts: Token[] = []
  let end = 0
  const addText = (content: string) => {
    if (content === '') return
    const part = new Made('text', '', 0)
    part.content = content
    parts.push(part)
  }
  for (const { start, words, ...found } of findReferences(text.content, context)) {
    addText(text.content.slice(end, start))
    const link = new Made('reference', 'a', 0)
    link.content = words
    link.meta = found
    parts.push(link)
    end = found.end
  }
  if (parts.length === 0) return [text]
  addText(text.content.slice(end))
  return parts
}

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
