import { formatNodeId } from '../../interface/node-id.ts'
import { toTime } from '../../reading/times.ts'
import { asObject, asText, asTextOrNull } from '../../reading/values.ts'
import type { JsonObject } from '../../records/json/json.ts'
import type { EventRecord } from './event-record.ts'
import { toUser } from './people.ts'
import type { Rendering } from './rendering.ts'

/** The app that did something: the one that the record names, or the bot that acted. Null if it was a person. */
export function toApp(rendering: Rendering, record: EventRecord): JsonObject | null {
  const { extra, columns, repository } = record
  const { reader } = rendering
  const named = [extra.performed_via_service_app, extra.performed_via_github_app].map(asObject)
  const own = named.find(
    ({ id, slug, name }) =>
      Number.isSafeInteger(id) && typeof slug === 'string' && typeof name === 'string',
  )
  const bot = reader.people.byUrl(columns.actor, repository.host)
  if (!own && (bot.kind !== 'Bot' || !bot.record)) return null
  const fromBot =
    bot.kind === 'Bot' && bot.record
      ? reader.library.store(bot.record.database).record('bots', 'name, created_at', bot.record.row)
      : undefined
  const slug = bot.login.replace(/\[bot\]$/, '')
  const id = own ? Number(own.id) : reader.people.numberOf('Integration', bot.url)
  const created_at = toTime(own ? own.created_at : fromBot?.[1])
  return {
    id,
    slug: own ? asText(own.slug) : slug,
    node_id: formatNodeId('Integration', id),
    owner: toUser(rendering, reader.people.byId(repository.ownerId, repository.host)),
    name: own ? asText(own.name) : asText(fromBot?.[0]) || slug,
    description: asText(own?.description),
    external_url: asTextOrNull(own?.external_url) ?? bot.url,
    html_url: asTextOrNull(own?.html_url) ?? bot.url,
    created_at,
    updated_at: own?.updated_at === undefined ? created_at : toTime(own.updated_at),
    permissions: {},
    events: [],
  }
}
