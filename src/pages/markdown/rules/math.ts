import type { MarkdownIt } from 'markdown-it'

/** A formula in a line: its dollars have no space inside, and no letter or digit outside. */
const INLINE =
  /(?<![\p{L}\p{N}\\$])\$(?!\s|\$)((?:\\.|[^\\$\n`]){1,1000})(?<!\s)\$(?![\p{L}\p{N}$])/uy
/** The form for formulas that Markdown would change: $`a_1`$. */
const QUOTED = /\$`([^`\n]{1,1000})`\$/y
/** A formula on a line of its own, in the same line as text. */
const DOUBLE = /(?<!\$)\$\$(?!\s)((?:\\.|[^\\$\n`]){1,1000})(?<!\s)\$\$(?!\$)/uy

/**
 * Formulas, as GitHub takes them: `$a_1$` and `` $`a_1`$ `` in a line, `$$` around lines. They stay TeX, as code, so that
 * nothing in them is taken for Markdown.
 */
export function addMath(parser: MarkdownIt): void {
  parser.inline.ruler.before('escape', 'math', (state, isSilent) => {
    const formula = formulaAt(state.src, state.pos)
    if (!formula) return false
    if (!isSilent) state.push('math', 'code', 0).content = formula.tex
    state.pos += formula.length
    return true
  })
  const isBlock = (line: string) => line.trim() === '$$'
  parser.block.ruler.before(
    'fence',
    'math_block',
    (state, startLine, endLine, isSilent) => {
      const lineAt = (line: number) => state.src.slice(state.bMarks[line], state.eMarks[line])
      const inner = (line: number) => lineAt(line).slice(state.tShift[line])
      if (!isBlock(inner(startLine))) return false
      let end = startLine + 1
      while (end < endLine && !isBlock(inner(end))) end++
      if (end >= endLine) return false
      if (isSilent) return true
      const token = state.push('fence', 'code', 0)
      token.info = 'math'
      token.content = state.getLines(startLine + 1, end, state.sCount[startLine] ?? 0, true)
      token.map = [startLine, end + 1]
      state.line = end + 1
      return true
    },
    { alt: ['paragraph', 'blockquote', 'list'] },
  )
}

function formulaAt(text: string, at: number): { tex: string; length: number } | undefined {
  if (text[at] !== '$') return undefined
  for (const form of [QUOTED, DOUBLE, INLINE]) {
    form.lastIndex = at
    const found = form.exec(text)
    if (found) return { tex: found[1] ?? '', length: found[0].length }
  }
  return undefined
}
