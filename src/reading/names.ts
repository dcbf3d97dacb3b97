import { closestMatch } from '../base/closest-match.ts'
import { lastPart, percentDecoded } from '../base/text.ts'

/** Logins and names are the same in upper and lower case, of ASCII alone. */
export const foldCase = (text: string): string =>
  /[A-Z]/.test(text) ? text.replace(/[A-Z]/g, (c) => c.toLowerCase()) : text

/** `https://H/o/r` → `H` */
export const hostOf = (url: string): string => url.split('/')[2] ?? ''

/** The name of a label or category that has no record: `…/labels/good%20first%20issue`. */
export const labelName = (url: string): string => percentDecoded(lastPart(url))

/** `ada` from `https://H/ada`. */
export const loginOf = (url: unknown): string | null =>
  typeof url === 'string' ? percentDecoded(lastPart(url)) || null : null

/** `owner/name` from `https://H/owner/name/…`. */
export const repositoryOf = (url: unknown): string | null =>
  (typeof url === 'string' && /^\w+:\/\/[^/]+\/([^/]+\/[^/?#]+)/.exec(url)?.[1]) || null

/** `owner/name#12`, `owner/name`, a login, or `organization/team`, depending on the URL. */
export function placeOf(url: unknown): string | null {
  if (typeof url !== 'string') return null
  const team = /^\w+:\/\/[^/]+\/orgs\/([^/]+)\/teams\/([^/?#]+)$/.exec(url)
  if (team) return `${team[1]}/${team[2]}`
  const repository = repositoryOf(url)
  if (repository === null) return loginOf(url)
  const number = /\/(?:issues|pull|discussions)\/(\d+)$/.exec(url)?.[1]
  return number === undefined ? repository : `${repository}#${number}`
}

/** Abbreviates the id of a commit. */
export const shortOid = (oid: string): string =>
  /^[0-9a-f]{40}$/.test(oid) ? oid.slice(0, 7) : oid

/** Comparing takes time proportional to both lengths. */
const LONGEST_NAME = 200

/** The closest name regardless of case, where each is compared as `shown` has it. */
export function closestName(
  text: string,
  names: readonly string[],
  shown = (name: string) => name,
): string | undefined {
  const likely = names.filter((name) => name.length <= LONGEST_NAME)
  const compared = likely.map((name) => foldCase(shown(name)))
  const meant = closestMatch(foldCase(text.slice(0, LONGEST_NAME)), compared)
  return meant === undefined ? undefined : likely[compared.indexOf(meant)]
}

/** The closest repository. Without an owner the text is compared with names without owners. */
export const nearestRepositoryName = (text: string, names: readonly string[]): string | undefined =>
  closestName(text, names, (name) =>
    text.includes('/') ? name : name.slice(name.indexOf('/') + 1),
  )
