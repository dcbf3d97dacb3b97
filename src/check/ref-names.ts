import type { Check } from './check.ts'
import { checkMembers } from './known-members.ts'
import { COMMIT_ID, says, shown, words } from './select-records.ts'

/** Members that name a branch or tag, by kind and path. */
const NAMES = new Set([
  'repositories default_branch',
  'pull_requests base.ref',
  'pull_requests head.ref',
  'releases tag_name',
  'issue_events ref',
])

const FOLDERS = "(SELECT 'refs/heads/' AS folder UNION ALL SELECT 'refs/tags/')"

/** Branches and tags by what follows heads/ or tags/: files of their own, and those of packed-refs. */
const REFS = `SELECT path, substr(path, instr(path, '.git/' || folder) + length(folder) + 5) AS name
  FROM files, ${FOLDERS}
  WHERE role = 'git' AND instr(path, '.git/' || folder) > 0
  UNION ALL SELECT 'repositories/' || repository || '.git/packed-refs',
    substr(name, length(folder) + 1)
  FROM refs, ${FOLDERS} WHERE packed AND substr(name, 1, length(folder)) = folder`

/** A check of every name of a branch or tag; `wrong` says in SQL which are. */
function checkNames(wrong: (name: string) => string): Check['run'] {
  const inRecords = checkMembers(({ kind, path }) => NAMES.has(`${kind} ${path}`), wrong)
  return (database, faults) => {
    inRecords(database, faults)
    faults.addAll(
      `SELECT NULL AS kind, NULL AS url, path AS entry, NULL AS record,
         ${says(words('the ref is '), shown('name'))} AS message
       FROM (${REFS}) WHERE ${wrong('name')}`,
    )
  }
}

/** How branches and tags are named. */
export const refNameChecks: readonly Check[] = [
  {
    code: 'ref-like-commit',
    severity: 'error',
    summary: 'A branch or tag named like a commit, of 40 hexadecimal digits, is refused',
    source: 'exporters whose archives were imported',
    run: checkNames((name) => `${name} GLOB '${COMMIT_ID}'`),
  },
  {
    code: 'ref-name',
    severity: 'error',
    summary: 'Git does not take these characters in the name of a branch or tag',
    source: 'git check-ref-format; exporters whose archives were imported',
    run: checkNames((name) => `NOT marc_is_ref(${name})`),
  },
  {
    code: 'ref-length',
    severity: 'error',
    summary: 'A ref name, refs/heads/ included, has 255 bytes at most',
    source: 'host documentation',
    run: checkNames((name) => `length(CAST(${name} AS BLOB)) + length('refs/heads/') > 255`),
  },
]
