import { madeNumber } from '../../reading/numbers.ts'
import { boardWith } from '../../reading/threads/projects.ts'
import { asObject, asText, asTextOrNull } from '../../reading/values.ts'
import type { JsonObject } from '../../records/json/json.ts'
import type { EventRecord } from './event-record.ts'
import type { Rendering } from './rendering.ts'

interface Card {
  readonly id?: number
  readonly url?: string | undefined
  readonly project: string
  readonly projectId?: number
  readonly projectUrl?: string | undefined
  readonly column: string
  readonly previous?: string | undefined
}

/** The card of a thread on a project board; undefined if the board is gone. */
export function projectCard(
  rendering: Rendering,
  record: EventRecord,
  ids: 'text' | 'number',
): JsonObject | undefined {
  const { base, reader } = rendering
  const thread = reader.threads.byId(record.event.thread)
  const table = thread?.isPull ? 'pull_requests' : 'issues'
  const threadUrl = asText(
    thread &&
      reader.library.store(record.repository.database).record(table, 'url', thread.row)?.[0],
  )
  const card: Card | undefined = cardOfRecord(record) ?? boardWith(record.repository, threadUrl)
  if (!card) return undefined
  const id = card.id ?? madeNumber('ProjectCard', `${threadUrl} ${card.project}`)
  const projectId = card.projectId ?? madeNumber('Project', card.project)
  const kind = record.event.kind
  // The interface has no boards: the address of one is that of its page on the host.
  const page = /^https?:\/\//.test(card.project) ? card.project : undefined
  return {
    id: ids === 'text' ? String(id) : id,
    ...(kind !== 'removed_from_project' && {
      url: card.url ?? page ?? `${base}/projects/columns/cards/${id}`,
    }),
    project_id: projectId,
    project_url: card.projectUrl ?? page ?? `${base}/projects/${projectId}`,
    column_name: card.column,
    ...(kind === 'moved_columns_in_project' && { previous_column_name: card.previous ?? '' }),
  }
}

/** A card that another exporter wrote into the record. */
function cardOfRecord({ extra }: EventRecord): Card | undefined {
  const given = asObject(extra.project_card)
  const { id, url, project_id, project_url, column_name, previous_column_name } = given
  const projectId = Number.isSafeInteger(project_id) ? Number(project_id) : undefined
  const projectUrl = asTextOrNull(project_url) ?? undefined
  if (typeof column_name !== 'string') return undefined
  if (projectId === undefined && projectUrl === undefined) return undefined
  const number = typeof id === 'string' && /^\d{1,15}$/.test(id) ? Number(id) : id
  return {
    ...(Number.isSafeInteger(number) && { id: Number(number) }),
    url: asTextOrNull(url) ?? undefined,
    project: projectUrl ?? String(projectId),
    ...(projectId !== undefined && { projectId }),
    projectUrl,
    column: column_name,
    previous: asTextOrNull(previous_column_name) ?? undefined,
  }
}
