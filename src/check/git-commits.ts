import type { KindName } from '../records/kinds.ts'
import type { Check } from './check.ts'
import { openCommitLookup } from './known-commits.ts'

const PAGE = 10_000
// What is shorter has a check of its own.
const SHA = 40

interface Row {
  rowid: number
  repository: string | null
  oid: string
  url: string | null
  entry: string | null
  record: number | null
}

/** Looks for the commit that each record of a kind names, where the Git data tell. */
function unknownCommits(kind: KindName, repository: string): Check['run'] {
  return (database, faults) => {
    const has = openCommitLookup(database)
    const page = database.prepare<[number], Row>(
      `SELECT rowid, ${repository} AS repository, commit_id AS oid, url, _entry AS entry,
         _record AS record
       FROM ${kind} WHERE rowid > ? AND length(commit_id) = ${SHA} ORDER BY rowid LIMIT ${PAGE}`,
    )
    for (let rows = page.all(0); rows.length > 0; rows = page.all(rows.at(-1)?.rowid ?? 0)) {
      // In the order of the names, so that pieces of large indexes are read one after the other.
      const unknown = rows
        .toSorted((a, b) => (a.oid < b.oid ? -1 : 1))
        .filter(({ repository, oid }) => repository !== null && has(repository, oid) === false)
      for (const row of unknown.sort((a, b) => a.rowid - b.rowid)) {
        const { oid, url, entry, record } = row
        faults.add({ kind, url, entry, record, message: `Git has no commit ${oid}` })
      }
    }
  }
}

/** Commits that must be in the Git data; quiet where these were loaded without their contents. */
export const gitCommitChecks: readonly Check[] = [
  {
    code: 'thread-commit',
    severity: { gei: 'warning', 'ghe-migrator': 'warning', strict: 'error' },
    summary: 'A review thread whose commit is not in the Git data is left out: keep it by a ref',
    source: "importer's error message REVIEW_THREAD_MISSING_END_COMMIT_OID",
    run: unknownCommits(
      'pull_request_review_threads',
      "substr(pull_request, 1, instr(pull_request, '/pull/') - 1)",
    ),
  },
  {
    code: 'comment-commit',
    severity: 'warning',
    summary: 'A comment on a commit that is not in the Git data is left out',
    source: "importer's warnings",
    run: unknownCommits('commit_comments', 'repository'),
  },
]
