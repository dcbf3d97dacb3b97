import type { ReviewThread, Text, TimelineItem } from '../../reading/threads/thread.ts'
import { type Html, html, isolated, joinHtml } from '../html.ts'
import { type IconName, icon } from '../icons.ts'
import { renderMarkdown } from '../markdown/render-markdown.ts'
import { type HunkLine, parseHunk } from '../read/hunk-lines.ts'
import { anchorOf, bodyOf, permanent, reactions, type ThreadContext } from './card.ts'
import { diffTable } from './diff-table.ts'
import { avatar, bounded, formatNumber, person, personWithAvatar } from './elements.ts'

type Review = Extract<TimelineItem, { kind: 'review' }>

const VERDICTS: Readonly<Record<string, { did: string; icon: IconName; tone: string }>> = {
  approved: { did: 'approved this', icon: 'check', tone: 'open' },
  changes_requested: { did: 'requested changes', icon: 'file-diff', tone: 'bad' },
  dismissed: { did: 'left a review, since dismissed', icon: 'x', tone: '' },
  pending: { did: 'began a review', icon: 'eye', tone: '' },
  commented: { did: 'reviewed this', icon: 'eye', tone: '' },
}

/** The mark of a verdict, for lists of reviewers. */
export const verdictOf = (state: string | null) =>
  VERDICTS[state ?? ''] ?? { did: 'reviewed this', icon: 'eye' as const, tone: '' }

/** A review: the verdict as a line, its text and threads below. */
export function reviewItem(review: Review, context: ThreadContext): Html {
  const { author, body, threads } = review
  const { did, icon: sign, tone } = verdictOf(review.state)
  const anchor = anchorOf(review.url)
  const hasText = body !== null && body.trim() !== ''
  const text = hasText
    ? html`<article class="card"><header><h2 class="line">${person(author)} <span class="did">wrote with the review</span></h2></header>
<div class="in">${bodyOf(review, context)}</div></article>`
    : ''
  return html`<li class="event review"${anchor === undefined ? '' : html` id="${anchor}"`}><span class="dot ${tone}">${icon(sign)}</span>
<p>${personWithAvatar(author)} <b>${did}</b> ${permanent(anchor, review.created_at)}</p>
${text}${bounded(threads, MOST_THREADS, (thread) => reviewThread(thread, context), lastLine)}</li>`
}

/** The contents of one review: places, comments on one of them, and lines before it. */
const MOST_THREADS = 100
const MOST_COMMENTS = 100
const MOST_LINES = 400

const lastLine = (words: string): Html => html`<p class="note-line">${words}</p>`

/** Lines of a hunk that show without a click. */
const SHOWN = 8

/** Comments on one place of a diff, below the lines that they are about. */
export function reviewThread(thread: ReviewThread, context: ThreadContext): Html {
  const { path, line, start_line, resolved_at, resolver, outdated } = thread
  const place = `${path ?? 'a file'}${line === null ? '' : `:${start_line === null || start_line === line ? '' : `${start_line}-`}${line}`}`
  const lines = thread.diff_hunk === null ? [] : parseHunk(thread.diff_hunk)
  const marks = [
    ...(outdated ? [html`<span class="pill-note">Outdated</span>`] : []),
    ...(resolved_at === null ? [] : [html`<span class="pill-line">Resolved</span>`]),
  ]
  const resolved =
    resolved_at === null
      ? ''
      : html`<p class="muted resolved">${icon('check')} ${person(resolver)} resolved this ${permanent(undefined, resolved_at)}</p>`
  const anchor = anchorOf(thread.url)
  return html`<details class="card thread"${resolved_at === null ? html` open` : ''}${anchor === undefined ? '' : html` id="${anchor}"`}><summary><h3 class="line"><code>${isolated(place)}</code></h3> ${joinHtml(marks, html` `)}</summary>
${hunk(lines, path, place)}
<div class="comments">${bounded(
    thread.comments,
    MOST_COMMENTS,
    (comment) => {
      const id = anchorOf(comment.url)
      return html`<article class="reply"${id === undefined ? '' : html` id="${id}"`}>${avatar(comment.author, 'medium')}<div><h4 class="line">${person(comment.author)} ${permanent(id, comment.created_at)}</h4>
${id?.startsWith('r') ? html`<span id="discussion_${id}"></span>` : ''}${replyBody(comment, context, lines, line, start_line)}</div></article>`
    },
    lastLine,
  )}${resolved}</div></details>`
}

function hunk(lines: readonly HunkLine[], path: string | null, place: string): Html {
  if (lines.length === 0) return html``
  const options = { path, marksLast: true, name: `Lines before ${place}` }
  if (lines.length <= SHOWN + 2) return diffTable(lines, options)
  const before = lines.slice(0, -SHOWN)
  const cutWords = before.length > MOST_LINES ? `, of which the last ${MOST_LINES} are shown` : ''
  return html`<details class="more"><summary>${formatNumber(before.length)} lines before${cutWords}</summary>${diffTable(before.slice(-MOST_LINES), { path, name: `Lines further before ${place}` })}</details>${diffTable(lines.slice(-SHOWN), options)}`
}

/** Characters of a comment with suggestions. GitHub allows 65,536. */
const LONGEST_BODY = 65_536

/** A comment of a review thread; suggestions in it are shown as a small diff. */
function replyBody(
  comment: Text,
  context: ThreadContext,
  lines: readonly HunkLine[],
  line: number | null,
  start: number | null,
): Html {
  const found = /(?:^|\n)```suggestion[^\n]*\r?\n([\s\S]*?)```[ \t]*(?:\r?\n|$)/.exec(
    comment.body ?? '',
  )
  const isLong = (comment.body ?? '').length > LONGEST_BODY
  if (!found || line === null || isLong) return bodyOf(comment, context, 4)
  const [whole, suggested = ''] = found
  const body = comment.body ?? ''
  const before = body.slice(0, found.index)
  const after = body.slice(found.index + whole.length)
  const first = start ?? line
  const removed = lines
    .filter(({ new: number }) => number !== undefined && number >= first && number <= line)
    .map(({ text, new: number }): HunkLine => ({ sign: '-', text, old: number, new: undefined }))
  const added = suggested
    .replace(/\r?\n$/, '')
    .split(/\r?\n/)
    .map((text, i): HunkLine => ({ sign: '+', text, old: undefined, new: first + i }))
  const rest = (text: string, part: string) =>
    text.trim() === ''
      ? ''
      : html`<div class="body" dir="auto">${renderMarkdown(text, { ...context.markdown, level: 4, idPrefix: `${anchorOf(comment.url) ?? ''}${part}-` })}</div>`
  const diff = diffTable([...removed, ...(suggested === '' ? [] : added)], {
    path: null,
    name: 'Suggested change',
  })
  return html`${rest(before, '')}<div class="suggestion"><p>Suggested change</p>${diff}</div>${rest(after, '-after')}${reactions(comment.reactions)}`
}
