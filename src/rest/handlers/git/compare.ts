import { compareHistories } from '../../../git/history/compare-histories.ts'
import type { GitData } from '../../../git/open-git.ts'
import type { Commit } from '../../../git/parse/parse-commit.ts'
import { notFound } from '../../../http/http-error.ts'
import { changesBetween } from '../../../reading/git/changes.ts'
import { findCommit } from '../../../reading/git/revisions.ts'
import type { JsonObject } from '../../../records/json/json.ts'
import type { Handler } from '../../request-context.ts'
import { toCommit } from '../../resources/commits.ts'
import { pathInUrl } from '../../resources/git-objects.ts'
import { repositoryUrl } from '../../resources/repositories.ts'
import { renderingOf } from '../find-in-path.ts'
import { describeChanges } from './changes.ts'
import { commitNamed, inGitRepository } from './git-request.ts'

/** The revisions in `base...head`: branches, tags or commits, perhaps with the owner of this repository before them. */
function endsOf(git: GitData, owner: string, named: string): [Commit, Commit] {
  const at = named.indexOf('...')
  const ends = at < 0 ? [] : [named.slice(0, at), named.slice(at + 3)]
  const [base, head] = ends.map((end) =>
    commitNamed(git, end.startsWith(`${owner}:`) ? end.slice(owner.length + 1) : end),
  )
  if (!base || !head) throw notFound()
  return [base, head]
}

/** The changes of one commit since the merge base with another: commits in pages, and files with the first of them. */
export const compare: Handler = inGitRepository(async (context, repository, git) => {
  const rendering = renderingOf(context)
  const named = context.params.basehead ?? ''
  const [base, head] = endsOf(git, repository.fullName.split('/')[0] ?? '', named)
  const { bases, ahead, behind } = compareHistories(git.objects, base.oid, head.oid)
  const common = bases[0] === undefined ? undefined : findCommit(git, bases[0])
  if (!common) throw notFound()
  const { page, perPage } = context.page
  const oids = ahead.toReversed().slice((page - 1) * perPage, page * perPage)
  const commits = oids.flatMap((oid) => findCommit(git, oid) ?? [])
  const changes = page === 1 ? changesBetween(git, common.tree, head.tree).files : []
  const status =
    ahead.length === 0
      ? behind === 0
        ? 'identical'
        : 'behind'
      : behind === 0
        ? 'ahead'
        : 'diverged'
  const place = `compare/${pathInUrl(named)}`
  const body: JsonObject = {
    url: `${repositoryUrl(rendering, repository)}/${place}`,
    html_url: `${repository.url}/${place}`,
    permalink_url: `${repository.url}/compare/${base.oid}...${head.oid}`,
    base_commit: toCommit(rendering, repository, base),
    merge_base_commit: toCommit(rendering, repository, common),
    status,
    ahead_by: ahead.length,
    behind_by: behind,
    total_commits: ahead.length,
    commits: commits.map((commit) => toCommit(rendering, repository, commit)),
    files: await describeChanges(context, repository, git, changes, head.oid),
  }
  return { status: 200, body }
})
