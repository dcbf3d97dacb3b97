import { formatNodeId } from '../../interface/node-id.ts'
import { colorOf, type Label } from '../../reading/labels.ts'
import { type Milestone, readMilestone } from '../../reading/milestones.ts'
import { Memo } from '../../reading/remembered.ts'
import type { IndexedRepository } from '../../reading/repositories.ts'
import { orEpoch } from '../../reading/times.ts'
import type { JsonObject, JsonValue } from '../../records/json/json.ts'
import { type SharedPart, toMember } from './kept-json.ts'
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
export const toLabel = (
  rendering: Rendering,
  repository: IndexedRepository,
  label: Label,
): JsonValue => toMember(rendering, partOf(repository, label))

const parts = new WeakMap<Label, SharedPart>()

function partOf(repository: IndexedRepository, label: Label): SharedPart {
  const known = parts.get(label)
  if (known) return known
  const part: SharedPart = {
    name: `label ${repository.id} ${label.url}`,
    describe: (rendering) => describeLabel(rendering, repository, label),
  }
  parts.set(label, part)
  return part
}

function describeLabel(
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
): JsonValue {
  if (milestone === null) return null
  const { library, milestones } = rendering.reader
  const part = library.remember(MILESTONES, String(milestone), () => {
    const found = readMilestone(repository, milestones.urlOf(milestone))
    return found && milestonePart(repository, milestone, found)
  })
  return part ? toMember(rendering, part) : null
}

const MILESTONES = new Memo<SharedPart | undefined>()

const milestonePart = (
  repository: IndexedRepository,
  id: number,
  found: Milestone,
): SharedPart => ({
  name: `milestone ${id}`,
  describe: (rendering) => describeMilestone(rendering, repository, found),
})

function describeMilestone(
  rendering: Rendering,
  repository: IndexedRepository,
  found: Milestone,
): JsonObject {
  const number = found.number ?? 0
  const url = `${repositoryUrl(rendering, repository)}/milestones/${number}`
  const id = rendering.reader.people.numberOf('Milestone', found.url)
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
