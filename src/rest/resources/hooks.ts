import { madeNumber } from '../../reading/numbers.ts'
import type { Person } from '../../reading/people/people.ts'
import type { IndexedRepository } from '../../reading/repositories.ts'
import { toTime } from '../../reading/times.ts'
import { asList, asObject, asText } from '../../reading/values.ts'
import type { JsonObject } from '../../records/json/json.ts'
import type { Rendering } from './rendering.ts'

/** A webhook or deploy key in the record of a repository or organization. */
export interface Setting {
  readonly number: number
  readonly members: Readonly<Record<string, unknown>>
}

/** Elements of a list in a record. They have no url, so that their numbers are made of their places. */
const settingsOf = (type: 'Hook' | 'DeployKey', url: string, column: unknown): Setting[] =>
  asList(column).map((element, i) => ({
    number: madeNumber(type, `${url}#${i + 1}`),
    members: asObject(element),
  }))

/** The webhooks of a repository. */
export function hooksOf(
  { reader }: Rendering,
  { database, row, url }: IndexedRepository,
): Setting[] {
  const column = reader.library.store(database).record('repositories', 'webhooks', row)?.[0]
  return settingsOf('Hook', url, column)
}

/** The webhooks of an organization. */
export function hooksOfOrganization({ reader }: Rendering, { record, url }: Person): Setting[] {
  const columns =
    record && reader.library.store(record.database).record('organizations', 'webhooks', record.row)
  return settingsOf('Hook', url, columns?.[0])
}

/** The deploy keys of a repository. */
export function keysOf(
  { reader }: Rendering,
  { database, row, url }: IndexedRepository,
): Setting[] {
  const column = reader.library.store(database).record('repositories', 'public_keys', row)?.[0]
  return settingsOf('DeployKey', url, column)
}

/**
 * A webhook. Its address has no user, password or values of parameters, which may be secrets.
 *
 * @param home the address of its repository or organization in the interface
 */
export function toHook(
  type: 'Repository' | 'Organization',
  home: string,
  { number, members }: Setting,
): JsonObject {
  const url = `${home}/hooks/${number}`
  const created_at = toTime(members.created_at)
  return {
    type,
    id: number,
    name: 'web',
    active: members.active === true,
    events: textsOf(members.event_types),
    config: {
      url: withoutSecrets(asText(members.payload_url)),
      content_type: asText(members.content_type),
      insecure_ssl: members.enable_ssl_verification === false ? '1' : '0',
    },
    updated_at: created_at,
    created_at,
    url,
    ...(type === 'Repository' && { test_url: `${url}/tests` }),
    ping_url: `${url}/pings`,
    ...(type === 'Repository' && {
      last_response: { code: null, status: 'unused', message: null },
    }),
  }
}

const textsOf = (list: unknown): string[] =>
  Array.isArray(list) ? list.filter((element) => typeof element === 'string') : []

const HIDDEN = '********'

/** An address as the host shows it, but for what may be a secret; nothing if it is no address. */
function withoutSecrets(address: string): string {
  const url = URL.parse(address)
  if (!url || !/^https?:$/.test(url.protocol)) return ''
  const names = [...url.searchParams.keys()]
  url.search = names.map((name) => `${encodeURIComponent(name)}=${HIDDEN}`).join('&')
  url.username = ''
  url.password = ''
  url.hash = ''
  return url.href
}

/** A deploy key. */
export function toKey(home: string, { number, members }: Setting): JsonObject {
  return {
    id: number,
    key: asText(members.key),
    url: `${home}/keys/${number}`,
    title: asText(members.title),
    verified: true,
    created_at: toTime(members.created_at),
    read_only: members.read_only !== false,
  }
}
