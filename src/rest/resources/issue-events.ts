import type { MediaType } from '../../interface/media-types.ts'
import { eventType, formatNodeId } from '../../interface/node-id.ts'
import { Memo } from '../../reading/remembered.ts'
import type { IssueEvent } from '../../reading/threads/issue-events.ts'
import { formatSeconds } from '../../reading/times.ts'
import { asText } from '../../reading/values.ts'
import type { JsonObject } from '../../records/json/json.ts'
import { describeKind } from './event-kinds.ts'
import { type EventPreviews, type EventRecord, readEvent, toCommitId } from './event-record.ts'
import { bytesOf, type KeptJson, keepJson, sizeOfKept, wholeJson } from './kept-json.ts'
import { userOf } from './people.ts'
import type { Rendering } from './rendering.ts'
import { repositoryUrl } from './repositories.ts'
import { associationOf, closedBy, readThread, toIssue } from './threads.ts'

/** The form that a media type asks for. Only single events name the app. */
export const previewsOf = ({ previews, brands }: MediaType, isSingle: boolean): EventPreviews => ({
  projectCards: previews.has('starfox'),
  lockReasons: previews.has('sailor-v'),
  apps: isSingle && previews.has('machine-man'),
  cardIds:
    !brands.includes('github') && previews.get('starfox')?.includes('service') ? 'text' : 'number',
})

function describeEvent(
  rendering: Rendering,
  record: EventRecord,
  previews: EventPreviews,
): JsonObject {
  const { event, repository, columns } = record
  const kind = event.kind ?? asText(columns.event)
  const {
    actor = columns.actor,
    commitId = columns.commit_id,
    members,
  } = describeKind(rendering, kind, record, previews)
  const commit = toCommitId(commitId)
  return {
    id: event.number,
    node_id: formatNodeId(eventType(kind), event.number),
    url: `${repositoryUrl(rendering, repository)}/issues/events/${event.number}`,
    actor: userOf(rendering, actor, repository.host),
    event: kind,
    commit_id: commit,
    commit_url: commit === null ? null : commitUrl(rendering, record, commit),
    created_at: formatSeconds(event.time ?? 0),
    ...members,
  }
}

/** Where a commit is: in the repository that the event names, if that is public. */
function commitUrl(
  rendering: Rendering,
  { repository, columns }: EventRecord,
  commit: string,
): string {
  const named = rendering.reader.repositories.findByUrl(columns.commit_repository)
  const home = named && !named.isPrivate ? named : repository
  return `${repositoryUrl(rendering, home)}/commits/${commit}`
}

/** An issue, or a pull request as an issue. */
interface KeptIssue {
  readonly issue: KeptJson
  /** The members that it does not have in events. */
  readonly further: KeptJson
}

/** An issue, or a pull request as an issue, as it is kept. Undefined if its record is gone. */
export const keptIssue = (rendering: Rendering, id: number): KeptIssue | undefined =>
  rendering.reader.library.remember(ISSUES, `${rendering.base} ${id}`, () => {
    const thread = rendering.reader.threads.byId(id)
    const record = thread && readThread(rendering, thread)
    if (!record) return undefined
    const author_association = associationOf(rendering, record.repository, record.columns[1])
    const further = { author_association, closed_by: closedBy(rendering, record) }
    return { issue: keepJson(toIssue(rendering, record)), further: keepJson(further) }
  })

const ISSUES = new Memo<KeptIssue | undefined>((kept) =>
  kept ? sizeOfKept(kept.issue) + sizeOfKept(kept.further) : 0,
)

const ISSUE = Buffer.from(',"issue":')
const CLOSE = Buffer.from('}')

/**
 * An issue event as JSON, in pieces.
 *
 * @param hasIssue whether the issue or pull request is in it
 * @returns undefined if its record is gone
 */
export function toIssueEvent(
  rendering: Rendering,
  event: IssueEvent,
  previews: EventPreviews,
  hasIssue: boolean,
): readonly Buffer[] | undefined {
  const { projectCards, lockReasons, apps, cardIds } = previews
  const asked = [projectCards && cardIds, lockReasons && 'reasons', apps && 'apps'].join()
  const kept = rendering.reader.library.remember(
    EVENTS,
    `${rendering.base} ${event.id} ${asked}`,
    () => {
      const record = readEvent(rendering, event)
      return record && keepJson(describeEvent(rendering, record, previews))
    },
  )
  if (!kept) return undefined
  const json = bytesOf(wholeJson(rendering, kept))
  if (!hasIssue) return [json]
  const thread = keptIssue(rendering, event.thread)
  const issue = thread && bytesOf(wholeJson(rendering, thread.issue))
  return issue && [json.subarray(0, -1), ISSUE, issue, CLOSE]
}

const EVENTS = new Memo<KeptJson | undefined>((kept) => (kept ? sizeOfKept(kept) : 0))
