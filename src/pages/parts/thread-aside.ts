import { lastPart } from '../../base/text.ts'
import { type Label, listLabels } from '../../reading/labels.ts'
import type { Repository } from '../../reading/library.ts'
import type { Thread } from '../../reading/threads/thread.ts'
import type { LinkedThread } from '../../reading/threads/thread-facts.ts'
import { type Html, type HtmlValue, html, isolated, outwardHref } from '../html.ts'
import { icon } from '../icons.ts'
import type { Surroundings } from '../read/surroundings.ts'
import type { ThreadContext } from './card.ts'
import {
  avatar,
  bounded,
  labelPill,
  pathTo,
  personWithAvatar,
  plural,
  stateOf,
  titleHtml,
} from './elements.ts'
import { verdictOf } from './review.ts'

/** People and labels of a section. */
const MOST = 100

/** The sidebar of a thread: reviewers, assignees, labels, milestone, links. */
export function threadAside(
  thread: Thread,
  facts: Surroundings,
  {
    repository,
    base,
    raw,
    localPath,
  }: {
    repository: Repository
    base: string
    raw: string | undefined
    localPath: ThreadContext['localPath']
  },
): Html {
  const { labels } = thread
  const known = new Map(listLabels(repository).map((label) => [label.name, label]))
  const labelOf = (name: string): Label =>
    known.get(name) ?? { url: '', name, color: null, description: null }
  const pending = thread.pull_request?.review_requests ?? []
  const { milestone, participants, participantCount } = facts
  const all = milestone === undefined ? 0 : milestone.openThreads + milestone.closedThreads
  const closedBy = facts.closedBy.filter(({ how }) => how === 'closed')
  const mayClose = facts.closedBy.filter(({ how }) => how !== 'closed')
  return html`<aside aria-label="About this thread">
${section('Reviewers', [
  ...facts.reviewers.map(({ author, state }) => {
    const { icon: sign, tone, did } = verdictOf(state)
    return html`<p class="row">${personWithAvatar(author)} <span class="verdict ${tone}" title="${did}">${icon(sign)}<span class="hidden">${did}</span></span></p>`
  }),
  ...(pending.length === 0
    ? []
    : [
        bounded(
          pending,
          MOST,
          (login) =>
            html`<p class="row">${personWithAvatar(login)} <span class="verdict" title="requested">${icon('dot-fill')}<span class="hidden">requested</span></span></p>`,
        ),
      ]),
])}
${section(
  'Assignees',
  thread.assignees.length === 0
    ? []
    : [bounded(thread.assignees, MOST, (login) => html`<p>${personWithAvatar(login)}</p>`)],
)}
${section('Labels', labels.length === 0 ? [] : [html`<p class="labels">${bounded(labels, MOST, (name) => html`${labelPill(labelOf(name), base)} `)}</p>`])}
${thread.locked ? section('Locked', [html`<p>${thread.lock_reason ?? 'Only collaborators may comment'}</p>`]) : ''}
${section('Milestone', milestone === undefined ? missingMilestone(thread) : [html`<p><a href="${base}/milestone/${milestone.number ?? 0}"><b>${isolated(milestone.title ?? '')}</b></a> ${milestone.closedThreads} of ${all} done</p>${progressBar(milestone.closedThreads, all)}`])}
${section(
  'Closes',
  facts.closes.map((one) => linked(one, localPath)),
)}
${section(
  'Closed by',
  closedBy.map((one) => linked(one, localPath)),
)}
${section(
  'May be closed by',
  mayClose.map((one) => linked(one, localPath)),
)}
${section(plural(participantCount, 'participant'), participants.length === 0 ? [] : [html`<ul class="faces">${participants.map((login) => html`<li><a href="${pathTo(login)}" title="${login}">${avatar(login, 'medium')}<span class="hidden">${login}</span></a></li>`)}</ul>`])}
<ul class="elsewhere">
${raw === undefined ? '' : html`<li><a href="${raw}" data-raw>${icon('file-code')} Raw record</a></li>`}
${outward(thread.url)}
</ul>
</aside>`
}

/** The number of a milestone without a record. */
function missingMilestone({ milestone_url }: Thread): Html[] {
  if (milestone_url === null) return []
  const number = lastPart(milestone_url)
  return [html`<p>milestone ${isolated(number)}, not in the archive</p>`]
}

const section = (title: string, content: readonly HtmlValue[]): Html =>
  content.length === 0 ? html`` : html`<section><h2>${title}</h2>${content}</section>`

function linked(
  { url, number, title, state, kind }: LinkedThread,
  localPath: ThreadContext['localPath'],
): Html {
  const { icon: sign, word, name } = stateOf(kind === 'issue' ? 'issues' : 'pulls', { state })
  return html`<p class="linked"><span class="tone-${name}" title="${word}">${icon(sign)}</span><span class="hidden">${word}: </span> <a href="${localPath(url) ?? ''}">${titleHtml(title)} #${number}</a></p>`
}

/** The address on the host: the only link of ours that leaves the archive. */
export function outward(url: string): Html {
  const href = outwardHref(url)
  return href === undefined
    ? html``
    : html`<li><a href="${href}" rel="noreferrer nofollow">${icon('link-external')} Where it was on the host</a></li>`
}

/** A progress bar; the numbers are next to it. */
export function progressBar(done: number, all: number): Html {
  const width = all === 0 ? 0 : Math.round((done / all) * 100)
  return html`<svg class="bar" width="100%" height="8" role="img" aria-label="${width} % done"><rect class="rest" width="100%" height="8" rx="4"/><rect class="done" width="${width}%" height="8" rx="4"/></svg>`
}
