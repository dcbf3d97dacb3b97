import type { MarkdownIt } from 'markdown-it'

/** The footnotes of a text, by their names, in the order of their first use. */
interface Notes {
  texts: Map<string, string>
  used: string[]
  /** The notes themselves are being rendered. */
  isListed?: boolean
}

/** A note in the list at the end. Nothing leads back from one that the text does not use. */
export interface Note {
  html: string
  isUsed: boolean
}

const notesOf = (env: object): Notes => {
  const held = env as { notes?: Notes }
  held.notes ??= { texts: new Map(), used: [] }
  return held.notes
}

const MOST = 1000

/** `[^1]` becomes a link to a note, which `[^1]: text` defines: the notes stand at the end of the text. */
export function addFootnotes(parser: MarkdownIt): void {
  parser.block.ruler.before('reference', 'footnote', (state, startLine, endLine, isSilent) => {
    const lineAt = (line: number) =>
      state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line])
    const [head, name] = /^\[\^([^\]\s]{1,100})\]:[ \t]*/.exec(lineAt(startLine)) ?? []
    if (head === undefined || name === undefined) return false
    if (isSilent) return true
    const lines = [lineAt(startLine).slice(head.length)]
    let next = startLine + 1
    while (next < endLine && lineAt(next).trim() !== '' && !lineAt(next).startsWith('[^')) {
      lines.push(lineAt(next++))
    }
    const { texts } = notesOf(state.env)
    // A second note of one name is listed, too; no name has a space.
    texts.set(texts.has(name) ? `${name} ${texts.size}` : name, lines.join('\n'))
    state.line = next
    return true
  })
  parser.inline.ruler.after('image', 'footnote_use', (state, isSilent) => {
    const [typed, name] =
      /^\[\^([^\]\s]{1,100})\]/.exec(state.src.slice(state.pos, state.pos + 110)) ?? []
    const notes = notesOf(state.env)
    if (typed === undefined || name === undefined || !notes.texts.has(name)) return false
    if (!isSilent && notes.used.length < MOST) {
      if (!notes.used.includes(name)) notes.used.push(name)
      const use = state.push('footnote_use', 'sup', 0)
      use.meta = { number: notes.used.indexOf(name) + 1 }
    }
    state.pos += typed.length
    return true
  })
  parser.core.ruler.push('footnote_list', ({ tokens, env, md, Token }) => {
    const held = notesOf(env)
    const { used, texts } = held
    if (texts.size === 0 || held.isListed) return
    held.isListed = true
    const list = new Token('footnote_list', 'section', 0)
    const notes: Note[] = []
    const render = (name: string, isUsed: boolean) => {
      notes.push({ html: md.renderInline(texts.get(name) ?? '', env), isUsed })
    }
    // The loops end: a note may use further ones, but each once.
    const renderUsed = () => {
      while (notes.length < used.length) render(used[notes.length] as string, true)
    }
    renderUsed()
    for (const name of texts.keys()) {
      if (used.includes(name)) continue
      used.push(name)
      render(name, false)
      renderUsed()
    }
    list.meta = { notes }
    tokens.push(list)
  })
}
