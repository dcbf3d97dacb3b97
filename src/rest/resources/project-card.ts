import { madeNumber } from '../../reading/numbers.ts'
import { asList, asObject, asText, asTextOrNull } from '../../reading/values.ts'
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
  const card = cardOfRecord(record) ?? cardOfBoards(rendering, record, threadUrl)
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

/** Boards with more text than this are not searched. */
const LARGEST_BOARD = 4 * 2 ** 20

/** A card that names the thread, on a board of the repository or of its owner. */
function cardOfBoards(
  { reader }: Rendering,
  { repository }: EventRecord,
  threadUrl: string,
): Card | undefined {
  const owner = repository.url.slice(0, repository.url.lastIndexOf('/'))
  const ofOwner = `https://${repository.host}/orgs/${owner.slice(owner.lastIndexOf('/') + 1)}/projects/`
  const row = reader.library.store(repository.database).row(
    `SELECT o.url, o.columns
    FROM projects AS o, (SELECT ? AS own, ? AS owners, ? AS thread) AS p
    WHERE (substr(o.url, 1, length(p.own)) = p.own OR substr(o.url, 1, length(p.owners)) = p.owners)
      AND instr(o.columns, p.thread) AND length(o.columns) <= ${LARGEST_BOARD}
    ORDER BY o.url LIMIT 1`,
    `${repository.url}/projects/`,
    ofOwner,
    threadUrl,
  )
  for (const column of asList(row?.[1]).map(asObject)) {
    if (names(column.cards, threadUrl))
      return { project: asText(row?.[0]), column: asText(column.name) }
  }
  return undefined
}

/** Whether any text in a value names a url, and not only one that begins with it. */
function names(value: unknown, url: string): boolean {
  if (typeof value === 'string') {
    const at = value.indexOf(url)
    return at >= 0 && !/^\d/.test(value.slice(at + url.length))
  }
  if (Array.isArray(value)) return value.some((element) => names(element, url))
  return typeof value === 'object' && value !== null
    ? Object.values(value).some((member) => names(member, url))
    : false
}
