import { createHmac, createSecretKey, randomBytes } from 'node:crypto'
import { isIPv6 } from 'node:net'
import { ArchiveError } from '../../base/errors.ts'
import { spacedName } from './find-names.ts'
import type { ValueType } from './finding.ts'

/** How values are replaced: by a pseudonym, a mask such as `[email]`, or nothing. */
export const MODES = ['pseudonym', 'mask', 'remove'] as const
export type Mode = (typeof MODES)[number]

export interface Pseudonyms {
  /** The same for the same value in any case, spacing and form of IPv6. It cannot be computed without the key. */
  of(type: ValueType, value: string, detail?: string): string
  /** Addresses that are the pseudonym of several IPv4 addresses: there are only 768. */
  collisions(): number
}

/** Bytes of a key, at least. */
const SHORTEST_KEY = 32

/** Values whose sums are kept, as most come again and again, and characters of the longest. */
const MOST_KNOWN = 10_000
const LONGEST_KNOWN = 200

/** Base 32 without letters that look like digits. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

/** Creates pseudonyms with a key; without one, with a random key that is kept nowhere. Throws `option-invalid`. */
export function createPseudonyms(
  key: Uint8Array = randomBytes(SHORTEST_KEY),
  { keepDomain = false } = {},
): Pseudonyms {
  if (key.length < SHORTEST_KEY) {
    const found = key.length === 0 ? 'none' : key.length
    const message = `key: expected 32 bytes or more, found ${found}`
    throw new ArchiveError('option-invalid', message).about('key')
  }
  // To prepare the key takes four times as long as a sum.
  const prepared = createSecretKey(key)
  const sums = new Map<string, Buffer>()
  const sumOf = (type: string, value: string): Buffer => {
    const text = `${type}\0${value}`
    const known = sums.get(text)
    if (known) return known
    const sum = createHmac('sha256', prepared).update(text.normalize('NFC').toLowerCase()).digest()
    if (sums.size === MOST_KNOWN) sums.clear()
    if (value.length <= LONGEST_KNOWN) sums.set(text, sum)
    return sum
  }
  const short = (type: string, value: string): string =>
    [...sumOf(type, value).subarray(0, 10)].map((byte) => ALPHABET[byte % 32]).join('')
  const given = new Map<string, string>()
  let collisions = 0
  const v4 = (value: string): string => {
    const sum = sumOf('ip', value)
    const network = NETWORKS[(sum[0] as number) % NETWORKS.length]
    const address = `${network}.${sum[1]}`
    const other = given.get(address)
    if (other !== undefined && other !== value) collisions++
    given.set(address, value)
    return address
  }
  const v6 = (value: string): string =>
    `2001:db8:${(sumOf('ip', canonicalIPv6(value)).toString('hex').slice(0, 24).match(/.{4}/g) ?? []).join(':')}`
  return {
    collisions: () => collisions,
    of(type, value, detail = 'token') {
      if (type === 'email') {
        const domain = value.slice(value.lastIndexOf('@') + 1)
        return keepDomain
          ? `user-${short(type, value)}@${domain}`
          : `${short(type, value)}@redacted.invalid`
      }
      if (type === 'login') return `user-${short(type, value)}`
      if (type === 'name') return `person-${short(type, spacedName(value).replaceAll('-', ' '))}`
      if (type === 'own') return `[redacted ${short(type, value)}]`
      if (type === 'secret')
        return `[secret ${detail} ${sumOf(type, value).toString('hex').slice(0, 8)}]`
      return value.includes(':') ? v6(value) : v4(value)
    },
  }
}

/** The one short form of an IPv6 address: the same address may be written with or without zeros. */
const canonicalIPv6 = (value: string): string =>
  isIPv6(value) && !value.includes('%') ? new URL(`http://[${value}]`).hostname.slice(1, -1) : value

/** Networks reserved for documentation. */
const NETWORKS = ['192.0.2', '198.51.100', '203.0.113'] as const

/** Whether a value is a pseudonym, and so no finding. One of an address may have text around it, as in `report-"a b"@forge.example.txt`. */
export const isPseudonym = (type: ValueType, value: string): boolean => FORMS[type].test(value)

const FORMS: Readonly<Record<ValueType, RegExp>> = {
  email:
    /[0-9a-hjkmnp-tv-z]{10}@redacted\.invalid(?:\.\w{1,8})?$|(?:^|[^0-9A-Za-z])user-[0-9a-hjkmnp-tv-z]{10}@[^@]+$/i,
  name: /^person-[0-9a-hjkmnp-tv-z]{10}$/,
  login: /^user-[0-9a-hjkmnp-tv-z]{10}$/,
  ip: /^(?:192\.0\.2|198\.51\.100|203\.0\.113)\.\d+$|^2001:0?db8:/i,
  secret: /^\[secret /,
  own: /^\[redacted /,
}

const WRITTEN =
  /\[(?:redacted [0-9a-hjkmnp-tv-z]{10}|secret [\w-]+ [0-9a-f]{8}|email|name|login|ip|secret|redacted)\]|\b(?:user|person)-[0-9a-hjkmnp-tv-z]{10}\b(?:@[\w.-]+)?|\b[0-9a-hjkmnp-tv-z]{10}@redacted\.invalid\b|\b(?:192[.-]0[.-]2|198[.-]51[.-]100|203[.-]0[.-]113)[.-]\d{1,3}\b|\b2001:db8(?::[0-9a-f]{4}){6}\b/g

/** Where a text has pseudonyms and masks. */
export const pseudonymsIn = (text: string): [start: number, end: number][] =>
  [...text.matchAll(WRITTEN)].map(({ 0: found, index }) => [index, index + found.length])

export const MASKS: Readonly<Record<ValueType, string>> = {
  email: '[email]',
  name: '[name]',
  login: '[login]',
  ip: '[ip]',
  secret: '[secret]',
  own: '[redacted]',
}
