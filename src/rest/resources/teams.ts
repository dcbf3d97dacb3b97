import { lastPart } from '../../base/text.ts'
import { formatNodeId } from '../../interface/node-id.ts'
import { readTeam } from '../../reading/people/teams.ts'
import type { Store } from '../../reading/store.ts'
import type { JsonObject } from '../../records/json/json.ts'
import type { Rendering } from './rendering.ts'

/** A team. One without a record has its address on the host, as there is nothing to be asked for here. */
export function toTeam({ reader, base }: Rendering, store: Store, url: string): JsonObject {
  const team = readTeam(store, url)
  const id = reader.people.numberOf('Team', url)
  const slug = lastPart(url)
  return {
    id,
    node_id: formatNodeId('Team', id),
    name: team?.name ?? slug,
    slug,
    url: team ? `${base}/teams/${id}` : url,
    html_url: url,
    privacy: team?.isSecret ? 'secret' : 'closed',
    description: team?.description ?? '',
  }
}
