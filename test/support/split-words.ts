const WORD = /"([^"$`\\]*)"|'([^']*)'|[\w@%+=:,./-][\w@%+=:,./#-]*/g
const COMMAND = new RegExp(`^(?:(?:${WORD.source})(?:[ \\t]+|$))+$`)

/** The words of a command line as a shell splits it; undefined where a shell would see more in it than words. */
export function splitWords(line: string): string[] | undefined {
  if (!COMMAND.test(line)) return undefined
  return [...line.matchAll(WORD)].map(([word, double, single]) => double ?? single ?? word)
}
