import type { Check } from '../../rules/rule.ts'
import { recordsWhere } from '../../rules/sql/record-select.ts'

/** Repositories and the records in them. */
export const repositoryChecks: readonly Check[] = [
  {
    code: 'git-none',
    severity: 'note',
    summary: 'This is a metadata archive: an importer needs another one with Git data',
    evidence: 'documented',
    source: 'host documentation',
    run(database, faults) {
      const git = database.prepare("SELECT 1 FROM files WHERE role = 'git' LIMIT 1").get()
      const one = database.prepare('SELECT 1 FROM repositories LIMIT 1').get()
      if (one && !git) faults.add({ message: 'there is no Git data' })
    },
  },
  {
    code: 'git-empty',
    severity: 'warning',
    summary: 'Pull requests need commits, and the Git data of this repository has none',
    evidence: { seenIn: '7 exports with Git data' },
    source: 'observed in real exports',
    run: (_, faults) =>
      faults.addAll(
        recordsWhere(
          'repositories',
          `${isGit('o.git_url')} AND ${hasGit('o.git_url')} AND NOT ${hasGit('o.git_url', OBJECTS)}
             AND EXISTS (SELECT 1 FROM pull_requests AS p WHERE p.repository = o.url)`,
          `'no objects in ' || o.git_url`,
        ),
      ),
  },
  {
    code: 'protected-branch',
    severity: 'note',
    summary: 'Importers are known to fail on protected branches: if yours does, leave them out',
    evidence: 'documented',
    source: "importer's error message: LoadProtectedBranchJob failed",
    run: (_, faults) =>
      faults.addAll(recordsWhere('protected_branches', '1', "'protects ' || coalesce(o.name, '')")),
  },
  {
    code: 'comment-same-time',
    severity: 'warning',
    summary:
      'An importer keeps only one of several comments in a thread with the same person and date',
    evidence: 'documented',
    source: "users' reports of imports",
    run: (_, faults) =>
      faults.addAll(
        // Sorts only rowids, by the most selective column first, and scans the table: looking rows up through the index
        // of users would be slower.
        `SELECT 'issue_comments' AS kind, url, _entry AS entry, _record_number AS record,
           times || ' comments with the date ' || created_at AS message FROM (
             SELECT max(rowid) AS last, count(*) AS times
             FROM issue_comments NOT INDEXED WHERE "user" IS NOT NULL
             GROUP BY created_at, "user", coalesce(issue, pull_request) HAVING times > 1)
         JOIN issue_comments ON issue_comments.rowid = last`,
      ),
  },
]

const PREFIX = 'tarball://root/repositories/'

/** SQL for whether this is the address of a Git directory. */
function isGit(address: string): string {
  return `coalesce(${address} GLOB '${PREFIX}*.git', 0)`
}

// In packs, or loose.
const OBJECTS = "(path GLOB '*.git/objects/pack/*.pack' OR path GLOB '*.git/objects/??/*')"

/** SQL for whether that directory has files, or files that match. */
function hasGit(address: string, which = '1'): string {
  return `EXISTS (SELECT 1 FROM files WHERE ${which} AND repository =
    substr(${address}, ${PREFIX.length + 1}, length(${address}) - ${PREFIX.length + 4}))`
}
