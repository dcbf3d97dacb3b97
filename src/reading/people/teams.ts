/** Teams of organizations. Their members are in `profiles.ts`, and what they may do in `permissions.ts`. */

import { lastPart } from '../../base/text.ts'
import type { Library } from '../library.ts'
import { madeNumber } from '../numbers.ts'
import { Memo } from '../remembered.ts'
import type { Row, Store } from '../store.ts'
import { asText, objectsOf } from '../values.ts'

/** A team that has a record. */
export interface Team {
  readonly store: Store
  readonly url: string
  /** The url of its organization. */
  readonly organization: string
  /** The end of its url, which addresses name it by. */
  readonly slug: string
  /** That of its record, or the slug. */
  readonly name: string
  readonly description: string
  /** Whether only its members and owners of the organization know of it. */
  readonly isSecret: boolean
}

/** Whether a url is that of a team. */
export const isTeam = (url: unknown): url is string =>
  typeof url === 'string' && /^https?:\/\/[^/]+\/orgs\/[^/]+\/teams\/[^/]+$/.test(url)

/** The url of a team of an organization, which has a url itself. */
export function teamUrl(organization: string, slug: string): string {
  const end = organization.lastIndexOf('/')
  return `${organization.slice(0, end)}/orgs${organization.slice(end)}/teams/${slug}`
}

const TEAM = 'SELECT url, organization, name, description, privacy FROM teams'

/** The team with a url; undefined without a record. */
export function readTeam(store: Store, url: string): Team | undefined {
  const row = isTeam(url) ? store.row(`${TEAM} WHERE url = ?`, url) : undefined
  return row && toTeam(store, row)
}

/** Teams of an organization that are listed. */
const MOST = 1_000

/** The teams of an organization by its url, by name. */
export const teamsOf = (store: Store, organization: string): Team[] =>
  store
    .rows(`${TEAM} WHERE organization = ? ORDER BY name, url LIMIT ${MOST}`, organization)
    .map((row) => toTeam(store, row))
    .filter(({ url }) => isTeam(url))

function toTeam(store: Store, [place, organization, name, description, privacy]: Row): Team {
  const url = asText(place)
  const slug = lastPart(url)
  return {
    store,
    url,
    organization: asText(organization),
    slug,
    name: asText(name) || slug,
    description: asText(description),
    isSecret: privacy === 'secret',
  }
}

/** The team with a number that the rules make of its url, in any database. */
export function teamByNumber(library: Library, number: number): Team | undefined {
  const urls = library.remember(BY_NUMBER, '', () => {
    const found = new Map<number, { store: Store; url: string }>()
    for (const store of library.stores) {
      for (const [url] of store.rows('SELECT url FROM teams')) {
        const id = isTeam(url) ? madeNumber('Team', url) : undefined
        if (id !== undefined && isTeam(url) && !found.has(id)) found.set(id, { store, url })
      }
    }
    return found
  })
  const found = urls.get(number)
  return found && readTeam(found.store, found.url)
}

const BY_NUMBER = new Memo<ReadonlyMap<number, { store: Store; url: string }>>(
  ({ size }) => 300 * size,
)

/** What a team may do. */
export interface TeamRight {
  /** The repository, by url. */
  readonly repository: string
  /** The word of the record, such as triage. */
  readonly right: string
}

/** What a team may do, in the order of its record. */
export const rightsOf = ({ store, url }: Team): TeamRight[] =>
  objectsOf(store.row('SELECT permissions FROM teams WHERE url = ?', url)?.[0]).flatMap(
    ({ repository, access, role }) =>
      typeof repository === 'string' ? [{ repository, right: String(role ?? access ?? '') }] : [],
  )
