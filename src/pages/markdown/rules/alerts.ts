import type { MarkdownIt } from 'markdown-it'

const ALERT = /^\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\][ \t]*(?:\n|$)/i

/** A quote that begins with `[!NOTE]` becomes a box with a title. */
export function addAlerts(parser: MarkdownIt): void {
  parser.core.ruler.after('block', 'alerts', ({ tokens, Token }) => {
    for (let i = 0; i < tokens.length; i++) {
      const [quote, paragraph, inline] = tokens.slice(i, i + 3)
      if (quote?.type !== 'blockquote_open' || paragraph?.type !== 'paragraph_open') continue
      const [line, word] = ALERT.exec(inline?.content ?? '') ?? []
      if (!inline || line === undefined || word === undefined) continue
      inline.content = inline.content.slice(line.length)
      const kind = word.toLowerCase()
      quote.meta = { alert: kind }
      const title = new Token('alert_title', 'p', 0)
      title.content = kind[0]?.toUpperCase() + kind.slice(1)
      tokens.splice(i + 1, 0, title)
    }
  })
}
