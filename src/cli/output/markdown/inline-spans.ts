import type { Token } from 'markdown-it'
import { type SafeText, safe } from '../../command/safe-text.ts'
import { escapeControls } from '../escape-controls.ts'
import type { Style, Styles } from '../styles.ts'
import type { Span } from '../wrap-spans.ts'
import { textOfHtml } from './html-text.ts'

const TASK = /^\[([ xX])\] /

/** The styled text of a paragraph, heading or cell. URLs follow links and the names of images. */
export function spansOf(tokens: readonly Token[], styles: Styles, outer?: Style): Span[] {
  const spans: Span[] = []
  const around: (Style | undefined)[] = [outer]
  const links: { href: string; from: number }[] = []
  const add = (text: SafeText, style = around.at(-1)) => {
    if (text !== '') spans.push({ text, style })
  }
  const open = (style: Style) => {
    const before = around.at(-1)
    around.push(before ? (text) => style(before(text)) : style)
  }
  for (const [i, token] of tokens.entries()) {
    switch (token.type) {
      case 'text':
      case 'text_special':
        add(escapeControls(i === 0 ? token.content.replace(TASK, box) : token.content))
        break
      case 'softbreak':
      case 'hardbreak':
        add(safe`\n`)
        break
      case 'code_inline':
        add(escapeControls(token.content), styles.cyan)
        break
      case 'html_inline':
        add(textOfHtml(token.content).split('\n').map(escapeControls).join('\n'))
        break
      case 'image': {
        const src = String(token.attrGet('src') ?? '')
        add(safe`[${escapeControls(token.content || 'image')}]`, styles.cyan)
        add(safe` (${escapeControls(readable(src))})`, styles.dim)
        break
      }
      case 'strong_open':
        open(styles.bold)
        break
      case 'em_open':
        open(styles.italic)
        break
      case 's_open':
        open(styles.dim)
        break
      case 'link_open':
        links.push({ href: readable(String(token.attrGet('href') ?? '')), from: spans.length })
        open(styles.cyan)
        break
      case 'strong_close':
      case 'em_close':
      case 's_close':
        around.pop()
        break
      case 'link_close': {
        around.pop()
        const { href, from } = links.pop() as (typeof links)[number]
        const shown = spans
          .slice(from)
          .map(({ text }) => text)
          .join('')
        if (shown !== escapeControls(href)) add(safe` (${escapeControls(href)})`, styles.dim)
        break
      }
    }
  }
  return spans
}

const box = (_: string, mark: string) => (mark === ' ' ? '☐ ' : '☑ ')

/** A URL as it was written: the parser has percent-encoded it. */
function readable(address: string): string {
  try {
    return decodeURI(address).replaceAll(' ', '%20')
  } catch {
    return address
  }
}
