// Strings, names and comments, in which a semicolon does not end a statement. An unclosed one extends to the end.
const PART =
  /'[^']*(?:''[^']*)*(?:'|$)|"[^"]*(?:""[^"]*)*(?:"|$)|`[^`]*(?:`|$)|\[[^\]]*(?:\]|$)|--.*|\/\*[\s\S]*?(?:\*\/|$)|;/g

/** The statements that end with a semicolon, without it, and the rest. */
export function splitStatements(text: string): { statements: string[]; rest: string } {
  const statements: string[] = []
  let begin = 0
  for (const { 0: part, index } of text.matchAll(PART)) {
    if (part !== ';') continue
    statements.push(text.slice(begin, index))
    begin = index + 1
  }
  return { statements: statements.filter(hasStatement), rest: text.slice(begin) }
}

/** Whether a text has more than spaces and comments. */
export const hasStatement = (text: string): boolean =>
  text.replace(PART, (part) => (/^(--|\/\*)/.test(part) ? '' : part)).trim() !== ''

/** The text as one line; undefined if a string or name contains a line break. */
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
