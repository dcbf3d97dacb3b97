import { formatNodeId } from '../../interface/node-id.ts'
import type { IndexedRepository } from '../../reading/repositories.ts'
import { toTime } from '../../reading/times.ts'
import { asList, asObject, asText } from '../../reading/values.ts'
import type { JsonObject } from '../../records/json/json.ts'
import { userOf } from './people.ts'
import type { Rendering } from './rendering.ts'

/** The contents of reactions: the words of archives and those of the interface. */
const CONTENTS: ReadonlyMap<string, string> = new Map([
  ['+1', '+1'],
  ['-1', '-1'],
  ['smile', 'laugh'],
  ['thinking_face', 'confused'],
  ['heart', 'heart'],
  ['tada', 'hooray'],
  ['rocket', 'rocket'],
  ['eyes', 'eyes'],
])

/** The words of the interface. */
export const REACTIONS: readonly string[] = [...CONTENTS.values()]

/**
 * The reactions to a record, in its order. Leaves out reactions for which the interface has no word, and the second of
 * two equal ones by the same person.
 *
 * @param subject the url of the record
 * @param column its reactions
 */
export function toReactions(
  rendering: Rendering,
  repository: IndexedRepository,
  subject: string,
  column: unknown,
): JsonObject[] {
  const found = new Map<number, JsonObject>()
  for (const { user, content: written, created_at } of asList(column).map(asObject)) {
    const content = CONTENTS.get(asText(written))
    if (content === undefined) continue
    const person = rendering.reader.people.byUrl(user, repository.host)
    const id = rendering.reader.people.numberOf('Reaction', `${subject} ${person.url} ${content}`)
    if (found.has(id)) continue
    found.set(id, {
      id,
      node_id: formatNodeId('Reaction', id),
      user: userOf(rendering, person.url, repository.host),
      content,
      created_at: toTime(created_at),
    })
  }
  return [...found.values()]
}
