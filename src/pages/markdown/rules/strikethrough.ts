import type { MarkdownIt, Token } from 'markdown-it'

const TILDE = 0x7e

/**
 * `~text~` and `~~text~~` are struck, as GFM has it; markdown-it takes two tildes only, and two of any more. A text ends with as
 * many tildes as it began with, and three or more are text.
 */
export function strikeTexts(parser: MarkdownIt): void {
  parser.inline.ruler.at('strikethrough', (state, isSilent) => {
    if (isSilent || state.src.charCodeAt(state.pos) !== TILDE) return false
    const { length, can_open: open, can_close: close } = state.scanDelims(state.pos, true)
    state.push('text', '', 0).content = '~'.repeat(length)
    if (length <= 2) {
      // One tilde and two are paired with their like by a number of their own. The length is for the rule of three of emphasis.
      const marker = TILDE * length
      const token = state.tokens.length - 1
      state.delimiters.push({ marker, length: 0, token, end: -1, open, close })
    }
    state.pos += length
    return true
  })
  parser.inline.ruler2.at('strikethrough', ({ delimiters, tokens, tokens_meta }) => {
    const lists = [delimiters, ...tokens_meta.map((meta) => meta?.delimiters ?? [])]
    for (const list of lists) {
      for (const { marker, token, end } of list) {
        const closer = list[end]
        if (closer === undefined || (marker !== TILDE && marker !== 2 * TILDE)) continue
        strike(tokens[token], 's_open', 1)
        strike(tokens[closer.token], 's_close', -1)
      }
    }
  })
}

function strike(token: Token | undefined, type: string, nesting: 1 | -1): void {
  if (token) Object.assign(token, { type, nesting, tag: 's', content: '' })
}
