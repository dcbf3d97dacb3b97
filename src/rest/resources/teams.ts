import { lastPart } from '../../base/text.ts'
import { formatNodeId } from '../../interface/node-id.ts'
import { Memo } from '../../reading/remembered.ts'
import { asText } from '../../reading/values.ts'
import type { JsonObject } from '../../records/json/json.ts'
import type { Rendering } from './rendering.ts'

/** Whether a url is that of a team. */
export const isTeam = (url: unknown): url is string =>
  typeof url === 'string' && /^https?:\/\/[^/]+\/orgs\/[^/]+\/teams\/[^/]+$/.test(url)

/** A team that has a record. */
export interface Team {
  readonly url: string
  readonly database: number
  /** The url of its organization. */
  readonly organization: string
  readonly isSecret: boolean
}

/** The team with this number, in any database. */
export function findTeam({ reader }: Rendering, number: number): Team | undefined {
  const { people, library } = reader
  const teams = library.remember(BY_NUMBER, '', () => {
    const found = new Map<number, Team>()
    for (const [database, store] of library.stores.entries()) {
      const rows = store.rows('SELECT url, organization, privacy FROM teams')
      for (const [recordUrl, organization, privacy] of rows) {
        const url = asText(recordUrl)
        const id = people.numberOf('Team', url)
        const isSecret = privacy === 'secret'
        if (found.has(id) || !isTeam(url)) continue
        found.set(id, { url, database, organization: asText(organization), isSecret })
      }
    }
    return found
  })
  return teams.get(number)
}

const BY_NUMBER = new Memo<ReadonlyMap<number, Team>>(({ size }) => 400 * size)

/** A team. One without a record has its address on the host, as there is nothing to be asked for here. */
export function toTeam({ reader, base }: Rendering, database: number, url: string): JsonObject {
  const sql = 'SELECT name, privacy, description FROM teams WHERE url = ?'
  const record = reader.library.store(database).row(sql, url)
  const [name, privacy, description] = record ?? []
  const id = reader.people.numberOf('Team', url)
  const slug = lastPart(url)
  return {
    id,
    node_id: formatNodeId('Team', id),
    name: asText(name) || slug,
    slug,
    url: record ? `${base}/teams/${id}` : url,
    html_url: url,
    privacy: privacy === 'secret' ? 'secret' : 'closed',
    description: asText(description),
  }
}
