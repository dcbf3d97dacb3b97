import type { Database } from '../../database/open-database.ts'
import { readPages } from '../../database/read-pages.ts'
import type { KindName } from '../../records/kinds/kinds.ts'
import type { Check, GivenFault } from '../../rules/rule.ts'
import { COMMIT_ID } from '../../rules/sql/record-select.ts'
import { type CommitLookup, createCommitLookup } from './known-commits.ts'

const PAGE = 10_000
// The rule `commit-id` reports other texts.
const isId = (oid: string) => `octet_length(${oid}) = 40 AND ${oid} GLOB '${COMMIT_ID}'`

interface Row {
  repository: string | null
  oid: string
  url: string | null
  entry: string | null
  record: number | null
}

/** SQL for a member that names a commit, and for the URL of the repository that should have it. */
interface NamedCommit {
  kind: KindName
  member: string
  repository: string
  oid: string
  /** Only in records that match this condition. */
  where?: string
}

const REPOSITORY = 'repository'

/** Reports commits that records name and the Git data lack. */
const unknownCommits = (...members: readonly NamedCommit[]): Pick<Check, 'needs' | 'run'> => ({
  needs: 'pack-indexes',
  run(database, faults) {
    const has = createCommitLookup(database)
    for (const member of members) faults.addEach(() => eachUnknown(database, has, member))
  },
})

function* eachUnknown(
  database: Database,
  has: CommitLookup,
  { kind, member, repository, oid, where = '1' }: NamedCommit,
): Generator<GivenFault> {
  const pages = readPages<Row>(database, {
    columns: `${repository} AS repository, ${oid} AS oid, url, _entry AS entry, _record_number AS record`,
    from: kind,
    where: `${isId(oid)} AND ${where}`,
    size: PAGE,
  })
  for (const rows of pages) {
    // Sorted by ID, so that large indexes are read from start to end.
    const unknown = rows
      .toSorted((a, b) => (a.oid < b.oid ? -1 : 1))
      .filter(({ repository, oid }) => repository !== null && has(repository, oid) === false)
    for (const row of unknown.sort((a, b) => (a.position < b.position ? -1 : 1))) {
      const { oid, url, entry, record } = row
      yield { kind, url, entry, record, message: `${member}: Git has no commit ${oid}` }
    }
  }
}

const pullMember = (member: string, oid: string, where?: string): NamedCommit => ({
  kind: 'pull_requests',
  member,
  oid,
  repository: REPOSITORY,
  ...(where && { where }),
})

const commitOf = (kind: KindName, oid: string): NamedCommit => ({
  kind,
  oid,
  member: oid,
  repository: REPOSITORY,
})

/** Commits that must be in the Git data. Reports nothing if these were loaded without their contents. */
export const gitCommitChecks: readonly Check[] = [
  {
    code: 'pull-commit',
    severity: 'warning',
    summary: 'A pull request whose commits are not in the Git data shows no changes',
    evidence: { seenIn: '7 exports with Git data' },
    source: 'observed in real exports, where refs/pull/ keeps them',
    ...unknownCommits(
      pullMember('base.sha', 'base_sha'),
      pullMember('head.sha', 'head_sha'),
      // Until then it is the commit of a test merge.
      pullMember('merge_commit_sha', 'merge_commit_sha', 'merged_at IS NOT NULL'),
    ),
  },
  {
    code: 'thread-commit',
    severity: { gei: 'warning', 'ghe-migrator': 'warning', strict: 'error' },
    summary:
      'A review thread whose commit is not in the Git data is not imported: keep it with a ref',
    evidence: 'documented',
    source: "importer's error message REVIEW_THREAD_MISSING_END_COMMIT_OID",
    ...unknownCommits(commitOf('pull_request_review_threads', 'commit_id')),
  },
  {
    code: 'review-commit',
    severity: 'note',
    summary: 'A review of commits that are not in the Git data is shown without the code',
    evidence: { seenIn: '7 exports with Git data' },
    source: 'observed in real exports',
    ...unknownCommits(
      commitOf('pull_request_reviews', 'head_sha'),
      commitOf('pull_request_review_comments', 'commit_id'),
    ),
  },
  {
    code: 'comment-commit',
    severity: 'warning',
    summary: 'A comment on a commit that is not in the Git data is not imported',
    evidence: 'documented',
    source: "importer's warnings",
    ...unknownCommits(commitOf('commit_comments', 'commit_id')),
  },
  {
    code: 'event-commit',
    severity: 'note',
    summary: 'An event that names a commit which is not in the Git data links to nothing',
    evidence: { seenIn: '7 exports with Git data' },
    source: 'observed in real exports, which name commits of forks as well',
    ...unknownCommits({
      ...commitOf('issue_events', 'commit_id'),
      repository: 'coalesce(commit_repository, repository)',
    }),
  },
]
