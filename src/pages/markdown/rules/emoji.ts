import type { MarkdownIt } from 'markdown-it'
import { EMOJI } from '../emoji-names.ts'

const BY_NAME: ReadonlyMap<string, string> = new Map(
  EMOJI.split(' ').map((entry) => {
    const at = entry.indexOf(':')
    return [entry.slice(0, at), entry.slice(at + 1)]
  }),
)

/** The character of a shortcode such as `tada`. */
export const emojiNamed = (name: string): string | undefined => BY_NAME.get(name)

/** `:tada:` becomes its character, but not in code. */
export function replaceEmoji(parser: MarkdownIt): void {
  parser.core.ruler.after('inline', 'emoji', ({ tokens }) => {
    for (const { children } of tokens) {
      for (const token of children ?? []) {
        if (token.type !== 'text' || !token.content.includes(':')) continue
        token.content = token.content.replace(
          /:([a-z0-9_+-]{1,50}):/g,
          (typed, name: string) => emojiNamed(name) ?? typed,
        )
      }
    }
  })
}
