import type { Repository } from '../../reading/library.ts'
import { readRepositoryFacts } from '../../reading/repository-facts.ts'
import { readRepositoryRecord } from '../../reading/repository-record.ts'
import type { Answer, Asked } from '../tool.ts'
import { nameOrNull, pageOf, shortName } from '../writing.ts'

const MOST = 200

function describe(repository: Repository) {
  const { store, url, fullName, isPrivate, git, wiki } = repository
  const facts = readRepositoryFacts(store, url)
  const record = readRepositoryRecord(repository)
  return {
    name: shortName(fullName),
    url: shortName(url),
    private: isPrivate,
    archived: record?.isArchived ?? false,
    description: nameOrNull(record?.description ?? null),
    default_branch: nameOrNull(record?.defaultBranch || null),
    issues: facts?.issues ?? 0,
    open_issues: facts?.openIssues ?? 0,
    pull_requests: facts?.pullRequests ?? 0,
    open_pull_requests: facts?.openPullRequests ?? 0,
    discussions: facts?.discussions ?? 0,
    releases: facts?.releases ?? 0,
    has_record: record !== undefined,
    has_git: git !== undefined,
    has_wiki: wiki !== undefined,
  }
}

export function listRepositories(
  { cursor }: { cursor?: string },
  { library, bytes }: Asked,
): Answer {
  const all = library.repositories()
  const { items, next_cursor } = pageOf(
    { total: all.length, cursor, bytes, most: MOST },
    (offset, limit) => all.slice(offset, offset + limit),
    describe,
  )
  return {
    summary: `${items.length} of ${all.length} repositories.`,
    total: all.length,
    repositories: items,
    next_cursor,
  }
}
