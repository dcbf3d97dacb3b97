import { formatNodeId } from '../../interface/node-id.ts'
import type { Person } from '../../reading/people/people.ts'
import { Memo } from '../../reading/remembered.ts'
import type { Row } from '../../reading/store.ts'
import { toTime } from '../../reading/times.ts'
import { asList, asObject, asText, asTextOrNull } from '../../reading/values.ts'
import type { JsonObject } from '../../records/json/json.ts'
import type { Rendering } from './rendering.ts'

/** Approximate bytes of memory for a person with their addresses. */
const USER_BYTES = 3000

/** A path segment. */
export const segment = (text: string): string => encodeURIComponent(text)

/** The resource that the interface calls a user, for organizations too. */
export const toUser = (rendering: Rendering, person: Person): JsonObject =>
  rendering.reader.library.remember(USERS, `${rendering.base} ${person.url}`, () =>
    describeUser(rendering, person),
  )

const USERS = new Memo<JsonObject>(() => USER_BYTES)

function describeUser(rendering: Rendering, person: Person): JsonObject {
  const { login, number, kind, url } = person
  const api = `${rendering.base}/users/${segment(login)}`
  return {
    login,
    id: number,
    node_id: formatNodeId(kind, number),
    avatar_url: pictureOf(rendering, person),
    gravatar_id: '',
    url: api,
    html_url: url,
    followers_url: `${api}/followers`,
    following_url: `${api}/following{/other_user}`,
    gists_url: `${api}/gists{/gist_id}`,
    starred_url: `${api}/starred{/owner}{/repo}`,
    subscriptions_url: `${api}/subscriptions`,
    organizations_url: `${api}/orgs`,
    repos_url: `${api}/repos`,
    events_url: `${api}/events{/privacy}`,
    received_events_url: `${api}/received_events`,
    type: kind,
    site_admin: rendering.reader.people.isSiteAdmin(login),
  }
}

/** The person that a column names by its url; the ghost if it is empty. */
export const userOf = (rendering: Rendering, url: unknown, host: string): JsonObject =>
  toUser(rendering, rendering.reader.people.byUrl(url, host))

/** The address of a person's picture: one of our own if the record has none. */
export function pictureOf({ reader, origin }: Rendering, person: Person): string {
  const { record, kind, number } = person
  const row =
    record && kind !== 'Organization'
      ? reader.library.store(record.database).record(tableOf(kind), 'avatar_url', record.row)
      : undefined
  const picture = asText(row?.[0])
  return /^https?:\/\/[^\s]+$/.test(picture) ? picture : `${origin}/_avatars/${number}.svg`
}

const tableOf = (kind: Person['kind']): string =>
  ({ User: 'users', Bot: 'bots', Organization: 'organizations' })[kind]

const PROFILE = 'name, company, website, location, bio, emails, created_at'
const ORGANIZATION_PROFILE = 'name, NULL, website, location, NULL, NULL, created_at'

function profileOf({ reader }: Rendering, { record, kind }: Person): Row {
  const columns = kind === 'Organization' ? ORGANIZATION_PROFILE : PROFILE
  const row =
    record && reader.library.store(record.database).record(tableOf(kind), columns, record.row)
  return row ?? []
}

/** A person with a profile. For the account itself also its address and what it owns in private. */
export function toAccount(rendering: Rendering, person: Person, isSelf: boolean): JsonObject {
  const { reader } = rendering
  const [name, company, website, location, bio, emails, created] = profileOf(rendering, person)
  const created_at = toTime(created)
  return {
    ...toUser(rendering, person),
    name: asTextOrNull(name),
    company: asTextOrNull(company),
    blog: asText(website),
    location: asTextOrNull(location),
    email: isSelf ? primaryAddress(reader.people.emailsOf(person.login), emails) : null,
    hireable: null,
    bio: asTextOrNull(bio),
    public_repos: countOwned(rendering, person, 0),
    public_gists: 0,
    followers: 0,
    following: 0,
    created_at,
    updated_at: created_at,
  }
}

/** The members that only the caller's own account has. */
export const toOwnAccount = (
  rendering: Rendering,
  person: Person,
  hasTwoFactor: boolean,
): JsonObject => {
  const owned = countOwned(rendering, person, 1)
  return {
    ...toAccount(rendering, person, true),
    total_private_repos: owned,
    owned_private_repos: owned,
    two_factor_authentication: hasTwoFactor,
  }
}

function primaryAddress(ofAccount: readonly string[] | undefined, column: unknown): string | null {
  if (ofAccount) return ofAccount[0] ?? null
  const emails = asList(column).map(asObject)
  const primary = emails.find(({ primary }) => primary === true) ?? emails[0]
  return asTextOrNull(primary?.address)
}

const countOwned = ({ reader }: Rendering, { id }: Person, isPrivate: 0 | 1): number =>
  reader.library.index.numbers(
    'SELECT count(*) FROM repositories WHERE owner = ? AND (private <> 0) = ?',
    id ?? -1,
    isPrivate,
  )[0] ?? 0

/** Members of an organization in a list. */
const LISTED = [
  'login',
  'id',
  'node_id',
  'url',
  'repos_url',
  'events_url',
  'hooks_url',
  'issues_url',
  'members_url',
  'public_members_url',
  'avatar_url',
  'description',
]

/** An organization in a list. */
export const toListedOrganization = (rendering: Rendering, person: Person): JsonObject =>
  Object.fromEntries(
    Object.entries(toOrganization(rendering, person)).filter(([name]) => LISTED.includes(name)),
  )

/** An organization, in full. */
export function toOrganization(rendering: Rendering, person: Person): JsonObject {
  const { login, number, record, url, kind } = person
  const api = `${rendering.base}/orgs/${segment(login)}`
  const columns = 'description, name, website, location, created_at'
  const row =
    record &&
    rendering.reader.library.store(record.database).record('organizations', columns, record.row)
  const [description, name, website, location, created] = row ?? []
  const created_at = toTime(created)
  return {
    login,
    id: number,
    node_id: formatNodeId(kind, number),
    url: api,
    repos_url: `${api}/repos`,
    events_url: `${api}/events`,
    hooks_url: `${api}/hooks`,
    issues_url: `${api}/issues`,
    members_url: `${api}/members{/member}`,
    public_members_url: `${api}/public_members{/member}`,
    avatar_url: pictureOf(rendering, person),
    description: asTextOrNull(description),
    name: asTextOrNull(name),
    company: null,
    blog: asText(website),
    location: asTextOrNull(location),
    email: null,
    public_repos: countOwned(rendering, person, 0),
    html_url: url,
    created_at,
    updated_at: created_at,
    type: kind,
  }
}
