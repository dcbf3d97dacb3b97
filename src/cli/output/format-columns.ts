/** Columns of a terminal that everything fits. */
export const WIDTH = 80
// Text next to a very long name would be too narrow, so it begins below the name.
const WIDEST_LEFT = 34 / 80

/** Names and descriptions in two columns, wrapped to the width of a terminal. */
export function formatColumns<Text extends string>(
  rows: readonly (readonly [left: Text, right: Text])[],
  columns = WIDTH,
): Text {
  const widest = Math.floor(columns * WIDEST_LEFT)
  const lefts = rows.map(([left]) => left.length).filter((length) => length <= widest)
  const width = Math.max(0, ...lefts)
  const indent = ' '.repeat(width + 4)
  return rows
    .flatMap(([left, right]) => {
      const [first = '', ...rest] = wrap(right, columns - indent.length)
      const below = rest.map((line) => indent + line)
      if (left.length > width) return [`  ${left}`, indent + first, ...below]
      return [`  ${left.padEnd(width)}  ${first}`.trimEnd(), ...below]
    })
    .join('\n') as Text
}

/** Lines of at most `width` characters, broken at spaces; a longer word has a line of its own. */
export function wrap<Text extends string>(text: Text, width: number): Text[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= width) {
      lines[lines.length - 1] = `${last} ${word}`
    } else {
      lines.push(word)
    }
  }
  return lines as Text[]
}
