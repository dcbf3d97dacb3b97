import { isTextAt } from '../find-needles.ts'
import { createPatternFinder, ESCAPED } from '../find-patterns.ts'
import { createWordFinder } from '../find-words.ts'
import type { FindHints } from '../read-hinted-rows.ts'
import { wordsIn } from '../words.ts'
import type { Lookup } from './identity-map.ts'

/** Letters, digits and other signs of a login in a URL, percent-encoded; and K, which is k in lower case. */
const ENCODED = {
  pattern: /%(?:2d|3[0-9]|4[1-9a-f]|5[0-9abdf]|6[1-9a-f]|7[0-9a])|\xe2\x84\xaa/i,
  signs: '%\xe2',
}
const findEscapes = createPatternFinder([ESCAPED, ENCODED])

/**
 * Creates a search for all places in bytes at which there may be an old or new name, in a URL or text. Where there is none, no
 * name is replaced.
 */
export function createMapHints(lookup: Lookup): FindHints {
  const { logins, repositories, hosts, newLogins, newHosts } = lookup
  const anywhere = new Set([...repositories.keys(), ...hosts.keys(), ...newHosts])
  // Names are ASCII. They are told apart while the search is made, because there may be very many.
  function* names() {
    for (const each of [logins.keys(), newLogins, anywhere]) {
      for (const name of each) yield [wordsIn(name), name] as const
    }
  }
  const find = createWordFinder(names(), { ascii: true })
  return (bytes) => {
    const found = findEscapes(bytes, bytes.toString('latin1'))
    find(bytes, (at, name) => {
      const end = at + name.length
      if (isTextAt(name, bytes, at) && (anywhere.has(name) || isLogin(bytes, at, end)))
        found.push(at)
      return false
    })
    return found.sort((a, b) => a - b)
  }
}

/** Whether a login may be a name where it stands: `/ada`, `@ada` or `ada/`. */
const isLogin = (bytes: Uint8Array, start: number, end: number): boolean =>
  bytes[start - 1] === SLASH || bytes[start - 1] === AT || bytes[end] === SLASH

const [SLASH, AT] = [0x2f, 0x40]
