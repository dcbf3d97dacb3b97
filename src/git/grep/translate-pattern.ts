/** How a pattern is written: as plain text, or as a basic or an extended regular expression of POSIX. */
export type PatternKind = 'fixed' | 'basic' | 'extended'

const CLASSES: Readonly<Record<string, string>> = {
  ...{ alpha: '\\p{L}', digit: '0-9', alnum: '\\p{L}0-9', upper: '\\p{Lu}', lower: '\\p{Ll}' },
  ...{ space: '\\s', blank: ' \\t', punct: '!-\\/:-@\\[-`\\{-~', xdigit: '0-9A-Fa-f' },
  ...{
    cntrl: '\\x00-\\x1f\\x7f',
    print: ' -~\\u00a0-\\u{10ffff}',
    graph: '!-~\\u00a1-\\u{10ffff}',
  },
}

/** Escapes that mean the same in both languages. */
const SHARED = 'bBwWsS123456789'
const SPECIAL = /[.*+?^${}()|[\]\\/]/

const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')

/**
 * Translates a pattern of grep into a regular expression of JavaScript with the flag u. In a basic one `+ ? | ( ) { }` stand
 * for themselves and have their meaning after a backslash; in an extended one it is the other way round.
 */
export function translatePattern(pattern: string, kind: PatternKind): string {
  if (kind === 'fixed') return literal(pattern)
  const isBasic = kind === 'basic'
  let made = ''
  /** There is nothing before it to repeat. */
  let isStart = true
  for (let at = 0; at < pattern.length; ) {
    const char = String.fromCodePoint(pattern.codePointAt(at) as number)
    at += char.length
    if (char === '[') {
      const { text, end } = translateSet(pattern, at)
      made += text
      at = end
      isStart = false
      continue
    }
    const isEscaped = char === '\\' && at < pattern.length
    const next = isEscaped ? String.fromCodePoint(pattern.codePointAt(at) as number) : char
    if (isEscaped) at += next.length
    const isOperator = isBasic === isEscaped
    const bounds = next === '{' ? /^(\d*)(,?\d*)\\?\}/.exec(pattern.slice(at, at + 20)) : null
    if (isOperator && bounds && !isStart) {
      made += `{${bounds[1] || 0}${bounds[2]}}`
      at += bounds[0].length
    } else if (isOperator && '+?|()'.includes(next)) {
      made += '+?'.includes(next) && isStart ? literal(next) : next
      isStart = next === '(' || next === '|'
    } else if (isEscaped) {
      made += translateEscape(next)
      isStart = false
    } else if (char === '*') {
      made += isStart ? '\\*' : '*'
      isStart = false
    } else if (char === '^' || char === '$') {
      // In the middle of a basic expression they are characters.
      const rest = pattern.slice(at)
      const isAnchor = !isBasic || (char === '^' ? isStart : rest === '' || /^\\[)|]/.test(rest))
      made += isAnchor ? char : `\\${char}`
      isStart = char === '^'
    } else {
      made += char === '.' ? '.' : literal(char)
      isStart = false
    }
  }
  return made
}

function translateEscape(next: string): string {
  if (next === '<') return '\\b(?=\\w)'
  if (next === '>') return '\\b(?<=\\w)'
  return SHARED.includes(next) || SPECIAL.test(next) ? `\\${next}` : literal(next)
}

/** Translates a set such as `[^a-z[:digit:]]`, in which a backslash stands for itself. */
function translateSet(pattern: string, start: number): { text: string; end: number } {
  let at = start
  let text = '['
  if (pattern[at] === '^') {
    text += '^'
    at++
  }
  const first = at
  while (at < pattern.length) {
    const char = String.fromCodePoint(pattern.codePointAt(at) as number)
    if (char === ']' && at > first) return { text: `${text}]`, end: at + 1 }
    const [found, name] = /^\[:(\w+):\]/.exec(pattern.slice(at, at + 12)) ?? []
    const known = name === undefined ? undefined : CLASSES[name]
    if (found !== undefined && known !== undefined) {
      text += known
      at += found.length
      continue
    }
    text += /[\\[\]^]/.test(char) ? `\\${char}` : char
    at += char.length
  }
  // The set has no end, which JavaScript reports.
  return { text, end: at }
}
