import { colorOf } from '../../reading/labels.ts'
import type { EventItem } from '../../reading/threads/event-item.ts'
import { wordsElsewhere } from '../../reading/threads/event-sentences.ts'
import { type Html, html, isolated, joinHtml } from '../html.ts'
import { type IconName, icon } from '../icons.ts'
import { anchorOf, permanent, type ThreadContext } from './card.ts'
import { clock, labelPill, person, personWithAvatar, plural } from './elements.ts'

const ICONS: Readonly<Record<string, IconName>> = {
  assigned: 'person',
  unassigned: 'person',
  added_to_project: 'project',
  base_ref_changed: 'git-branch',
  base_ref_force_pushed: 'repo',
  closed: 'skip',
  comment_deleted: 'trash',
  connected: 'link',
  convert_to_draft: 'git-pull-request-draft',
  demilestoned: 'milestone',
  disconnected: 'link',
  head_ref_deleted: 'git-branch',
  head_ref_force_pushed: 'repo',
  head_ref_restored: 'git-branch',
  labeled: 'tag',
  unlabeled: 'tag',
  locked: 'lock',
  unlocked: 'unlock',
  mentioned: 'mail',
  merged: 'git-merge',
  milestoned: 'milestone',
  pinned: 'pin',
  ready_for_review: 'eye',
  referenced: 'git-commit',
  renamed: 'pencil',
  reopened: 'issue-reopened',
  review_dismissed: 'x',
  review_requested: 'eye',
  review_request_removed: 'eye',
  subscribed: 'eye',
  transferred: 'cross-reference',
}

/** Events of one person, one after another, as one line of a timeline. The line of a run opens to show each event with its time. */
export function eventLine(events: readonly EventItem[], context: ThreadContext): Html {
  const [first] = events as [EventItem]
  const last = events.at(-1) as EventItem
  const anchor = anchorOf(first.url)
  const groups = merged(events)
  const isRun = first.event !== 'merged' && events.length > 1
  return html`<li class="event"${idOf(first)}><span class="dot ${toneOf(first.event)}">${icon(ICONS[first.event] ?? 'dot-fill')}</span>
<p>${isRun ? '' : events.slice(1).map((event) => html`<span${idOf(event)}></span>`)}${personWithAvatar(first.author)} ${sentence(groups, context)} ${permanent(anchor, last.created_at)}</p>${isRun ? eachEvent(events, context) : ''}</li>`
}

const idOf = ({ url }: EventItem): Html => {
  const anchor = anchorOf(url)
  return anchor === undefined ? html`` : html` id="${anchor}"`
}

function eachEvent(events: readonly EventItem[], context: ThreadContext): Html {
  const line = (event: EventItem, position: number) =>
    html`<li${position === 0 ? '' : idOf(event)}>${merged([event]).map((group) => groupHtml(group, context))} ${permanent(anchorOf(event.url), event.created_at, clock)}</li>`
  return html` <details class="run"><summary>${plural(events.length, 'event')}</summary><ol>${events.map(line)}</ol></details>`
}

/** Groups that the line of a run names. */
const MOST_NAMED = 4

function sentence(groups: readonly Group[], context: ThreadContext): Html {
  const shown = groups.slice(0, groups.length > MOST_NAMED ? MOST_NAMED - 1 : MOST_NAMED)
  const rest = groups.length - shown.length
  const parts = shown.map((group) => groupHtml(group, context))
  if (rest > 0) parts.push(html`made ${plural(rest, 'more change')}`)
  return html`${parts.map((part, i) => html`${i === 0 ? '' : i === parts.length - 1 ? ' and ' : ', '}${part}`)}`
}

function toneOf(event: string): string {
  if (event === 'merged') return 'merged'
  if (event === 'closed') return 'closed'
  return event === 'reopened' ? 'open' : ''
}

interface Group {
  readonly event: EventItem
  readonly labels: Html[]
  count: number
}

/** Labels that were added or removed one after another share one verb, and events that name nothing are counted. */
function merged(events: readonly EventItem[]): Group[] {
  const groups: Group[] = []
  for (const event of events) {
    const before = groups.at(-1)
    // A merge is a closing as well.
    if (event.event === 'closed' && before?.event.event === 'merged') continue
    const isLabel = event.event === 'labeled' || event.event === 'unlabeled'
    const alike = groups.find((group) => group.event.event === event.event && namesNothing(event))
    if (alike) alike.count++
    else if (isLabel && before?.event.event === event.event) before.labels.push(labelOf(event))
    else groups.push({ event, labels: isLabel ? [labelOf(event)] : [], count: 1 })
  }
  return groups
}

const namesNothing = ({ parts }: EventItem): boolean =>
  parts.every((part) => typeof part === 'string')

function labelOf({ row }: EventItem): Html {
  const { label, label_name: name, label_color: color } = row
  return labelPill({
    url: label ?? '',
    name: name ?? 'a label',
    color: colorOf(color),
    description: null,
  })
}

function groupHtml({ event, labels, count }: Group, context: ThreadContext): Html {
  if (labels.length > 0) {
    const verb = event.event === 'labeled' ? 'added' : 'removed'
    return html`${verb} ${joinHtml(labels, html` `)}`
  }
  const words = event.parts.map((part) =>
    typeof part === 'string' ? part : fieldHtml(part.field, part.text, event, context),
  )
  return html`${words}${count > 1 ? ` ${plural(count, 'time')}` : ''}`
}

function fieldHtml(
  field: string,
  text: string,
  { row }: EventItem,
  { localPath, base, markdown, hides }: ThreadContext,
): Html {
  const value = row[field as keyof typeof row]
  if (typeof value === 'string' && hides(value)) return elsewhere(value)
  switch (field) {
    case 'commit_id':
    case 'before_commit_oid':
    case 'after_commit_oid': {
      const oid = row[field]
      const path =
        typeof oid === 'string'
          ? markdown.reference({ kind: 'commit', repository: undefined, oid })
          : undefined
      const name = html`<code class="ref">${text}</code>`
      return path === undefined ? name : html`<a href="${path}">${name}</a>`
    }
    case 'subject':
    case 'referencing_pull_request': {
      const url = row[field]
      const path = typeof url === 'string' ? localPath(url) : undefined
      if (path === undefined) return html`<b>${isolated(text)}</b>`
      return /^\/[^/]+$/.test(path) ? person(text) : html`<a href="${path}">${isolated(text)}</a>`
    }
    case 'milestone_title':
    case 'milestone': {
      const path = typeof row.milestone === 'string' ? localPath(row.milestone) : undefined
      const name = html`<b>${isolated(text.replace(/^the /, ''))}</b>`
      return html`the ${path === undefined ? name : html`<a href="${path}">${name}</a>`}`
    }
    case 'ref':
      return html`<code class="ref">${isolated(text.replace(/^refs\/heads\//, ''))}</code>`
    case 'title_was':
    case 'title_is':
      return base === ''
        ? html`${text}`
        : html`${field === 'title_was' ? html`<del>${isolated(text)}</del>` : html`<b>${isolated(text)}</b>`}`
    default:
      return html`<b>${isolated(text)}</b>`
  }
}

/** Something that is not public, without its name. */
export const elsewhere = (url: string): Html => html`<b>${wordsElsewhere(url)}</b>`
