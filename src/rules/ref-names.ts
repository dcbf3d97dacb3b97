import { IMPORT_LIMITS } from './import-limits.ts'
import { memberRule } from './member-rule.ts'
import { isRefName } from './ref-name.ts'
import { type Check, type Rule, shownValue } from './rule.ts'
import { COMMIT_ID, says, shown, words } from './sql/record-select.ts'
import { isCommitId } from './values.ts'

/** Members that name a branch or tag, by kind and path. */
const NAMES = new Set([
  'repositories default_branch',
  'pull_requests base.ref',
  'pull_requests head.ref',
  'releases tag_name',
  'issue_events ref',
])

/** Members that name a branch or a pattern of branches. */
const PATTERNS = new Set([...NAMES, 'protected_branches name'])

const FOLDERS = "(SELECT 'refs/heads/' AS folder UNION ALL SELECT 'refs/tags/')"

/** The names of branches and tags after heads/ or tags/, from loose refs and packed-refs. */
const REFS = `SELECT path, substr(path, instr(path, '.git/' || folder) + length(folder) + 5) AS name
  FROM files, ${FOLDERS}
  WHERE role = 'git' AND instr(path, '.git/' || folder) > 0
  UNION ALL SELECT 'repositories/' || repository || '.git/packed-refs',
    substr(name, length(folder) + 1)
  FROM refs, ${FOLDERS} WHERE packed AND substr(name, 1, length(folder)) = folder`

/** A rule about names of branches and tags in records and Git data. */
function nameRule({
  names = NAMES,
  breach,
  wrong,
  ...rule
}: Pick<Rule, 'code' | 'summary' | 'source'> & {
  names?: ReadonlySet<string>
  breach: (name: string) => string | undefined
  wrong: (name: string) => string
}): Rule {
  const inRecords = memberRule({
    ...rule,
    severity: 'error',
    evidence: 'documented',
    breach,
    wrong,
    about: ({ text }, kind) => names.has(`${kind} ${text}`),
  })
  const run: Check['run'] = (database, faults) => {
    inRecords.run(database, faults)
    faults.addAll(
      `SELECT NULL AS kind, NULL AS url, path AS entry, NULL AS record,
         ${says(words('the ref is '), shown('name'))} AS message
       FROM (${REFS}) WHERE ${wrong('name')}`,
    )
  }
  return { ...inRecords, run }
}

const LONGEST = IMPORT_LIMITS.ref - 'refs/heads/'.length

/** Names of branches and tags. */
export const refNameRules: readonly Rule[] = [
  nameRule({
    code: 'ref-like-commit',
    summary: 'A branch or tag named like a commit, of 40 hexadecimal digits, is refused',
    source: 'exporters whose archives were imported',
    names: PATTERNS,
    breach: (name) =>
      isCommitId(name) ? `must not look like a commit ID, but is ${name}` : undefined,
    wrong: (name) => `(${name} GLOB '${COMMIT_ID}' AND octet_length(${name}) = 40)`,
  }),
  nameRule({
    code: 'ref-name',
    summary: 'Git does not allow this name for a branch or tag',
    source: 'git check-ref-format; exporters whose archives were imported',
    breach: (name) =>
      isRefName(name) ? undefined : `must be a name that Git allows, but is ${shownValue(name)}`,
    wrong: (name) => `${name} IS NOT NULL AND NOT marc_is_ref(${name})`,
  }),
  nameRule({
    code: 'ref-length',
    summary: 'A ref name, including refs/heads/, has at most 255 bytes',
    source: 'host documentation',
    breach: (name) =>
      Buffer.byteLength(name) > LONGEST
        ? `must have at most ${LONGEST} bytes, but has ${Buffer.byteLength(name)}`
        : undefined,
    wrong: (name) => `octet_length(${name}) > ${LONGEST}`,
  }),
]
