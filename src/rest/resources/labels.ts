import { formatNodeId } from '../../interface/node-id.ts'
import { colorOf, type Label } from '../../reading/labels.ts'
import { readMilestone } from '../../reading/milestones.ts'
import { Memo } from '../../reading/remembered.ts'
import type { IndexedRepository } from '../../reading/repositories.ts'
import { orEpoch } from '../../reading/times.ts'
import type { JsonObject } from '../../records/json/json.ts'
import { segment, userOf } from './people.ts'
import type { Rendering } from './rendering.ts'
import { repositoryUrl } from './repositories.ts'

const NO_COLOR = 'ededed'

/** The labels that the host gives every repository. */
const DEFAULTS: ReadonlySet<string> = new Set([
  'bug',
  'documentation',
  'duplicate',
  'enhancement',
  'good first issue',
  'help wanted',
  'invalid',
  'question',
  'wontfix',
])

/** Six hexadecimal digits; gray for anything else. */
export const toColor = (color: unknown): string => colorOf(color) ?? NO_COLOR

/** A label of a repository. */
export function toLabel(
  rendering: Rendering,
  repository: IndexedRepository,
  { url, name, color, description }: Label,
): JsonObject {
  const id = rendering.reader.people.numberOf('Label', url)
  return {
    id,
    node_id: formatNodeId('Label', id),
    url: `${repositoryUrl(rendering, repository)}/labels/${segment(name)}`,
    name,
    description,
    color: toColor(color),
    default: DEFAULTS.has(name),
  }
}

/** A milestone by its place in the index. Null if it is gone. */
export function toMilestone(
  rendering: Rendering,
  repository: IndexedRepository,
  milestone: number | null,
): JsonObject | null {
  if (milestone === null) return null
  return rendering.reader.library.remember(MILESTONES, `${rendering.base} ${milestone}`, () =>
    describeMilestone(rendering, repository, milestone),
  )
}

const MILESTONES = new Memo<JsonObject | null>((value) => 2 * JSON.stringify(value).length)

function describeMilestone(
  rendering: Rendering,
  repository: IndexedRepository,
  milestone: number,
): JsonObject | null {
  const { milestones, people } = rendering.reader
  const found = readMilestone(repository, milestones.urlOf(milestone))
  if (!found) return null
  const number = found.number ?? 0
  const url = `${repositoryUrl(rendering, repository)}/milestones/${number}`
  const id = people.numberOf('Milestone', found.url)
  const created_at = orEpoch(found.createdAt)
  return {
    url,
    html_url: `${repository.url}/milestone/${number}`,
    labels_url: `${url}/labels`,
    id,
    node_id: formatNodeId('Milestone', id),
    number,
    title: found.title ?? '',
    description: found.description,
    creator: userOf(rendering, found.user, repository.host),
    open_issues: found.openThreads,
    closed_issues: found.closedThreads,
    state: found.state,
    created_at,
    updated_at: found.updatedAt ?? created_at,
    due_on: found.dueAt,
    closed_at: found.closedAt,
  }
}
