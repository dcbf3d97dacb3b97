import type { ListName, ThreadRow } from '../../reading/threads/list-threads.ts'
import { type Html, html, isolated } from '../html.ts'
import { icon } from '../icons.ts'
import { avatar, bounded, labelPill, person, stateOf, titleHtml, when } from './elements.ts'

/** Labels of a row. */
const LABELS = 20

/** Threads as rows of a list. */
export function threadList(rows: readonly ThreadRow[], kind: ListName, base: string): Html {
  return html`<ul class="rows">${rows.map((row) => threadRow(row, kind, base))}</ul>`
}

/**
 * A thread as a row of a list.
 *
 * @param where the text before its number
 */
export function threadRow(row: ThreadRow, kind: ListName, base: string, where?: string): Html {
  const { icon: sign, word, name } = stateOf(kind, row)
  const path = `${base}/${kind === 'pulls' ? 'pull' : kind}/${row.number}`
  const labels = bounded(row.labels, LABELS, (label) => html`${labelPill(label, base)} `)
  return html`<li class="row-thread"><span class="tone-${name}" title="${word}">${icon(sign)}</span>
<div><h2><span class="hidden">${word}: </span><a href="${path}">${titleHtml(row.title)}</a></h2>${row.labels.length === 0 ? '' : html` <span class="labels">${labels}</span>`}
<p class="meta">${where === undefined ? '' : isolated(where)}#${row.number} ${kind === 'discussions' ? 'started' : 'opened'} ${when(row.created_at)} by ${person(row.author)}${closing(row)}${row.milestone === null ? '' : html` · <span class="joined">${icon('milestone')} ${isolated(row.milestone)}</span>`}${row.category === null ? '' : html` · ${isolated(row.category)}`}</p></div>
<span class="faces">${row.assignees.slice(0, 3).map((login) => html`<span title="assigned to ${login}">${avatar(login, 'small')}</span>`)}</span>
<span class="talk">${row.comments === 0 ? '' : html`${icon('comment')} ${row.comments}<span class="hidden"> comments</span>`}</span></li>`
}

function closing({ merged_at, closed_at }: ThreadRow): Html {
  if (merged_at !== null) return html` · merged ${when(merged_at)}`
  return closed_at === null ? html`` : html` · closed ${when(closed_at)}`
}
