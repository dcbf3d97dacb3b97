import type { Repository } from '../../reading/library.ts'
import { Memo } from '../../reading/store.ts'
import type { EventItem } from '../../reading/threads/event-item.ts'
import { findThread } from '../../reading/threads/find-thread.ts'
import { commentInWords } from '../../reading/threads/in-words.ts'
import { threadAt } from '../../reading/threads/read-thread.ts'
import type { Thread } from '../../reading/threads/thread.ts'
import { type Item, timelinesOf } from '../../reading/threads/timeline.ts'
import { type Html, html, isolated } from '../html.ts'
import { icon } from '../icons.ts'
import { ITEMS, threadPath } from '../link.ts'
import { inRepository, type PageRequest, type PageView, pageNumber } from '../page.ts'
import { commentCard, type ThreadContext } from '../parts/card.ts'
import { formatNumber, pathTo, plural, titleOf, when } from '../parts/elements.ts'
import { eventLine } from '../parts/event.ts'
import { repositoryPath } from '../parts/layout.ts'
import { createPager } from '../parts/pager.ts'
import { pullTabs } from '../parts/pull-tabs.ts'
import { reviewItem, reviewThread } from '../parts/review.ts'
import { threadAside } from '../parts/thread-aside.ts'
import { threadHead } from '../parts/thread-head.ts'
import { readSurroundings, type Surroundings } from '../read/surroundings.ts'
import { threadContext } from '../text-context.ts'

const THREADS = { issues: 'issue', pull: 'pull_request', discussions: 'discussion' } as const
const KINDS = { issues: 'issues', pull: 'pulls', discussions: 'discussions' } as const

/** An issue, pull request or discussion with its timeline. */
export const threadPage = inRepository((repository, request) => {
  const { params, path, query } = request
  const number = Number(params.number)
  if (!/^[1-9]\d{0,14}$/.test(params.number ?? '')) return undefined
  const [, , , word] = path.split('/')
  const found = findThread(repository, number, word)
  if (!found) return undefined
  const real = pathTo(repository.owner, repository.name, found.part, number)
  // A pull request at the address of an issue, or the reverse.
  if (path !== real) return { redirect: real }
  const at = query.get('at')
  if (at !== null) {
    return { redirect: threadPath(repository, number, at.replace(/^#/, ''), found.part) ?? real }
  }
  const thread = threadAt(repository.store, found.url, [THREADS[found.part]])
  return thread && view(repository, thread, found.part, request)
})

/** Facts have 24 people, and as many linked threads. */
const FACTS = new Memo<Surroundings>(() => 16_384)

function view(
  repository: Repository,
  thread: Thread,
  part: keyof typeof KINDS,
  request: PageRequest,
): PageView | undefined {
  const { library, query, path } = request
  const kind = KINDS[part]
  const page = pageNumber(query)
  const offset = (page - 1) * ITEMS
  const { total, items } = timelinesOf(repository.store).page(thread.url, {
    offset,
    limit: ITEMS,
  })
  if (page > 1 && offset >= total) return undefined
  const { store } = repository
  const context = threadContext(library, repository, thread.author)
  const read = () => readSurroundings(repository, context, thread)
  // Each page shows the facts of the whole thread.
  const facts = total > ITEMS ? store.remember(FACTS, thread.url, read) : read()
  const base = repositoryPath(repository)
  const tabs = part === 'pull' ? pullTabs(repository, thread.url, path, 'conversation') : undefined
  const words = { prev: 'Earlier', next: 'Later' }
  const pager = createPager(path, query, { page, total, size: ITEMS }, words)
  const raw =
    library.audience === 'all' ? `/-/raw?url=${encodeURIComponent(thread.url)}` : undefined
  const first = page === 1 ? commentCard(thread, context, 'opened this', 'opened') : ''
  const body = html`${threadHead(thread, kind, facts, tabs)}
<div class="columns">
<div class="timeline"${total > ITEMS && !request.isStatic ? html` data-at` : ''}>
${pager.nav()}
<ol class="items">${first}
${timeline(items, context)}</ol>
${thread.kind === 'discussion' && total === 0 ? html`<p class="muted note">Archives hold no comments of discussions.</p>` : ''}
${pager.nav('Pages, below')}
</div>
${threadAside(thread, facts, { repository, base, raw, localPath: context.localPath })}
</div>`
  return {
    title: `${titleOf(thread.title)} #${thread.number}`,
    body,
    repository,
    tab: kind,
    prev: pager.prev,
    next: pager.next,
    raw,
    source: sourceOf(facts, thread),
  }
}

/** Milliseconds within which events of one person are one line. */
const TOGETHER = 3_600_000

/** A line of a timeline; one that is minor may be folded. */
interface Line {
  readonly html: Html
  readonly isMinor: boolean
}

/** Items as HTML: events of one person within an hour are one line, and of many lines in a row those in the middle are folded. */
function timeline(items: readonly Item[], context: ThreadContext): Html[] {
  const lines: Line[] = []
  const add = (html: Html, isMinor = false) => lines.push({ html, isMinor })
  for (let i = 0; i < items.length; i++) {
    const item = items[i] as Item
    if (item.kind === 'comment') add(commentCard(item, context, commentInWords(item)))
    else if (item.kind === 'review') add(reviewItem(item, context))
    else if (item.kind === 'review_thread') {
      add(html`<li class="event review"><span class="dot">${icon('comment')}</span>
<p>Comments on lines, whose review is not in the archive</p>${reviewThread(item, context)}</li>`)
    } else {
      const run = [item]
      for (
        let next = items[i + 1];
        next?.kind === 'event' && belongs(run, next);
        next = items[i + 1]
      ) {
        run.push(next)
        i++
      }
      add(eventLine(run, context), !run.some(({ event }) => MAJOR.has(event)))
    }
  }
  return folded(lines)
}

/** Events that change the state of a thread, which must stand out. */
const MAJOR = new Set(['closed', 'merged', 'reopened'])
/** Minor lines in a row that are shown as they are. */
const MOST_IN_A_ROW = 5
/** Lines before and after those that are folded. */
const BEFORE = 2
const AFTER = 1

function folded(lines: readonly Line[]): Html[] {
  const shown: Html[] = []
  for (let start = 0; start < lines.length; ) {
    let end = start
    while (lines[end]?.isMinor) end++
    const row = lines.slice(start, Math.max(end, start + 1)).map(({ html: line }) => line)
    start += row.length
    if (row.length <= MOST_IN_A_ROW) shown.push(...row)
    else {
      const middle = row.slice(BEFORE, -AFTER)
      const more = html`<li class="event folded"><span class="dot">${icon('dot-fill')}</span><details><summary>${plural(middle.length, 'more event')}</summary><ol class="items">${middle}</ol></details></li>`
      shown.push(...row.slice(0, BEFORE), more, ...row.slice(-AFTER))
    }
  }
  return shown
}

/** Events that may share a line with others. */
const SHARED = new Set([
  'labeled',
  'unlabeled',
  'assigned',
  'milestoned',
  'demilestoned',
  'unassigned',
  'subscribed',
  'mentioned',
])

function belongs(run: readonly EventItem[], next: EventItem): boolean {
  const last = run.at(-1) as EventItem
  if (last.event === 'merged' && next.event === 'closed') return true
  const apart = Date.parse(next.created_at ?? '') - Date.parse(last.created_at ?? '')
  return (
    next.author === last.author &&
    apart < TOGETHER &&
    SHARED.has(next.event) &&
    SHARED.has(last.event)
  )
}

function sourceOf({ place }: Surroundings, thread: Thread): Html | undefined {
  if (!place) return undefined
  const { archive, entry, record, exported } = place
  return html`From ${isolated(archive)}${entry === null ? '' : html`, record ${formatNumber(record ?? 0)} of ${isolated(entry)}`}${exported === null || thread.url === '' ? '' : html` · exported ${when(exported)}`}`
}
