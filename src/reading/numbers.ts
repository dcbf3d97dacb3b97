import { hash } from 'node:crypto'

/** The least number that this file makes. Real ones are smaller, so the two can be told apart. */
export const FIRST_MADE = 2 ** 48

/** Types whose numbers are the digits at the end of their urls. */
const NUMBERED_BY_URL: ReadonlySet<string> = new Set([
  'IssueComment',
  'PullRequestReview',
  'PullRequestReviewComment',
  'CommitComment',
])

/**
 * The number of a record that has none of its own: 2⁴⁸ and the first 48 bits of SHA-256 of `<type> <url>`. It is the
 * same after every load and on every machine.
 */
export const madeNumber = (type: string, url: string): number =>
  FIRST_MADE + Number.parseInt(hash('sha256', `${type} ${url}`, 'hex').slice(0, 12), 16)

/** The digits at the end of a url, if they are a number that a host can have given; else undefined. */
export const numberAtEnd = (url: string): number | undefined =>
  realNumber(/(?<!\d)\d+$/.exec(url)?.[0])

/**
 * The number in the address of a picture: `…/u/17?v=4` → 17. Pictures of apps say `/in/`.
 *
 * @param kind `User` or `Bot`
 */
export function pictureNumber(kind: string, picture: string): number | undefined {
  const app = kind === 'Bot' ? /\/in\/(\d+)/.exec(picture)?.[1] : undefined
  return realNumber(app ?? /\/u\/(\d+)/.exec(picture)?.[1])
}

/** The number that the rules give, before it is compared with those of other records. */
export function numberByRule(type: string, url: string): number {
  const real = NUMBERED_BY_URL.has(type) ? numberAtEnd(url) : undefined
  return real ?? madeNumber(type, url)
}

function realNumber(digits: string | undefined): number | undefined {
  const number = Number(digits ?? 0)
  return number >= 1 && number < FIRST_MADE ? number : undefined
}
