import { isIPv6 } from 'node:net'
import type { Finding } from './finding.ts'

const OCTET = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)'
const V4 = new RegExp(`(?<![\\w.])${OCTET}(?:\\.${OCTET}){3}(?![\\w]|\\.\\d)`, 'g')
/** Addresses of no machine in particular. */
const NOBODY = /^(?:127\.|0\.0\.0\.0$|255\.255\.255\.255$)/

/** A version has the form of an address: after `v`, `version` or an operator for versions. */
const VERSION_BEFORE = /(?:\bv|version[\s:="'(]{0,3}|[~^@]|[<>=]=\s?|\/releases\/tag\/|\/tree\/)$/i

/** Finds IPv4 addresses. Those that may be versions are doubtful. */
export function* findIPv4(text: string): Generator<Finding> {
  if (!/\d\.\d/.test(text)) return
  for (const { 0: value, index } of text.matchAll(V4)) {
    if (NOBODY.test(value)) continue
    const before = text.slice(Math.max(0, index - 16), index)
    // In a URL, an @ parts the user from the host.
    const isVersion = VERSION_BEFORE.test(before) && !/:\S*@$/.test(before)
    yield {
      ...{ type: 'ip', start: index, end: index + value.length, value },
      ...(isVersion && { doubtful: true }),
    }
  }
  // A version with its v is no address at all for the pattern above, but doubtful all the same.
  for (const { 0: value, index } of text.matchAll(VERSIONS)) {
    const start = index + 1
    yield { type: 'ip', start, end: index + value.length, value: value.slice(1), doubtful: true }
  }
}

const VERSIONS = new RegExp(`\\bv${OCTET}(?:\\.${OCTET}){3}(?![\\w]|\\.\\d)`, 'gi')

/** Characters of an IPv6 address, at most. */
const LONGEST = 45

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
    if (/[\w:]/.test(text[start - 1] ?? ' ') || /\w/.test(text[end] ?? ' ')) continue
    const value = text.slice(start, end).replace(/[.:]$/, '')
    const groups = value.split(/[:.]/).filter((group) => group !== '')
    if (groups.length < 2 || !groups.some((group) => /\d/.test(group)) || !isIPv6(value)) continue
    yield { type: 'ip', start, end: start + value.length, value }
  }
}
