import { ArchiveError } from '../../base/errors.ts'
import { findRecord } from '../../database/rows/read-record.ts'
import type { Library, Repository } from '../../reading/library.ts'
import type { Store } from '../../reading/store.ts'
import { withSentence } from '../../reading/threads/event-item.ts'
import { findThread } from '../../reading/threads/find-thread.ts'
import type { ListName } from '../../reading/threads/list-threads.ts'
import { threadAt } from '../../reading/threads/read-thread.ts'
import type { ReviewThread, Text, Thread, TimelineItem } from '../../reading/threads/thread.ts'
import { headRepository } from '../../reading/threads/thread-facts.ts'
import { timelinesOf } from '../../reading/threads/timeline.ts'
import { parseTime } from '../../reading/times.ts'
import { type Answer, type Asked, repositoryNamed } from '../tool.ts'
import { nameOrNull, namesOf, Room, shortName, writingOf } from '../writing.ts'
import { secondsOf } from './threads.ts'

/** Items of a timeline that are read at a time, and for one answer. */
const STEP = 50
const MOST_READ = 2_000

export interface ThreadArguments {
  repository: string
  number: number
  kind?: ListName
  comments_only?: boolean
  since?: string
  text_of?: string
  text_offset?: number
  cursor?: string
}

const factsOf = (thread: Thread, { store }: Repository, library: Library) => ({
  repository: nameOrNull(thread.full_name),
  number: thread.number,
  kind: thread.kind,
  url: shortName(thread.url),
  title: nameOrNull(thread.title),
  state: thread.state,
  author: nameOrNull(thread.author),
  created_at: nameOrNull(thread.created_at),
  closed_at: nameOrNull(thread.closed_at),
  labels: namesOf(thread.labels),
  assignees: namesOf(thread.assignees),
  milestone: nameOrNull(thread.milestone),
  locked: thread.locked,
  category: nameOrNull(thread.category),
  reactions: reactionsOf(thread),
  pull_request: thread.pull_request && {
    base: nameOrNull(thread.pull_request.base),
    head: nameOrNull(headOf(thread, store, library)),
    draft: thread.pull_request.draft,
    merged_at: nameOrNull(thread.pull_request.merged_at),
    merged_by: nameOrNull(thread.pull_request.merged_by),
    merge_commit_sha: nameOrNull(thread.pull_request.merge_commit_sha),
    review_requests: namesOf(thread.pull_request.review_requests),
    closes: namesOf(thread.pull_request.closes.filter((place) => isNamed(place, library))),
  },
})

/** The branch of a pull request; strangers do not learn the name of a repository that is not public. */
function headOf({ url, pull_request }: Thread, store: Store, library: Library): string | null {
  const repository = headRepository(store, url)
  const head = pull_request?.head ?? null
  const isHidden = repository !== undefined && library.hides(repository, true)
  return isHidden ? (head?.replace(/^[^:]*/, 'another repository') ?? null) : head
}

const isNamed = (place: string, library: Library): boolean =>
  library.audience === 'all' || library.repository(place.replace(/#.*/, '')) !== undefined

/** Contents of reactions that an answer has. */
const MOST_REACTIONS = 20

const reactionsOf = ({ reactions }: Pick<Text, 'reactions'>) =>
  Object.fromEntries(
    Object.entries(reactions)
      .slice(0, MOST_REACTIONS)
      .map(([content, times]) => [shortName(content), times]),
  )

/** The text of a record of a thread. Throws `record-not-found`. */
function writingAt({ store }: Repository, thread: Thread, url: string, bytes: number, offset = 0) {
  // A comment, a review or an event of a thread has its url with a fragment.
  const isInThread = url === thread.url || url.startsWith(`${thread.url}#`)
  const record = isInThread ? findRecord(store.database, url) : undefined
  const { body, created_at: created } = record ?? {}
  if (typeof body !== 'string') {
    throw new ArchiveError('record-not-found', 'the thread has no text with this url')
  }
  return writingOf(
    { author: null, url, created_at: typeof created === 'string' ? created : null, body },
    bytes,
    offset,
  )
}

/** A part of the timeline, from the place that a cursor names: an item, and what of it was given before. */
function timelineOf(
  { store }: Repository,
  { url }: Thread,
  { cursor = '0', comments_only: isShort = false, since }: ThreadArguments,
  room: Room,
  { library, bytes }: Asked,
): { total: number; timeline: unknown[]; next_cursor: string | null } {
  const [start = 0, given = 0] = cursor.split('.').map(Number)
  const from = secondsOf('since', since)
  const timelines = timelinesOf(store)
  const hides = (named: string) => library.hides(named)
  const timeline: unknown[] = []
  let total = timelines.count(url)
  for (let at = start; at < total && at < start + MOST_READ; at += STEP) {
    const page = timelines.page(url, { offset: at, limit: STEP })
    total = page.total
    for (const [i, item] of page.items.entries()) {
      const isOld = from !== undefined && (parseTime(item.created_at) ?? from) < from
      if (isOld || (isShort && item.kind === 'event')) continue
      const entries = entriesOf(item.kind === 'event' ? withSentence(item, hides) : item, bytes)
      const first = at + i === start ? given : 0
      for (const [j, entry] of entries.entries()) {
        if (j < first || room.add(timeline, entry)) continue
        return { total, timeline, next_cursor: `${at + i}.${j}` }
      }
    }
  }
  const next = start + MOST_READ
  return { total, timeline, next_cursor: next < total ? String(next) : null }
}

/** The entries of an item: a review is followed by its threads, and each of these by its comments. */
function entriesOf(item: TimelineItem, bytes: number): unknown[] {
  switch (item.kind) {
    case 'comment': {
      const { in_reply_to: above = null, is_answer } = item
      const comment = spoken('comment', item, bytes)
      if (is_answer === undefined) return [comment]
      return [{ ...comment, in_reply_to: nameOrNull(above), is_answer }]
    }
    case 'review': {
      const review = { ...spoken('review', item, bytes), state: nameOrNull(item.state) }
      return [review, ...item.threads.flatMap((thread) => ofReviewThread(thread, bytes))]
    }
    case 'review_thread':
      return ofReviewThread(item, bytes)
    default:
      return [
        {
          kind: 'event',
          created_at: nameOrNull(item.created_at),
          author: nameOrNull(item.author),
          event: shortName(item.event),
          sentence: shortName(item.sentence),
        },
      ]
  }
}

const spoken = (kind: string, written: Text, bytes: number) => ({
  kind,
  created_at: nameOrNull(written.created_at),
  words: writingOf(written, bytes),
  reactions: reactionsOf(written),
})

/** Characters of the lines that a review thread is about. The last ones are closest to it. */
const LONGEST_HUNK = 1_500

function ofReviewThread(thread: ReviewThread, bytes: number): unknown[] {
  const { url, path, line, start_line, outdated, resolved_at, resolver, diff_hunk } = thread
  const place = {
    kind: 'review_thread',
    created_at: nameOrNull(thread.comments[0]?.created_at ?? null),
    place: {
      url: nameOrNull(url),
      path: nameOrNull(path),
      line,
      start_line,
      outdated,
      resolved_at: nameOrNull(resolved_at),
      resolver: nameOrNull(resolver),
    },
    diff: { text: diff_hunk?.slice(-LONGEST_HUNK) ?? '' },
  }
  return [place, ...thread.comments.map((comment) => spoken('review_comment', comment, bytes))]
}

export function getThread(asked: ThreadArguments, call: Asked): Answer {
  const { library, bytes } = call
  const repository = repositoryNamed(library, asked.repository)
  const { store } = repository
  const found = findThread(repository, asked.number, asked.kind)
  const thread = found && threadAt(store, found.url)
  if (!thread) {
    throw new ArchiveError('record-not-found', 'there is no thread with this number')
  }
  const facts = factsOf(thread, repository, library)
  if (asked.text_of !== undefined) {
    const words = writingAt(repository, thread, asked.text_of, bytes, asked.text_offset)
    const summary = 'A part of one text.'
    return { summary, thread: facts, words, total: 0, timeline: [], next_cursor: null }
  }
  // The first text is on the first page alone.
  const words = asked.cursor === undefined ? writingOf(thread, bytes) : null
  const room = new Room(bytes, [facts, words])
  const timeline = timelineOf(repository, thread, asked, room, call)
  return {
    summary: `${timeline.timeline.length} entries of a timeline of ${timeline.total}.`,
    thread: facts,
    words,
    ...timeline,
  }
}
