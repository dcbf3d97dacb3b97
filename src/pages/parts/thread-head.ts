import type { PullRequest, Thread } from '../../reading/threads/thread.ts'
import { type Html, html, isolated } from '../html.ts'
import { icon } from '../icons.ts'
import type { Surroundings } from '../read/surroundings.ts'
import { person, plural, stateOf, titleHtml, when } from './elements.ts'

/** Title and state of a thread; of a pull request, the way to its parts. */
export function threadHead(
  thread: Thread,
  kind: 'issues' | 'pulls' | 'discussions',
  facts: Surroundings,
  tabs?: Html,
): Html {
  const { number, title, pull_request: pull } = thread
  const state = stateOf(kind, { state: thread.state, draft: pull?.draft ?? false })
  const comments = facts.participantCount
  return html`<div class="thread-head"><h1>${titleHtml(title)} <span class="number">#${number}</span></h1>
<p class="line"><span class="state ${state.name}">${icon(state.icon)} ${state.word}</span> <span class="said">${pull ? pullLine(thread, pull, facts) : html`${person(thread.author)} ${kind === 'discussions' ? 'started' : 'opened'} this on ${when(thread.created_at)}${thread.category === null ? '' : html` in <b>${isolated(thread.category)}</b>`} · ${plural(comments, 'participant')}`}</span></p>${tabs}</div>`
}

function pullLine(
  thread: Thread,
  { base, head, merged_at }: PullRequest,
  { merging, isHeadHidden }: Surroundings,
): Html {
  const from = isHeadHidden ? (head?.replace(/^[^:]*/, 'another repository') ?? null) : head
  const branch = (name: string | null) =>
    html`<code class="ref">${isolated(name ?? 'unknown')}</code>`
  if (merged_at !== null) {
    const who = merging ? html`${person(merging.by)} merged` : 'Merged'
    return html`${who} ${branch(from)} into ${branch(base)} on ${when(merged_at)}`
  }
  const did = thread.closed_at === null ? 'wants' : 'wanted'
  return html`${person(thread.author)} ${did} to merge ${branch(from)} into ${branch(base)}${thread.closed_at === null ? '' : html` · closed ${when(thread.closed_at)}`}`
}
