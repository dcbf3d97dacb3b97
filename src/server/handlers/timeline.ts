import type { JsonObject } from '../../records/json/json.ts'
import type { PartKind } from '../catalog/parts.ts'
import type { Repository } from '../catalog/repositories.ts'
import { parseJson } from '../catalog/sources.ts'
import type { Thread } from '../catalog/threads.ts'
import type { Handler, RequestContext } from '../request-context.ts'
import { toIssueComment, toReview } from '../resources/comments.ts'
import { previewsOf, toIssueEvent } from '../resources/issue-events.ts'
import { repositoryUrl } from '../resources/repositories.ts'
import { findThread, inRepository, readerOf, renderingOf } from './find-in-path.ts'

/** Something that happened in a thread, by its place in the index. */
interface Happening {
  readonly id: number
  readonly kind: 'event' | 'comment' | 'review'
  readonly time: number
}

/** Events, comments and reviews of a thread, the oldest first. At the same time, they stay in this order. */
function happeningsOf(context: RequestContext, thread: Thread): readonly Happening[] {
  const { issueEvents, parts, sources } = readerOf(context)
  return sources.remember(
    `timeline ${thread.id}`,
    () => {
      const events = issueEvents.ofThread(thread, 0, thread.events)
      const partsOf = (kind: PartKind & Happening['kind']) =>
        [...parts.list({ kind, of: { thread }, direction: 'asc' })].map((id) => ({
          ...{
            id,
            kind,
            time: Number(sources.get('SELECT time FROM activity WHERE id = ?', id)?.[0]),
          },
        }))
      return [
        ...events.map(({ id, time }) => ({ id, kind: 'event' as const, time: time ?? 0 })),
        ...partsOf('comment'),
        ...partsOf('review'),
      ].sort((a, b) => a.time - b.time)
    },
    ({ length }) => 100 * length,
  )
}

/** All activity in an issue or pull request, the oldest first. */
export const timeline: Handler = inRepository((context, repository) => {
  const thread = findThread(context, repository, 'issue_number')
  const all = happeningsOf(context, thread)
  const items = (offset: number, limit: number) =>
    all
      .slice(offset, offset + limit)
      .flatMap((each) => describe(context, repository, thread, each) ?? [])
  return { status: 200, list: { total: all.length, items } }
})

function describe(
  context: RequestContext,
  repository: Repository,
  thread: Thread,
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
