import { createNeedleFinder, ESCAPES, SHORTEST_NEEDLE } from '../find-needles.ts'
import type { FindHints } from '../read-hinted-rows.ts'
import type { Lookup } from './identity-map.ts'

/** Letters, digits and other signs of a login in a URL, percent-encoded; and K, which is k in lower case. */
const ENCODED = /%(?:2d|3[0-9]|4[1-9a-f]|5[0-9abdf]|6[1-9a-f]|7[0-9a])|\xe2\x84\xaa/gi

/**
 * Creates a search for all places in bytes at which there may be an old or new name, in a URL or text. Where there is none, no
 * name is replaced. Undefined if a name is too short to be searched for.
 */
export function createMapHints(lookup: Lookup): FindHints | undefined {
  const { logins, repositories, hosts, newLogins, newHosts } = lookup
  const needles = [
    ...[...logins.keys(), ...newLogins].flatMap((login) => [`/${login}`, `@${login}`, `${login}/`]),
    ...repositories.keys(),
    ...[...hosts.keys(), ...newHosts].flatMap((host) => [`://${host}`, `://www.${host}`]),
  ]
  if (needles.some((needle) => needle.length < SHORTEST_NEEDLE)) return undefined
  const find = createNeedleFinder(needles.map((needle) => [needle, needle] as const))
  return (bytes) => {
    const found: number[] = []
    const text = bytes.toString('latin1')
    for (const pattern of [ESCAPES, ENCODED]) {
      for (const { index } of text.matchAll(pattern)) found.push(index)
    }
    find(bytes, (at, needle) => {
      // `/ada` is not in `/adam`.
      if (needle.endsWith('/') || !isAlphanumeric(bytes[at + needle.length])) found.push(at)
      return false
    })
    return found.sort((a, b) => a - b)
  }
}

const isAlphanumeric = (byte = 0): boolean =>
  (byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a)
