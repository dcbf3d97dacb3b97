const LONGEST = 255

// Characters with a meaning in Windows, terminals or shells: separators, control characters, marks of the reading
// direction, invisible ones.
const UNSAFE =
  /[\p{Cc}\p{Cs}\p{Bidi_Control}\p{Noncharacter_Code_Point}\u2028\u2029\u200b\u2060-\u2064\u206a-\u206f\ufeff\ufff9-\ufffb<>:"/\\|?*]/gu

const RESERVED = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])[ ]*(?:\.|$)/i

/** The nearest name for a file or folder that every system accepts. One part of a path. */
export function safeName(text: string): string {
  const name = text
    .normalize('NFC')
    .replace(UNSAFE, '_')
    .replace(/^[ .]+|(?<![ .])[ .]+$/g, (ends) => '_'.repeat(Math.min(ends.length, 2)))
  if (name === '') return '_'
  return shorten(RESERVED.test(name) ? `_${name}` : name, LONGEST)
}

/** The name with `-2` and so on before its ending. */
export function numberedName(name: string, number: number): string {
  const { stem, ending } = splitName(name)
  const added = `-${number}`
  return shortenStem(stem, LONGEST - Buffer.byteLength(added + ending)) + added + ending
}

/** A key that is equal for names that some system considers the same. */
export const foldName = (path: string): string =>
  path.normalize('NFKD').toUpperCase().toLowerCase().normalize('NFKD')

/** The path of an archive, folder or database without the ending of its name. */
export const withoutEnding = (path: string): string =>
  path.replace(/(?<!\/)\/+$/, '').replace(/(?:\.tar)?\.(?:gz|tgz|tar|zip|db3?|sqlite3?)$/i, '')

/** The extension, such as `.png` of `two.png`; empty if there is none. */
export const endingOf = (name: string): string => splitName(name).ending

function splitName(name: string): { stem: string; ending: string } {
  const [ending = ''] = /(?<=.)(?:\.tar)?\.[A-Za-z0-9]{1,12}$/.exec(name) ?? []
  return { stem: name.slice(0, name.length - ending.length), ending }
}

function shorten(name: string, limit: number): string {
  if (Buffer.byteLength(name) <= limit) return name
  const { stem, ending } = splitName(name)
  return shortenStem(stem, limit - Buffer.byteLength(ending)) + ending
}

/** As many whole characters as fit, without trailing ones that Windows drops. */
function shortenStem(stem: string, limit: number): string {
  let bytes = 0
  let end = 0
  for (const character of stem) {
    bytes += Buffer.byteLength(character)
    if (bytes > limit) break
    end += character.length
  }
  return end === stem.length ? stem : stem.slice(0, end).replace(/(?<![ .])[ .]+$/, '')
}
