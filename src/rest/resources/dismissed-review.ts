import { lastReview } from '../../reading/threads/thread-facts.ts'
import { asObject, asText, asTextOrNull } from '../../reading/values.ts'
import type { JsonObject } from '../../records/json/json.ts'
import { type EventRecord, toCommitId } from './event-record.ts'
import type { Rendering } from './rendering.ts'

const STATES: readonly unknown[] = ['commented', 'approved', 'changes_requested']

/** States of reviews in records. The state before a dismissal is not known. */
const WORDS: Readonly<Record<number, string>> = { 30: 'changes_requested', 40: 'approved' }

/** The review that an event dismissed: the one that the record names, or the last one before it. */
export function dismissedReview(rendering: Rendering, record: EventRecord): JsonObject {
  const { state, review_id, dismissal_message, dismissal_commit_id } = asObject(
    record.extra.dismissed_review,
  )
  const commit = toCommitId(dismissal_commit_id)
  if (STATES.includes(state) && Number.isSafeInteger(review_id)) {
    return {
      state: asText(state),
      review_id: Number(review_id),
      dismissal_message: asTextOrNull(dismissal_message),
      ...(commit !== null && { dismissal_commit_id: commit }),
    }
  }
  const found = reviewBefore(rendering, record)
  return {
    state: WORDS[found?.state ?? 0] ?? 'commented',
    review_id: found
      ? rendering.reader.people.numberOf('PullRequestReview', found.url)
      : record.event.number,
    dismissal_message: null,
  }
}

function reviewBefore(
  { reader }: Rendering,
  { event, repository }: EventRecord,
): { url: string; state: number } | undefined {
  const thread = reader.threads.byId(event.thread)
  if (!thread?.isPull) return undefined
  const pull = repository.store.record('pull_requests', 'url', thread.row)?.[0]
  return lastReview(repository.store, asText(pull), event.time ?? 0)
}
