import { changedFiles } from '../../git/diff/compare-trees.ts'
import { readCommit } from '../../git/history/walk-commits.ts'
import { isBroken } from '../../git/objects/git-object.ts'
import { type Html, html } from '../html.ts'
import { icon } from '../icons.ts'
import type { Repository } from '../read/library.ts'
import { type PullRange, pullRange } from '../read/pull-diff.ts'
import { counter } from './elements.ts'

/** Files that are counted. */
const MOST = 3_000

/** Conversation, commits and changed files of a pull request. */
export function pullTabs(
  repository: Repository,
  url: string,
  path: string,
  current: 'conversation' | 'commits' | 'files',
): Html {
  const range = pullRange(repository, url)
  const files = range && countFiles(repository, url, range)
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

function countFiles({ store }: Repository, url: string, range: PullRange): number | undefined {
  const { git, base, head } = range
  return store.remember(`pull files ${url}`, (): { count: number | undefined } => {
    try {
      const treeOf = (oid: string) => readCommit(git.objects, oid).tree
      let count = 0
      for (const _ of changedFiles(git.objects, base && treeOf(base), treeOf(head))) {
        if (++count === MOST) break
      }
      return { count }
    } catch (error) {
      if (isBroken(error)) return { count: undefined }
      throw error
    }
  }).count
}
