import type { Thread } from '../../thread/thread.ts'
import { type Html, type HtmlValue, html, isolated, outwardHref } from '../html.ts'
import { icon } from '../icons.ts'
import type { Repository } from '../read/library.ts'
import { labelsOf } from '../read/lists.ts'
import type { LinkedThread, ThreadFacts } from '../read/thread-facts.ts'
import { avatar, labelPill, pathTo, personWithAvatar, plural, stateOf } from './elements.ts'
import { verdictOf } from './review.ts'

/** The sidebar of a thread: reviewers, assignees, labels, milestone, links. */
export function threadAside(
  thread: Thread,
  facts: ThreadFacts,
  { repository, base, raw }: { repository: Repository; base: string; raw: string | undefined },
): Html {
  const known = [...labelsOf(repository).values()]
  const labels = thread.labels.map(
    (name) =>
      known.find((label) => label.name === name) ?? {
        ...{ url: '', name, color: undefined, description: undefined },
      },
  )
  const pending = (thread.pull_request?.review_requests ?? []).filter(
    (login) => !facts.reviewers.some(({ author }) => author === login),
  )
  const { milestone, participants } = facts
  return html`<aside aria-label="About this thread">
${section('Reviewers', [
  ...facts.reviewers.map(({ author, state }) => {
    const { icon: sign, tone, did } = verdictOf(state)
    return html`<p class="row">${personWithAvatar(author)} <span class="verdict ${tone}" title="${did}">${icon(sign)}<span class="hidden">${did}</span></span></p>`
  }),
  ...pending.map(
    (login) =>
      html`<p class="row">${personWithAvatar(login)} <span class="verdict" title="requested">${icon('dot-fill')}<span class="hidden">requested</span></span></p>`,
  ),
])}
${section(
  'Assignees',
  thread.assignees.map((login) => html`<p>${personWithAvatar(login)}</p>`),
)}
${section('Labels', labels.length === 0 ? [] : [html`<p class="labels">${labels.map((label) => html`${labelPill(label, base)} `)}</p>`])}
${section('Milestone', milestone === undefined ? [] : [html`<p><a href="${base}/milestone/${milestone.number}"><b>${isolated(milestone.title)}</b></a> ${milestone.closed} of ${milestone.open + milestone.closed} done</p>${progressBar(milestone.closed, milestone.open + milestone.closed)}`])}
${section(
  'Closes',
  facts.closes.map((one) => linked(one, base)),
)}
${section(
  'Closed by',
  facts.closedBy.map((one) => linked(one, base)),
)}
${section(plural(participants.length, 'participant'), participants.length === 0 ? [] : [html`<ul class="faces">${participants.map((login) => html`<li><a href="${pathTo(login)}" title="${login}">${avatar(login, 'medium')}<span class="hidden">${login}</span></a></li>`)}</ul>`])}
<ul class="elsewhere">
${raw === undefined ? '' : html`<li><a href="${raw}" data-raw>${icon('file-code')} Raw record</a></li>`}
${outward(thread.url)}
</ul>
</aside>`
}

const section = (title: string, content: readonly HtmlValue[]): Html =>
  content.length === 0 ? html`` : html`<section><h2>${title}</h2>${content}</section>`

function linked({ number, title, state, kind }: LinkedThread, base: string): Html {
  const { icon: sign, word, name } = stateOf(kind, { state })
  return html`<p class="linked"><span class="tone-${name}" title="${word}">${icon(sign)}</span><span class="hidden">${word}: </span> <a href="${base}/${kind === 'issues' ? 'issues' : 'pull'}/${number}">${isolated(title)} #${number}</a></p>`
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
