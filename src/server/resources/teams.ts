import type { JsonObject } from '../../records/json/json.ts'
import { formatNodeId } from '../../rest/node-id.ts'
import { lastPart } from '../catalog/names.ts'
import { asText } from '../catalog/sources.ts'
import type { Rendering } from './rendering.ts'

/** Whether a url is that of a team. */
export const isTeam = (url: unknown): url is string =>
  typeof url === 'string' && /^https?:\/\/[^/]+\/orgs\/[^/]+\/teams\/[^/]+$/.test(url)

/** A team, which may have no record. */
export function toTeam({ reader, base }: Rendering, database: number, url: string): JsonObject {
  const sql = 'SELECT name, privacy, description FROM teams WHERE url = ?'
  const [name, privacy, description] = reader.sources.find(database, sql, url) ?? []
  const id = reader.people.numberOf('Team', url)
  const slug = lastPart(url)
  return {
    id,
    node_id: formatNodeId('Team', id),
    name: asText(name) || slug,
    slug,
    url: `${base}/teams/${id}`,
    html_url: url,
    privacy: privacy === 'secret' ? 'secret' : 'closed',
    description: asText(description),
  }
}
