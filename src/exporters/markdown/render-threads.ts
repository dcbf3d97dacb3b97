import { threadMarkdown } from '../../reading/markdown/thread-markdown.ts'
import { repositoryOf } from '../../reading/names.ts'
import { loginsByUrl } from '../../reading/people/logins.ts'
import type { Store } from '../../reading/store.ts'
import { threadsAt } from '../../reading/threads/read-thread.ts'
import type { Text, Thread, TimelineItem } from '../../reading/threads/thread.ts'
import { participantsOfThreads } from '../../reading/threads/thread-facts.ts'
import { timelinesOf } from '../../reading/threads/timeline.ts'
import type { Chosen } from './chosen.ts'
import { type LinkSources, linksFrom } from './folder-links.ts'
import { type FrontValue, frontMatter } from './front-matter.ts'
import type { PlannedThread, ThreadLine } from './plan-files.ts'

/** A thread as it is written. */
export interface RenderedThread {
  readonly planned: PlannedThread
  /** Its facts for lists. */
  readonly line: ThreadLine
  /** The text of its file. Before the next thread is rendered, it can be made again. */
  pieces(): Iterable<string>
}

/** Reads a batch of threads, and gives the text of each. */
export function* renderThreads(
  batch: readonly PlannedThread[],
  sources: LinkSources,
): Generator<RenderedThread> {
  const [first] = batch
  if (!first) return
  const { kind } = first
  const store = sources.library.store(first.store)
  const urls = batch.map(({ url }) => url)
  const planned = new Map(batch.map((thread) => [thread.url, thread]))
  const participants = participantsOfThreads(store, kind, urls)
  timelinesOf(store).prepare(urls)
  const logins = loginsByUrl(store, [...participants.values()].flat())
  for (const thread of threadsAt(store, kind, urls)) {
    const people = participants.get(thread.url) ?? []
    yield render(thread, planned.get(thread.url) as PlannedThread, {
      participants: people.flatMap((url) => logins.get(url) ?? []),
      store,
      sources,
    })
  }
}

function render(
  thread: Thread,
  planned: PlannedThread,
  { participants, store, sources }: Rendering,
): RenderedThread {
  const { url, title, number, state, author } = thread
  const repository = thread.full_name ?? repositoryOf(url)
  const links = linksFrom({ file: planned.file, url, repository }, sources)
  return {
    planned,
    line: {
      title,
      number,
      state,
      author,
      created: thread.created_at,
      milestone: thread.milestone_url,
    },
    *pieces() {
      yield frontMatter(frontOf(thread, participants))
      const timeline = chosenItems(timelinesOf(store).each(url), store, sources.chosen)
      yield* threadMarkdown(thread, timeline, links)
    },
  }
}

interface Rendering {
  readonly participants: readonly string[]
  readonly store: Store
  readonly sources: LinkSources
}

const frontOf = (
  thread: Thread,
  participants: readonly string[],
): Readonly<Record<string, FrontValue>> => ({
  url: thread.url,
  number: thread.number,
  kind: thread.kind,
  title: thread.title,
  state: thread.state,
  author: thread.author,
  created: thread.created_at,
  closed: thread.closed_at,
  merged: thread.pull_request?.merged_at ?? null,
  labels: thread.labels,
  assignees: thread.assignees,
  milestone: thread.milestone,
  reactions: thread.reactions,
  participants,
  locked: thread.locked,
})

const COMMENTS = ['issue_comments', 'discussion_comments']

/** The items of a timeline that were chosen; a review also if one of its comments is. */
function* chosenItems(
  items: Iterable<TimelineItem>,
  store: Store,
  chosen: Chosen,
): Generator<TimelineItem> {
  const isChosen = (table: string, url: string | null) =>
    url !== null && chosen.has(store, table, url)
  const isComment = ({ url }: Text) => isChosen('pull_request_review_comments', url)
  for (const item of items) {
    if (chosen.isAll) yield item
    else if (item.kind === 'comment') {
      if (COMMENTS.some((table) => isChosen(table, item.url))) yield item
    } else if (item.kind === 'event') {
      if (isChosen('issue_events', item.url)) yield item
    } else if (item.kind === 'review_thread') {
      const comments = item.comments.filter(isComment)
      if (comments.length > 0) yield { ...item, comments }
    } else {
      const threads = item.threads
        .map((thread) => ({ ...thread, comments: thread.comments.filter(isComment) }))
        .filter(({ comments }) => comments.length > 0)
      if (threads.length > 0 || isChosen('pull_request_reviews', item.url))
        yield { ...item, threads }
    }
  }
}
