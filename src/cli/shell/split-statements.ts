// What may hold a semicolon that ends nothing; one that is not closed reaches to the end.
const PART =
  /'[^']*(?:''[^']*)*(?:'|$)|"[^"]*(?:""[^"]*)*(?:"|$)|`[^`]*(?:`|$)|\[[^\]]*(?:\]|$)|--.*|\/\*[\s\S]*?(?:\*\/|$)|;/g

/** The statements that end in a semicolon, without it, and what is begun after them. */
export function splitStatements(text: string): { statements: string[]; rest: string } {
  const statements: string[] = []
  let begin = 0
  for (const { 0: part, index } of text.matchAll(PART)) {
    if (part !== ';') continue
    statements.push(text.slice(begin, index))
    begin = index + 1
  }
  return { statements: statements.filter(saysSomething), rest: text.slice(begin) }
}

/** Whether a text holds more than space and comments. */
export const saysSomething = (text: string): boolean =>
  text.replace(PART, (part) => (/^(--|\/\*)/.test(part) ? '' : part)).trim() !== ''

/** The same on one line, if that can be: a break in a text or a name is a part of it. */
export function joinLines(text: string): string | undefined {
  if (!text.includes('\n')) return text
  let joined = ''
  let end = 0
  for (const { 0: part, index } of text.matchAll(PART)) {
    const isComment = /^(--|\/\*)/.test(part)
    if (part.includes('\n') && !isComment) return undefined
    joined += spaced(text.slice(end, index)) + (isComment ? ' ' : part)
    end = index + part.length
  }
  return (joined + spaced(text.slice(end))).trim()
}

const spaced = (text: string) => text.replace(/\s*\n\s*/g, ' ')
