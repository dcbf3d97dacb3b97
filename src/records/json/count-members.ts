const COLON = ':'
const QUOTE = 0x22
const SPACE = 0x20

/**
 * How many members all objects in a valid JSON text have, or a few more: a colon in a text may look like one
 * behind a name. Costs little beside parsing.
 */
export function countMembersAtMost(text: string): number {
  let count = 0
  for (let at = text.indexOf(COLON); at >= 0; at = text.indexOf(COLON, at + 1)) {
    const before = text.charCodeAt(at - 1)
    if (before === QUOTE || before <= SPACE) count++
  }
  return count
}

/** How many members all objects in a valid JSON text have, those of one name counted each. */
export function countMembers(text: string): number {
  const colon = /\s*:/y
  let count = 0
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at)) {
    at = endOfText(text, at)
    colon.lastIndex = at
    if (colon.test(text)) count++
  }
  return count
}

/** Where the text that begins at `start` is over, its quotes included. */
function endOfText(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end + 1
}

/** Whether an odd number of backslashes stands before. */
function isEscaped(text: string, at: number): boolean {
  let first = at
  while (text[first - 1] === '\\') first--
  return (at - first) % 2 === 1
}
