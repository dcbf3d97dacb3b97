import { plus, type SafeText, safe } from '../command/safe-text.ts'
import { displayWidth, graphemes } from './display-width.ts'
import type { Style } from './styles.ts'

/** A part of a text in one style. */
export interface Span {
  text: SafeText
  style?: Style | undefined
}

interface Word {
  spans: Span[]
  width: number
  /** Whether a space separates it from the previous word. */
  spaced: boolean
}

// Scripts in which a line may break after each character.
const BREAKABLE = /[\u0e00-\u0eff\u3005-\u30ff\u3400-\u9fff\uf900-\ufaff\uff01-\uff9f]/

/** Wraps words into lines of `width` columns; a line feed ends a line. Long words are cut, but not URLs. */
export function wrapSpans(spans: readonly Span[], width: number): SafeText[] {
  const room = Math.max(1, width)
  const lines: SafeText[] = []
  let line: Span[] = []
  let filled = 0
  const end = () => {
    lines.push(styled(line))
    line = []
    filled = 0
  }
  for (const word of wordsOf(spans)) {
    if (word === 'end') {
      end()
      continue
    }
    const space = filled > 0 && word.spaced ? 1 : 0
    if (filled + space + word.width > room && filled > 0) end()
    else if (space) line.push({ text: safe` `, style: sharedStyle(line.at(-1), word.spans[0]) })
    if (space && filled > 0) filled++
    const isCut = word.width > room && !word.spans.some(({ text }) => isUrl(text))
    for (const piece of isCut ? cut(word.spans, room) : [word]) {
      if (filled + piece.width > room && filled > 0) end()
      line.push(...piece.spans)
      filled += piece.width
    }
  }
  if (filled > 0 || lines.length === 0) end()
  return lines
}

// A URL that the terminal wraps can still be opened and copied.
const isUrl = (text: string) => text.includes('://')

const sharedStyle = (left: Span | undefined, right: Span | undefined) =>
  left?.style === right?.style ? left?.style : undefined

function* wordsOf(spans: readonly Span[]): Generator<Word | 'end'> {
  let word: Word = { spans: [], width: 0, spaced: false }
  for (const { text, style } of spans) {
    for (const part of partsOf(text)) {
      const isSpace = /^\s/.test(part)
      if (isSpace && word.width > 0) yield word
      if (isSpace) word = { spans: [], width: 0, spaced: part !== '\n' }
      if (part === '\n') yield 'end'
      if (isSpace) continue
      for (const piece of BREAKABLE.test(part) ? graphemes(part) : [part]) {
        if (piece !== part && word.width > 0) {
          yield word
          word = { spans: [], width: 0, spaced: false }
        }
        word.spans.push({ text: piece, style })
        word.width += displayWidth(piece)
      }
    }
  }
  if (word.width > 0) yield word
}

/**
 * Words, runs of spaces and line feeds; a part of a safe text is safe. A regular expression that matches a word of many MB
 * can run out of its stack.
 */
function* partsOf(text: SafeText): Generator<SafeText> {
  let start = 0
  let isSpaces = false
  for (let i = 0; i <= text.length; i++) {
    const isEnd = i === text.length || text[i] === '\n'
    const isSpace = !isEnd && isWhite(text.charCodeAt(i))
    if (!isEnd && isSpace === isSpaces) continue
    if (i > start) yield text.slice(start, i)
    if (isEnd && i < text.length) yield safe`\n`
    start = isEnd ? i + 1 : i
    isSpaces = isSpace
  }
}

const isWhite = (code: number): boolean =>
  code < 0x80 ? code === 32 || (code >= 9 && code <= 13) : /\s/.test(String.fromCharCode(code))

function* cut(spans: readonly Span[], width: number): Generator<Pick<Word, 'spans' | 'width'>> {
  for (const { text, style } of spans) {
    let piece = safe``
    let filled = 0
    for (const character of graphemes(text)) {
      const wide = displayWidth(character)
      if (filled + wide > width && filled > 0) {
        yield { spans: [{ text: piece, style }], width: filled }
        piece = safe``
        filled = 0
      }
      piece = plus(piece, character)
      filled += wide
    }
    if (piece !== '') yield { spans: [{ text: piece, style }], width: filled }
  }
}

/** Cuts a line into lines of `width` columns, keeping spaces; a line with a URL is not cut. */
export const cutLine = (text: SafeText, width: number): SafeText[] => {
  if (width === Number.POSITIVE_INFINITY || isUrl(text)) return [text]
  const pieces = [...cut([{ text }], Math.max(1, width))]
  return pieces.length === 0 ? [safe``] : pieces.map(({ spans }) => spans[0]?.text ?? safe``)
}

/** Applies each style once to adjacent spans. */
function styled(line: readonly Span[]): SafeText {
  let text = safe``
  for (let i = 0; i < line.length; ) {
    const style = line[i]?.style
    let same = safe``
    for (; i < line.length && line[i]?.style === style; i++) {
      same = plus(same, line[i]?.text ?? safe``)
    }
    text = plus(text, style ? style(same) : same)
  }
  return text
}
