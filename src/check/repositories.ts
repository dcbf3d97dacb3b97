import type { Check } from '../rules/rule.ts'
import { recordsWhere } from '../rules/sql/select-records.ts'

/** Repositories and what their records hold. */
export const repositoryChecks: readonly Check[] = [
  {
    code: 'git-none',
    severity: 'note',
    summary: 'This is an archive of metadata: an importer wants Git data from another one',
    evidence: 'documented',
    source: 'host documentation',
    run(database, faults) {
      const git = database.prepare("SELECT 1 FROM files WHERE role = 'git' LIMIT 1").get()
      const one = database.prepare('SELECT 1 FROM repositories LIMIT 1').get()
      if (one && !git) faults.add({ message: 'there are no Git data' })
    },
  },
  {
    code: 'git-empty',
    severity: 'warning',
    summary: 'Pull requests need commits, and the Git data of this repository have none',
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
]

const PREFIX = 'tarball://root/repositories/'

/** Whether this is the address of a Git directory, in SQL. */
function isGit(address: string): string {
  return `coalesce(${address} GLOB '${PREFIX}*.git', 0)`
}

// What is in a pack, or by itself.
const OBJECTS = "(path GLOB '*.git/objects/pack/*.pack' OR path GLOB '*.git/objects/??/*')"

/** Whether that directory has files, or such files. */
function hasGit(address: string, which = '1'): string {
  return `EXISTS (SELECT 1 FROM files WHERE ${which} AND repository =
    substr(${address}, ${PREFIX.length + 1}, length(${address}) - ${PREFIX.length + 4}))`
}
