import { unlessUnreadable } from '../../git/open-git.ts'
import { changesOfPull } from '../../reading/git/pull-requests.ts'
import { pullRange } from '../../reading/git/repository-git.ts'
import type { Repository } from '../../reading/library.ts'
import { type Html, html } from '../html.ts'
import { icon } from '../icons.ts'
import { counter } from './elements.ts'

/** Conversation, commits and changed files of a pull request. */
export function pullTabs(
  repository: Repository,
  url: string,
  path: string,
  current: 'conversation' | 'commits' | 'files',
): Html {
  const range = unlessUnreadable(() => pullRange(repository, url))
  const files = range && unlessUnreadable(() => changesOfPull(range))?.files.length
  const tabs = [
    ['conversation', path, 'Conversation', 'comment-discussion', undefined],
    ['commits', `${path}/commits`, 'Commits', 'git-commit', range?.commits.length],
    ['files', `${path}/files`, 'Files changed', 'file-diff', files],
  ] as const
  return html`<nav class="sub-tabs" aria-label="Parts of this pull request">${tabs.map(
    ([name, to, words, sign, count]) =>
      html`<a href="${to}"${name === current ? html` aria-current="page"` : ''}>${icon(sign)} ${words}${count === undefined ? '' : html` ${counter(count)}`}</a>`,
  )}</nav>`
}
