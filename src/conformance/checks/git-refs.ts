import type { Check } from '../../rules/rule.ts'
import { recordsWhere, says, shown, words } from '../../rules/sql/record-select.ts'

/** Whether a member names a branch or tag that the repository with this URL does not have. */
const isMissing = (member: string, folder: 'heads' | 'tags', url: string): string =>
  `${member} IS NOT NULL AND ${hasBranches(url)}
     AND NOT ${hasRef(url, `'refs/${folder}/' || ${member}`)}`

/** Branches and tags that records name but Git data lack. */
export const gitRefChecks: readonly Check[] = [
  {
    code: 'default-branch-missing',
    severity: 'warning',
    summary: 'The default branch is not in the Git data: an importer chooses another one',
    evidence: { seenIn: '7 exports with Git data' },
    source: 'observed in real exports, which have it',
    run: (_, faults) =>
      faults.addAll(
        recordsWhere(
          'repositories',
          isMissing('o.default_branch', 'heads', 'o.url'),
          says(words('Git has no branch '), shown('o.default_branch')),
        ),
      ),
  },
  {
    code: 'default-branch-head',
    severity: 'note',
    summary:
      'HEAD and default_branch name different branches; importers are known to follow either',
    evidence: { seenIn: '4 archives' },
    source: 'observed in real exports, where both are the same',
    run: (_, faults) =>
      faults.addAll(
        `SELECT *, 'default_branch is ' || default_branch || ', HEAD names ' || target AS message
         FROM (SELECT 'repositories' AS kind, o.url AS url, o._entry AS entry, o._record_number AS record,
             substr(o.default_branch, 1, 100) AS default_branch,
             (SELECT target FROM refs WHERE repository = ${gitNameOf('o.url')} AND name = 'HEAD')
               AS target
           FROM repositories AS o)
         WHERE target <> 'refs/heads/' || default_branch`,
      ),
  },
  {
    code: 'release-tag',
    severity: 'warning',
    summary: 'A release whose tag is not in the Git data gets a new tag, perhaps at another commit',
    evidence: { seenIn: '3 records' },
    source: 'observed in real exports, which have each tag',
    run: (_, faults) =>
      faults.addAll(
        recordsWhere(
          'releases',
          `o.state IS NOT 'draft' AND ${isMissing('o.tag_name', 'tags', 'o.repository')}`,
          says(words('Git has no tag '), shown('o.tag_name')),
        ),
      ),
  },
  {
    code: 'protected-branch-unmatched',
    severity: 'note',
    summary: 'A branch protection rule that matches no branch protects nothing',
    evidence: 'documented',
    source: 'git for-each-ref, whose patterns these are',
    run: (_, faults) =>
      faults.addAll(
        recordsWhere(
          'protected_branches',
          `${isMissing('o.name', 'heads', 'o.repository_url')}
             AND NOT (o.name GLOB '*[*?[]*' AND EXISTS (
               SELECT 1 FROM refs WHERE repository = ${gitNameOf('o.repository_url')}
                 AND name GLOB 'refs/heads/' || o.name))`,
          says(words('no branch matches '), shown('o.name')),
        ),
      ),
  },
]

const PREFIX = 'tarball://root/repositories/'

/** SQL for the name of a repository, by its URL, in `refs` and `files`; NULL without Git data. */
const gitNameOf = (url: string): string =>
  `(SELECT substr(g.git_url, ${PREFIX.length + 1}, length(g.git_url) - ${PREFIX.length + 4})
    FROM repositories AS g WHERE g.url = ${url} AND g.git_url GLOB '${PREFIX}?*.git')`

/** SQL for whether a repository has a ref with this name. */
const hasRef = (url: string, name: string): string =>
  `EXISTS (SELECT 1 FROM refs WHERE repository = ${gitNameOf(url)} AND name = ${name})`

/** SQL for whether a repository has any branch. If it has none, that is one fault rather than one in each record. */
const hasBranches = (url: string): string =>
  `EXISTS (SELECT 1 FROM refs WHERE repository = ${gitNameOf(url)} AND name GLOB 'refs/heads/*')`
