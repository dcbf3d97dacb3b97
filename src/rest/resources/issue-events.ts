import type { MediaType } from '../../interface/media-types.ts'
import { eventType, formatNodeId } from '../../interface/node-id.ts'
import { Memo } from '../../reading/remembered.ts'
import type { IssueEvent } from '../../reading/threads/issue-events.ts'
import { formatSeconds } from '../../reading/times.ts'
import { asText } from '../../reading/values.ts'
import type { JsonObject } from '../../records/json/json.ts'
import { describeKind } from './event-kinds.ts'
import { type EventPreviews, type EventRecord, readEvent, toCommitId } from './event-record.ts'
import { type KeptJson, keepJson, sizeOfKept, wholeJson } from './kept-json.ts'
import { userOf } from './people.ts'
import type { Rendering } from './rendering.ts'
import { repositoryUrl } from './repositories.ts'
import { readThread, type ThreadRecord, toIssue } from './threads.ts'

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

const sizeOf = (kept: KeptJson | undefined): number => (kept ? sizeOfKept(kept) : 0)

/**
 * An issue, or a pull request as an issue, as JSON. Undefined if its record is gone.
 *
 * @param read reads its record, for callers who need that as well
 */
export const issueJson = (
  rendering: Rendering,
  thread: number,
  read = () => readThreadById(rendering, thread),
): Buffer | undefined => {
  const kept = rendering.reader.library.remember(ISSUES, `${rendering.base} ${thread}`, () => {
    const record = read()
    return record && keepJson(toIssue(rendering, record))
  })
  return kept && Buffer.from(wholeJson(rendering, kept))
}

function readThreadById(rendering: Rendering, thread: number): ThreadRecord | undefined {
  const found = rendering.reader.threads.byId(thread)
  return found && readThread(rendering, found)
}

const ISSUES = new Memo<KeptJson | undefined>(sizeOf)

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
  const json = kept && Buffer.from(wholeJson(rendering, kept))
  if (!json || !hasIssue) return json && [json]
  const issue = issueJson(rendering, event.thread)
  return issue && [json.subarray(0, -1), ISSUE, issue, CLOSE]
}

const EVENTS = new Memo<KeptJson | undefined>(sizeOf)
