import type { Check } from '../rules/rule.ts'
import { recordsWhere, says, shown, words } from '../rules/sql/select-records.ts'
import { gitNameOf, hasBranches, hasRef } from './git-names.ts'

/** Whether a member names a branch or tag that is not among those of the repository with this url. */
const isMissing = (member: string, folder: 'heads' | 'tags', url: string): string =>
  `${member} IS NOT NULL AND ${hasBranches(url)}
     AND NOT ${hasRef(url, `'refs/${folder}/' || ${member}`)}`

/** What records say of branches and tags, beside those that Git has. */
export const gitRefChecks: readonly Check[] = [
  {
    code: 'default-branch-missing',
    severity: 'warning',
    summary: 'The default branch is none that Git has: an importer chooses another one',
    evidence: { seenIn: '7 exports with Git data' },
    source: 'observed in real exports, where it is there',
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
    summary: 'HEAD names another branch than default_branch; importers were seen to follow either',
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
    summary: 'A release whose tag is not in the Git data gets a new tag, at another commit perhaps',
    evidence: { seenIn: '3 records' },
    source: 'observed in real exports, where each tag is there',
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
    summary: 'A rule for branches that no branch fits protects nothing',
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
          says(words('no branch fits '), shown('o.name')),
        ),
      ),
  },
]
