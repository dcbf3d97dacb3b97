import { ESCAPED, findPatterns, folded, isAt, type SignedPattern } from '../find-needles.ts'
import { createWordFinder } from '../find-words.ts'
import type { FindHints } from '../read-hinted-rows.ts'
import { wordsIn } from '../words.ts'
import type { Lookup } from './identity-map.ts'

/** Letters, digits and other signs of a login in a URL, percent-encoded; and K, which is k in lower case. */
const ENCODED: SignedPattern = {
  pattern: /%(?:2d|3[0-9]|4[1-9a-f]|5[0-9abdf]|6[1-9a-f]|7[0-9a])|\xe2\x84\xaa/gi,
  signs: ['%', '\xe2\x84\xaa'],
}

/** Whether a login may be a name where it stands. */
type Confirm = (bytes: Uint8Array, start: number, end: number) => boolean

/**
 * Creates a search for all places in bytes at which there may be an old or new name, in a URL or text. Where there is none, no
 * name is replaced.
 */
export function createMapHints(lookup: Lookup): FindHints {
  const { logins, repositories, hosts, newLogins, newHosts } = lookup
  const names: [string, Confirm][] = [
    ...[...logins.keys(), ...newLogins].map((login): [string, Confirm] => [login, isLogin]),
    ...[...repositories.keys(), ...hosts.keys(), ...newHosts].map((name): [string, Confirm] => [
      name,
      always,
    ]),
  ]
  const find = createWordFinder(
    names.map(([text, confirm]) => {
      const name = folded(Buffer.from(text))
      return [wordsIn(text), { name, confirm }] as const
    }),
    { ascii: true },
  )
  return (bytes) => {
    const found = findPatterns(bytes.toString('latin1'), [ESCAPED, ENCODED])
    find(bytes, (at, { name, confirm }) => {
      if (isAt(name, bytes, at) && confirm(bytes, at, at + name.length)) found.push(at)
      return false
    })
    return found.sort((a, b) => a - b)
  }
}

const always: Confirm = () => true

/** `/ada`, `@ada` or `ada/`. */
const isLogin: Confirm = (bytes, start, end) =>
  bytes[start - 1] === SLASH || bytes[start - 1] === AT || bytes[end] === SLASH

const [SLASH, AT] = [0x2f, 0x40]
