/** `ada` from `https://H/ada`. */
export const loginOf = (url: unknown): string | null =>
  typeof url === 'string' ? decoded(url.slice(url.lastIndexOf('/') + 1)) || null : null

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

/** The name at the end of the URL of a label or category. */
export const nameOf = loginOf

/** The elements of a JSON array; none if the value is anything else. */
export function listOf(json: unknown): unknown[] {
  try {
    const list: unknown = typeof json === 'string' ? JSON.parse(json) : []
    return Array.isArray(list) ? list : []
  } catch {
    return []
  }
}

/** The objects in a JSON array. */
export const objectsOf = (json: unknown): Record<string, unknown>[] =>
  listOf(json).filter(
    (item): item is Record<string, unknown> => item !== null && typeof item === 'object',
  )

/** Abbreviates the id of a commit. */
export const shortOid = (oid: string): string =>
  /^[0-9a-f]{40}$/.test(oid) ? oid.slice(0, 7) : oid

function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
