/** A variable of a configuration file. */
export interface ConfigValue {
  /** `section.name` or `section.subsection.name`; section and name in lower case. */
  name: string
  /** Null if there is no equals sign, which means true. */
  value: string | null
}

const SECTION = /^\[([A-Za-z0-9.-]+)(?:[ \t]+"((?:[^"\\\n]|\\[^\n])*)")?\]/
const NAME = /^([A-Za-z][A-Za-z0-9-]*)[ \t]*/
const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  b: '\b',
  '"': '"',
  '\\': '\\',
}

/** Parses a configuration file as Git does. Returns the number of the line that Git refuses instead, from 1. */
export function parseConfig(text: string): ConfigValue[] | number {
  const values: ConfigValue[] = []
  const input = text.replace(/^\ufeff/, '').replaceAll('\r\n', '\n')
  let section = ''
  let at = 0
  const wrong = () => input.slice(0, at).split('\n').length
  while (at < input.length) {
    const start = input[at] as string
    if (/\s/.test(start)) at++
    else if (start === '#' || start === ';') at = endOfLine(input, at)
    else if (start === '[') {
      // No header is longer than its line.
      const header = SECTION.exec(input.slice(at, endOfLine(input, at)))
      if (!header) return wrong()
      const [whole, name = '', subsection] = header
      section = name.toLowerCase()
      if (subsection !== undefined) section += `.${subsection.replace(/\\(.)/g, '$1')}`
      at += whole.length
    } else {
      const key = NAME.exec(input.slice(at, endOfLine(input, at)))
      if (!key) return wrong()
      at += key[0].length
      const name = `${section}.${(key[1] as string).toLowerCase()}`
      if (at >= input.length || input[at] === '\n') {
        values.push({ name, value: null })
        continue
      }
      if (input[at] !== '=') return wrong()
      const found = parseValue(input, at + 1)
      if (!found) return wrong()
      values.push({ name, value: found.value })
      at = found.end
    }
  }
  return values
}

function endOfLine(input: string, at: number): number {
  const end = input.indexOf('\n', at)
  return end < 0 ? input.length : end
}

/** Parses the text after an equals sign: quotes, escapes, comments, and lines that a backslash continues. */
function parseValue(input: string, from: number): { value: string; end: number } | undefined {
  const parts: string[] = []
  let isQuoted = false
  // Spaces count only if something follows.
  let spaces = ''
  let at = from
  for (; at < input.length && input[at] !== '\n'; at++) {
    const char = input[at] as string
    if (!isQuoted && /[ \t\r\v\f]/.test(char)) {
      if (parts.length > 0) spaces += char
      continue
    }
    if (!isQuoted && (char === '#' || char === ';')) {
      at = endOfLine(input, at)
      break
    }
    if (spaces !== '') parts.push(spaces)
    spaces = ''
    if (char === '"') isQuoted = !isQuoted
    else if (char !== '\\') parts.push(char)
    else {
      const next = input[++at]
      // The end of the file is read as that of a line.
      if (next === undefined || next === '\n') continue
      const meant = ESCAPES[next]
      if (meant === undefined) return undefined
      parts.push(meant)
    }
  }
  return isQuoted ? undefined : { value: parts.join(''), end: at }
}
