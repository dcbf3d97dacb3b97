import { isIPv6 } from 'node:net'
import type { Finding } from './finding.ts'

const OCTET = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)'
const V4 = new RegExp(
  `(?<![\\d.])${OCTET}(?:\\.${OCTET}){3}(?![A-Za-z0-9]|\\.\\d(?!\\d{0,4}(?: [<>]|:)))`,
  'g',
)
/**
 * Addresses of no machine in particular, of groups of them, the private networks as a whole, and masks of networks: ones, then
 * zeros, or the other way round.
 */
const NOBODY =
  /^(?:0\.|127\.|22[4-9]\.|23\d\.|169\.254\.169\.254$|(?:10\.0|172\.16|192\.168)\.0\.0$|(?:255\.){0,3}(?:0|128|192|224|240|248|252|254|255)(?:\.0){0,3}$)/
/** The same in IPv6: groups, the router of a link, and one's own machine. */
const NOBODY_V6 = /^(?:ff0[0-9a-f]:|fe80::1$|::ffff:127\.|64:ff9b::$)/i

/**
 * Public resolvers of names, which everybody writes down.
 *
 * @see https://en.wikipedia.org/wiki/Public_recursive_name_server
 */
const RESOLVERS = new Set([
  '8.8.8.8',
  '8.8.4.4',
  '2001:4860:4860::8888',
  '2001:4860:4860::8844',
  '1.1.1.1',
  '1.0.0.1',
  '2606:4700:4700::1111',
  '2606:4700:4700::1001',
  '9.9.9.9',
  '149.112.112.112',
  '2620:fe::fe',
  '2620:fe::9',
  '208.67.222.222',
  '208.67.220.220',
])

/** A version has the form of an address: after `v`, `version` or an operator for versions. So has the number of a section. */
const VERSION_BEFORE =
  /(?:\bv|version[\s:="'(>]{0,5}|(?<!~)[~^@]|[<>=~]=\s?|~>\s?|\/releases\/tag\/|\/tree\/|(?:\b(?:section|chapter|clause|appendix|OID)|§)\s?)$/i

/** An @ that parts a user from a host: in a URL, behind a program, and behind names that everybody has. */
const LOGIN_BEFORE =
  /(?::\S{0,16}|\b(?:ssh|scp|sftp|rsync|mosh)\s[^\r\n]{0,90}|(?<![\w./-])(?:root|admin|administrator|ubuntu|ec2-user|deploy|pi|debian|centos|vagrant|git))@$/i

/** Letters directly before an address: the option of a program, or what says that it is one. Others may be the name of a program. */
const LETTERS_BEFORE = /(?:(?<!\S)-[A-Za-z]|(?<![A-Za-z0-9])(?:ip|ipv4|inet|addr|host))$/i

/** As in `1.2.3.4-beta`. */
const VERSION_BEHIND = /^-(?:alpha|beta|preview|rc|snapshot)(?![a-z])/i

/** What programs write that raise a version: `Bumps kettle from 1.2.3.4 to 1.2.3.5`. */
const BUMPED = /\bbumps? \S{1,200} from (?:[\w.+-]{1,40} to )?$/i
/** The tag of an image, where its owner is named as well: without one, it may be a host. */
const IMAGE_BEFORE =
  /(?:\bFROM|\bimage["']?:|\bdocker (?:pull|push|run|tag))\s{1,3}["']?[\w.-]{1,60}(?:\/[\w.-]{1,60}){1,3}:$/i
const LONGEST_BEFORE = 260

/** In the name of a package, such as `kettle_1.2.3.4-1_amd64.deb`. */
const PACKAGE_BEHIND = /^(?:[-+~]\d|[-+~_](?:amd64|arm|all|i386|x86|x64|any|linux|darwin|win))/

/** In the name of a host by which its own name is asked for, the numbers are in reverse. */
const IN_REVERSE = /^\.in-addr/i

/** Every number with three digits: one of them has a zero before it. */
const PADDED = /(?<![A-Za-z0-9.])\d{3}(?:\.\d{3}){3}(?![A-Za-z0-9]|\.\d)/g
/** In the name of a host as providers write it: ec2-1-2-3-4 and ip-1-2-3-4. */
const IN_HOST = new RegExp(
  `(?<=(?<![A-Za-z0-9])(?:ec2|ip)-)${OCTET}(?:-${OCTET}){3}(?![A-Za-z0-9]|-\\d)`,
  'gi',
)
/** As one number, in a URL. */
const AS_NUMBER = /(?<=:\/\/(?:[^\s/@]{0,80}@)?)(?:0x[0-9a-f]{8}|[1-9]\d{7,9})(?=[/:?#\s"'<>)]|$)/gi

/** What every address has that is written in one of these ways. */
const UNUSUAL = /\.0\d\d|0\d\d\.|(?:ec2|ip)-\d|:\/\/(?:[^\s/@]{0,80}@)?(?:0x|\d{8})/i

/** Finds IPv4 addresses that are written in another way: their values have the usual one. */
function* unusualIPv4(text: string): Generator<Finding> {
  const found: [index: number, written: string, octets: number[]][] = []
  for (const { 0: written, index } of text.matchAll(PADDED)) {
    if (/(?:^|\.)0/.test(written)) found.push([index, written, written.split('.').map(Number)])
  }
  for (const { 0: written, index } of text.matchAll(IN_HOST)) {
    found.push([index, written, written.split('-').map(Number)])
  }
  for (const { 0: written, index } of text.matchAll(AS_NUMBER)) {
    const octets = [24, 16, 8, 0].map((shift) => Math.floor(Number(written) / 2 ** shift))
    found.push([index, written, octets.map((octet, i) => (i === 0 ? octet : octet % 256))])
  }
  for (const [start, { length }, octets] of found) {
    const value = octets.join('.')
    if (octets[0] === 0 || octets.some((octet) => octet > 255)) continue
    if (NOBODY.test(value) || RESOLVERS.has(value)) continue
    yield { type: 'ip', start, end: start + length, value }
  }
}

const isBehind = (pattern: RegExp, text: string, index: number): boolean =>
  pattern.test(text.slice(Math.max(0, index - LONGEST_BEFORE), index))

/** Finds IPv4 addresses. Those that may be versions are doubtful. */
export function* findIPv4(text: string): Generator<Finding> {
  if (UNUSUAL.test(text)) yield* unusualIPv4(text)
  if (!/\d\.\d/.test(text)) return
  for (const { 0: value, index } of text.matchAll(V4)) {
    const address = IN_REVERSE.test(text.slice(index + value.length, index + value.length + 9))
      ? value.split('.').reverse().join('.')
      : value
    if (NOBODY.test(address) || RESOLVERS.has(address)) continue
    const before = text.slice(Math.max(0, index - 16), index)
    const isPackage =
      before.endsWith('_') &&
      PACKAGE_BEHIND.test(text.slice(index + value.length, index + value.length + 8))
    const isVersion =
      isPackage ||
      (/[A-Za-z]$/.test(before) && !LETTERS_BEFORE.test(before)) ||
      VERSION_BEHIND.test(text.slice(index + value.length, index + value.length + 10)) ||
      isBehind(BUMPED, text, index) ||
      isBehind(IMAGE_BEFORE, text, index) ||
      (VERSION_BEFORE.test(before) &&
        !LOGIN_BEFORE.test(text.slice(Math.max(0, index - 100), index)))
    yield {
      type: 'ip',
      start: index,
      end: index + value.length,
      value,
      ...(isVersion && { doubtful: true }),
    }
  }
}

/** Characters of an IPv6 address, at most. */
const LONGEST = 45

/** Groups of an address in full, whose last may be an address of IPv4. */
const FEWEST_GROUPS = 7

/** An address whose last groups are one of IPv4. */
const ENDS_IN_V4 = /^[0-9a-f:]*:\d{1,3}(?:\.\d{1,3}){3}(?!\d)/i

/** Finds IPv6 addresses: two groups of hexadecimal digits at least, one of them with a digit. */
export function* findIPv6(text: string): Generator<Finding> {
  let last = 0
  for (let at = text.indexOf(':'); at >= 0; at = text.indexOf(':', at + 1)) {
    if (at < last) continue
    let start = at
    while (start > Math.max(last, at - 4) && /[0-9a-f]/i.test(text[start - 1] as string)) start--
    let end = at
    while (
      end < Math.min(text.length, start + LONGEST + 1) &&
      /[0-9a-f:.]/i.test(text[end] as string)
    )
      end++
    last = end
    const run = text.slice(start, end)
    // A time of day has fewer colons.
    if (!run.includes('::') && run.split(':').length < FEWEST_GROUPS) continue
    // What follows a full stop is no part of it, unless that is an address of IPv4.
    let value = run.replace(/\.$|(?<!:):$/, '')
    if (!isIPv6(value)) value = ENDS_IN_V4.exec(value)?.[0] ?? value.replace(/\..*$/, '')
    // A word before it may end in a colon, as in addr:2001:db8::1.
    const label = isIPv6(value) ? undefined : /^[0-9a-f]{0,4}:(?!:)/i.exec(value)?.[0]
    if (label !== undefined) value = value.slice(label.length)
    else if (/[A-Za-z0-9:]/.test(text[start - 1] ?? ' ')) continue
    start += label?.length ?? 0
    if (/[A-Za-z0-9]/.test(text[start + value.length] ?? ' ')) continue
    const groups = value.split(/[:.]/).filter((group) => group !== '')
    if (groups.length < 2 || !groups.some((group) => /\d/.test(group)) || !isIPv6(value)) continue
    if (RESOLVERS.has(value.toLowerCase()) || NOBODY_V6.test(value)) continue
    yield { type: 'ip', start, end: start + value.length, value }
  }
}
