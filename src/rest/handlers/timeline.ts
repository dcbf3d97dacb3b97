import { Memo } from '../../reading/remembered.ts'
import type { IndexedRepository } from '../../reading/repositories.ts'
import type { IndexedThread } from '../../reading/threads/indexed-threads.ts'
import { timelinesOf } from '../../reading/threads/timeline.ts'
import { asText, parseJson } from '../../reading/values.ts'
import type { JsonObject } from '../../records/json/json.ts'
import type { Handler, RequestContext } from '../request-context.ts'
import { toIssueComment, toReview } from '../resources/comments.ts'
import { previewsOf, toIssueEvent } from '../resources/issue-events.ts'
import { repositoryUrl } from '../resources/repositories.ts'
import { findThread, inRepository, readerOf, renderingOf } from './find-in-path.ts'

/** Something that happened in a thread, by its place in the index. */
interface Happening {
  readonly id: number
  readonly kind: 'event' | 'comment' | 'review'
}

/** Reviews, comments and events of a thread that are served, in the order that all faces have. */
function happeningsOf(
  context: RequestContext,
  { store }: IndexedRepository,
  thread: IndexedThread,
): readonly Happening[] {
  const { issueEvents, parts, library } = readerOf(context)
  return library.remember(TIMELINES, String(thread.id), () => {
    const table = thread.isPull ? 'pull_requests' : 'issues'
    const url = asText(store.record(table, 'url', thread.row)?.[0])
    const places = parts.placesIn(thread)
    const events = new Map(
      issueEvents.ofThread(thread, 0, thread.events).map(({ row, id }) => [row, id]),
    )
    return timelinesOf(store)
      .rowsOf(url)
      .flatMap(({ source, row }): Happening[] => {
        if (source === 'review_thread' || source === 'discussion_comment') return []
        const kind = source === 'replies' ? 'review' : source
        const id = kind === 'event' ? events.get(row) : places.get(`${kind} ${row}`)
        return id === undefined ? [] : [{ id, kind }]
      })
  })
}

const TIMELINES = new Memo<readonly Happening[]>(({ length }) => 100 * length)

/** All activity in an issue or pull request, the oldest first. */
export const timeline: Handler = inRepository((context, repository) => {
  const thread = findThread(context, repository, 'issue_number')
  const all = happeningsOf(context, repository, thread)
  const items = (offset: number, limit: number) =>
    all
      .slice(offset, offset + limit)
      .flatMap((each) => describe(context, repository, thread, each) ?? [])
  return { status: 200, list: { total: all.length, items } }
})

function describe(
  context: RequestContext,
  repository: IndexedRepository,
  thread: IndexedThread,
  { id, kind }: Happening,
): JsonObject | undefined {
  const rendering = renderingOf(context)
  const { issueEvents, parts } = rendering.reader
  if (kind === 'event') {
    const event = issueEvents.byId(id)
    const pieces = event && toIssueEvent(rendering, event, previewsOf(context.media, false), false)
    return pieces && (parseJson(Buffer.concat(pieces).toString()) as JsonObject)
  }
  const part = parts.byId(id)
  if (!part) return undefined
  const api = repositoryUrl(rendering, repository)
  const numbered = { repository, ...part }
  if (kind === 'comment') {
    const comment = toIssueComment(rendering, numbered, `${api}/issues/${thread.number}`)
    return comment && { ...comment, event: 'commented', actor: comment.user ?? null }
  }
  const review = toReview(rendering, numbered, `${api}/pulls/${thread.number}`)
  return review && { ...review, event: 'reviewed' }
}
