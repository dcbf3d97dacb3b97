import type { Check } from './check.ts'
import { recordsWhere } from './select-records.ts'

/** Repositories and what their records hold. */
export const repositoryChecks: readonly Check[] = [
  {
    code: 'wiki-url-empty',
    severity: 'error',
    summary: 'A repository without a wiki has no wiki_url at all: empty or null stops an importer',
    source: "importer's error message InvalidTarballUrl",
    run: (_, faults) =>
      faults.addAll(
        recordsWhere(
          'repositories',
          `o.wiki_url = '' OR (o.wiki_url IS NULL AND instr(o._members, '"wiki_url"') > 0)`,
          `'wiki_url is ' || iif(o.wiki_url IS NULL, 'null', 'empty')`,
        ),
      ),
  },
  {
    code: 'git-missing',
    severity: 'error',
    summary: 'Other repositories of the archive have Git data, but not this one',
    source: 'observed in real exports, which have Git data of all repositories or of none',
    run: (_, faults) =>
      faults.addAll(
        recordsWhere(
          'repositories',
          `${isGit('o.git_url')} AND NOT ${hasGit('o.git_url')}
             AND EXISTS (SELECT 1 FROM files WHERE role = 'git')
           OR ${isGit('o.wiki_url')} AND NOT ${hasGit('o.wiki_url')}
             AND EXISTS (SELECT 1 FROM files WHERE role = 'git')`,
          `'no Git data at ' || iif(${isGit('o.git_url')} AND NOT ${hasGit('o.git_url')}, o.git_url, o.wiki_url)`,
        ),
      ),
  },
  {
    code: 'git-none',
    severity: 'note',
    summary: 'This is an archive of metadata: an importer wants Git data from another one',
    source: 'host documentation',
    run(database, faults) {
      const git = database.prepare("SELECT 1 FROM files WHERE role = 'git' LIMIT 1").get()
      const one = database.prepare('SELECT 1 FROM repositories LIMIT 1').get()
      if (one && !git) faults.add({ message: 'there are no Git data' })
    },
  },
  {
    code: 'git-empty',
    severity: 'error',
    summary: 'Pull requests need commits, and the Git data of this repository have none',
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
    code: 'git-orphan',
    severity: 'warning',
    summary: 'Git data that no record of a repository names is left out',
    source: 'observed in real exports',
    run: (_, faults) =>
      faults.addAll(
        `SELECT NULL AS kind, NULL AS url, 'repositories/' || repository || '.git/' AS entry,
           NULL AS record, 'no git_url or wiki_url names it' AS message
         FROM (SELECT DISTINCT repository FROM files WHERE repository IS NOT NULL)
         WHERE 'tarball://root/repositories/' || repository || '.git' NOT IN (
           SELECT git_url FROM repositories WHERE git_url IS NOT NULL
           UNION SELECT wiki_url FROM repositories WHERE wiki_url IS NOT NULL)`,
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
