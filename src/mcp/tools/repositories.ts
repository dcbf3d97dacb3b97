import type { Repository } from '../../reading/library.ts'
import { readRepositoryFacts } from '../../reading/repository-facts.ts'
import { readRepositoryRecord } from '../../reading/repository-record.ts'
import { count, flag, listOf, NEXT_CURSOR, object, PAGING, text, textOrNull } from '../schemas.ts'
import { defineTool } from '../tool.ts'
import { nameOrNull, pageOf, shortName } from '../writing.ts'

const MOST = 200

const LISTED = object({
  name: text('owner/name'),
  url: text('Its address on the host'),
  private: flag('Whether only members could see it'),
  archived: flag('Whether it was read-only'),
  description: textOrNull('What its owner says of it'),
  default_branch: textOrNull('The branch that it begins with'),
  issues: count('Issues'),
  open_issues: count('Open issues'),
  pull_requests: count('Pull requests'),
  open_pull_requests: count('Open pull requests'),
  discussions: count('Discussions'),
  releases: count('Releases'),
  has_record: flag('Whether the archive has its record; otherwise other records name it'),
  has_git: flag('Whether its Git data can be read'),
  has_wiki: flag('Whether the Git data of its wiki can be read'),
})

export const listRepositories = defineTool<{ cursor?: string }>({
  title: 'List repositories',
  description:
    'Lists the repositories of the archive with counts of their threads, and whether their Git data are there. Call it first: other tools take these names.',
  input: PAGING,
  output: {
    total: count('Repositories'),
    repositories: listOf(LISTED, 'In the order of their names'),
    next_cursor: NEXT_CURSOR,
  },
  run({ cursor }, { library, bytes }) {
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
  },
})

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
