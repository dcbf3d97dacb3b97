import type { JsonObject } from '../../records/json/json.ts'
import { formatNodeId } from '../../rest/node-id.ts'
import { foldCase, labelName } from '../catalog/names.ts'
import type { Repository } from '../catalog/repositories.ts'
import { asInteger, asList, asObject, asText, asTextOrNull } from '../catalog/sources.ts'
import { formatTime, parseTime, toTime, toTimeOrNull } from '../catalog/times.ts'
import { segment, userOf } from './people.ts'
import type { Rendering } from './rendering.ts'
import { repositoryUrl } from './repositories.ts'

const NO_COLOR = 'ededed'

/** The labels that the host gives every repository. */
const DEFAULTS: ReadonlySet<string> = new Set([
  ...['bug', 'documentation', 'duplicate', 'enhancement', 'good first issue', 'help wanted'],
  ...['invalid', 'question', 'wontfix'],
])

/** The labels in the record of a repository, by url. */
const labelsOf = ({ reader }: Rendering, { id, database, row }: Repository) =>
  reader.sources.remember(
    `labels ${id}`,
    () => {
      const record = reader.sources.record(database, 'repositories', 'labels', row)
      const labels = asList(record?.[0]).map(asObject)
      return new Map(labels.map((label) => [asText(label.url), label]))
    },
    ({ size }) => 400 * size,
  )

/** Urls of the labels that the record of a repository has, in its order. */
export const labelUrls = (rendering: Rendering, repository: Repository): string[] =>
  [...labelsOf(rendering, repository).keys()].filter((url) => url !== '')

/** The url of the label with this name, in upper or lower case. */
export function findLabel(
  rendering: Rendering,
  repository: Repository,
  name: string,
): string | undefined {
  const folded = foldCase(name)
  for (const [url, label] of labelsOf(rendering, repository)) {
    if (url !== '' && foldCase(asText(label.name) || labelName(url)) === folded) return url
  }
  return undefined
}

/** Six hexadecimal digits; gray for anything else. */
export const toColor = (color: unknown): string =>
  typeof color === 'string' && /^[0-9a-fA-F]{6}$/.test(color) ? color : NO_COLOR

/** A label of a repository, which may have been deleted since. */
export function toLabel(rendering: Rendering, repository: Repository, url: string): JsonObject {
  const label = labelsOf(rendering, repository).get(url)
  const name = asText(label?.name) || labelName(url)
  const id = rendering.reader.people.numberOf('Label', url)
  return {
    id,
    node_id: formatNodeId('Label', id),
    url: `${repositoryUrl(rendering, repository)}/labels/${segment(name)}`,
    name,
    description: asTextOrNull(label?.description),
    color: toColor(label?.color),
    default: DEFAULTS.has(name),
  }
}

/** The color in the record of a label; undefined if there is none. */
export const colorOfLabel = (
  rendering: Rendering,
  repository: Repository,
  url: unknown,
): string | undefined =>
  asTextOrNull(labelsOf(rendering, repository).get(asText(url))?.color) ?? undefined

const MILESTONE = 'title, description, user, state, created_at, updated_at, due_on, closed_at'

/** A milestone by its place in the index. Null if it is gone. */
export function toMilestone(
  rendering: Rendering,
  repository: Repository,
  milestone: number | null,
): JsonObject | null {
  if (milestone === null) return null
  return rendering.reader.sources.remember<JsonObject | null>(
    `milestone ${rendering.base} ${milestone}`,
    () => describeMilestone(rendering, repository, milestone),
    (value) => 2 * JSON.stringify(value).length,
  )
}

function describeMilestone(
  rendering: Rendering,
  repository: Repository,
  milestone: number,
): JsonObject | null {
  const { sources, people } = rendering.reader
  const found = sources.get(
    'SELECT url, row, number, open, closed FROM milestones WHERE id = ?',
    milestone,
  )
  if (!found) return null
  const [recordUrl, row, number, open, closed] = found
  const record = sources.record(repository.database, 'milestones', MILESTONE, asInteger(row))
  const [title, description, user, state, created, updated, due, closedAt] = record ?? []
  const url = `${repositoryUrl(rendering, repository)}/milestones/${asInteger(number)}`
  const id = people.numberOf('Milestone', asText(recordUrl))
  const created_at = toTime(created)
  const changed = parseTime(updated)
  return {
    url,
    html_url: `${repository.url}/milestone/${asInteger(number)}`,
    labels_url: `${url}/labels`,
    id,
    node_id: formatNodeId('Milestone', id),
    number: asInteger(number),
    title: asText(title),
    description: asTextOrNull(description),
    creator: userOf(rendering, user, repository.host),
    open_issues: asInteger(open),
    closed_issues: asInteger(closed),
    state: state === 'closed' ? 'closed' : 'open',
    created_at,
    updated_at: changed === undefined ? created_at : formatTime(changed),
    due_on: toTimeOrNull(due),
    closed_at: toTimeOrNull(closedAt),
  }
}
