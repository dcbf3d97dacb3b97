import { throwIfInterrupted } from '../../base/errors.ts'
import { threadMarkdown } from '../../reading/markdown/thread-markdown.ts'
import { repositoryOf } from '../../reading/names.ts'
import { loginsByUrl } from '../../reading/people/logins.ts'
import type { Store } from '../../reading/store.ts'
import { threadsAt } from '../../reading/threads/read-thread.ts'
import type { Text, Thread, TimelineItem } from '../../reading/threads/thread.ts'
import { participantsOfThreads } from '../../reading/threads/thread-facts.ts'
import { timelinesOf } from '../../reading/threads/timeline.ts'
import type { Chosen } from './chosen.ts'
import { linksFrom } from './folder-links.ts'
import { type FrontValue, frontMatter } from './front-matter.ts'
import type { PlannedThread } from './plan-files.ts'
import { writePieces } from './write-pieces.ts'
import type { Writing } from './writing.ts'

/** Writes the file of every thread, and notes their facts for lists. */
export async function writeThreads(writing: Writing): Promise<void> {
  const { library, plan } = writing
  for (const batch of plan.batches()) {
    const [{ store: place, kind }] = batch as [PlannedThread]
    const store = library.store(place)
    const urls = batch.map(({ url }) => url)
    const files = new Map(batch.map((planned) => [planned.url, planned]))
    const participants = participantsOfThreads(store, kind, urls)
    timelinesOf(store).prepare(urls)
    const logins = loginsByUrl(store, [...participants.values()].flat())
    for (const thread of threadsAt(store, kind, urls)) {
      const people = participants.get(thread.url) ?? []
      await writeThread(
        thread,
        files.get(thread.url) as PlannedThread,
        people.flatMap((url) => logins.get(url) ?? []),
        writing,
      )
    }
  }
  plan.endNotes()
}

async function writeThread(
  thread: Thread,
  { id, store: place, file }: PlannedThread,
  participants: readonly string[],
  writing: Writing,
): Promise<void> {
  const { library, plan, chosen, output, signal, progress } = writing
  throwIfInterrupted(signal)
  const {
    url,
    title,
    number,
    state,
    author,
    created_at: created,
    milestone_url: milestone,
  } = thread
  const store = library.store(place)
  const links = linksFrom({ file, url, repository: thread.full_name ?? repositoryOf(url) }, writing)
  await writePieces(output, file, function* () {
    yield frontMatter(frontOf(thread, participants))
    const timeline = chosenItems(timelinesOf(store).each(url), store, chosen)
    yield* threadMarkdown(thread, timeline, links)
  })
  plan.note(id, { title, number, state, author, created, milestone })
  progress()
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
      if (isChosen('issue_comments', item.url)) yield item
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
