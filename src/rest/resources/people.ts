import { formatNodeId } from '../../interface/node-id.ts'
import { pictureAt, profileOf, recordedEmails } from '../../reading/people/indexed-profiles.ts'
import type { Person } from '../../reading/people/people.ts'
import { orEpoch } from '../../reading/times.ts'
import type { JsonObject, JsonValue } from '../../records/json/json.ts'
import { describePart, type SharedPart, toMember } from './kept-json.ts'
import type { Rendering } from './rendering.ts'

/** A path segment. */
export const segment = (text: string): string => encodeURIComponent(text)

/** The resource that the interface calls a user, for organizations too. */
export const toUser = (rendering: Rendering, person: Person): JsonValue =>
  toMember(rendering, partOf(person))

/** The same with members that can be read. */
export const userMembers = (rendering: Rendering, person: Person): JsonObject =>
  describePart(rendering, partOf(person))

const parts = new WeakMap<Person, SharedPart>()

function partOf(person: Person): SharedPart {
  const known = parts.get(person)
  if (known) return known
  const part: SharedPart = {
    name: `person ${person.url}`,
    describe: (rendering) => describeUser(rendering, person),
  }
  parts.set(person, part)
  return part
}

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
    type: rendering.reader.people.isMannequin(person) ? 'Mannequin' : kind,
    site_admin: rendering.reader.people.isSiteAdmin(login),
  }
}

/** The person that a column names by its url; the ghost if it is empty. */
export const userOf = (rendering: Rendering, url: unknown, host: string): JsonValue =>
  toUser(rendering, rendering.reader.people.byUrl(url, host))

/** The address of a person's picture: one of our own if the record has none. */
export const pictureOf = ({ reader, origin }: Rendering, person: Person): string =>
  pictureAt(reader.library, person) ?? `${origin}/_avatars/${person.number}.svg`

/** A person with a profile. For the account itself also its address and what it owns in private. */
export function toAccount(rendering: Rendering, person: Person, isSelf: boolean): JsonObject {
  const { reader } = rendering
  const profile = profileOf(reader.library, person)
  const created_at = orEpoch(profile?.createdAt)
  return {
    ...userMembers(rendering, person),
    name: profile?.name ?? null,
    company: profile?.company ?? null,
    blog: profile?.website ?? '',
    location: profile?.location ?? null,
    email: isSelf ? (emailsOf(reader, person)[0] ?? null) : null,
    hireable: null,
    bio: person.kind === 'Organization' ? null : (profile?.bio ?? null),
    public_repos: countOwned(rendering, person, 'public'),
    public_gists: 0,
    followers: 0,
    following: 0,
    created_at,
    updated_at: created_at,
  }
}

/** The addresses of a person: those of the accounts file, or else of the record. */
const emailsOf = ({ people, library }: Rendering['reader'], person: Person): readonly string[] =>
  people.emailsOf(person.login) ?? recordedEmails(library, person)

/** The members that only the caller's own account has. */
export const toOwnAccount = (
  rendering: Rendering,
  person: Person,
  hasTwoFactor: boolean,
): JsonObject => {
  const owned = countOwned(rendering, person, 'private')
  return {
    ...toAccount(rendering, person, true),
    total_private_repos: owned,
    owned_private_repos: owned,
    two_factor_authentication: hasTwoFactor,
  }
}

const countOwned = (
  { reader }: Rendering,
  { id }: Person,
  visibility: 'public' | 'private',
): number => reader.repositories.list({ owner: id, visibility }).length

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
  const { login, number, url, kind } = person
  const api = `${rendering.base}/orgs/${segment(login)}`
  const profile = profileOf(rendering.reader.library, person)
  const created_at = orEpoch(profile?.createdAt)
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
    description: profile?.bio ?? null,
    name: profile?.name ?? null,
    company: null,
    blog: profile?.website ?? '',
    location: profile?.location ?? null,
    email: null,
    public_repos: countOwned(rendering, person, 'public'),
    html_url: url,
    created_at,
    updated_at: created_at,
    type: kind,
  }
}
