import { longestKnown } from '../map/map-texts.ts'
import type { Finding } from './finding.ts'

const LOGIN = /[A-Za-z0-9_-]+/y

/**
 * Creates a finder of logins behind an `@`, also within code, paths and names of packages; but not behind a word, as in an
 * address. The case of letters does not count.
 */
export function createLoginFinder(logins: readonly string[]): (text: string) => Generator<Finding> {
  const known = new Set(logins.map((login) => login.toLowerCase()))
  return function* (text) {
    for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
      if (/[\w.+%-]/.test(text[at - 1] ?? ' ')) continue
      LOGIN.lastIndex = at + 1
      const login =
        longestKnown(text, at + 1, known) ?? LOGIN.exec(text)?.[0].replace(/(?<![-_])[-_]+$/, '')
      if (login === undefined || !known.has(login.toLowerCase())) continue
      yield { type: 'login', start: at + 1, end: at + 1 + login.length, value: login }
    }
  }
}
