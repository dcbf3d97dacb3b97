const WORD = /"([^"$`\\]*)"|'([^']*)'|[\w@%+=:,./-][\w@%+=:,./#-]*/g
const LINE = new RegExp(`^(?:(?:${WORD.source})(?:[ \\t]+|$))*$`)

/** A command line as a shell splits it; undefined where a shell would see more in it than words. */
export const splitWords = (line: string): string[] | undefined =>
  LINE.test(line)
    ? [...line.matchAll(WORD)].map(([word, double, single]) => double ?? single ?? word)
    : undefined

/** The words of a command line that is nothing but words. */
export function wordsOf(line: string): string[] {
  const words = splitWords(line)
  if (!words) throw new Error(`this is for a shell to split: ${line}`)
  return words
}
