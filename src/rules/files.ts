import type { MemberPath } from '../records/kinds/member-paths.ts'
import { memberRule, testMembers } from './member-rule.ts'
import { requirementOf } from './requirements.ts'
import { describeBreach, type Rule, type Subject, shownValue } from './rule.ts'
import { KNOWN_MEMBERS, type KnownMember } from './sql/known-members.ts'
import { recordsWhere, says, shown, words } from './sql/record-select.ts'
import { pathOf, ROOT } from './sql/uploads.ts'

const IN_ARCHIVE = "role IN ('attachment', 'repository-file', 'release-asset')"

const filesOf = (kind: string) => requirementOf(kind).files ?? {}
const isAddress = ({ text }: MemberPath, kind: string) => Object.hasOwn(filesOf(kind), text)
const isGit = ({ kind }: Pick<KnownMember, 'kind'>) => kind === 'repositories'
// The rule `wiki-url-empty` reports an empty wiki_url.
const mayBeEmpty = ({ text }: MemberPath) => text === 'wiki_url'

/** Every member that names a file or a Git directory, and those that name an upload. */
const ADDRESSES = KNOWN_MEMBERS.filter(({ kind, path }) => isAddress(path, kind))
const UPLOADS = ADDRESSES.filter((member) => !isGit(member))

/** The path in the archive that a value names; undefined for anything else. */
function pathNamed(value: unknown): string | undefined {
  if (typeof value !== 'string' || !value.startsWith(ROOT) || value === ROOT) return undefined
  const path = value.slice(ROOT.length)
  return isPlain(path) ? path : undefined
}

/** Whether no part of a path is empty, `.` or `..`. */
const isPlain = (path: string): boolean =>
  !path.includes('\0') && !path.split(/[/\\]/).some((part) => /^\.{0,2}$/.test(part))

/** SQL for whether the path of an address has such a part. */
const leadsAway = (address: string): string => {
  const path = `'/' || replace(${pathOf(address)}, '\\', '/') || '/'`
  return `(${path} GLOB '*/../*' OR ${path} GLOB '*/./*' OR ${path} GLOB '*//*'
    OR instr(CAST(${address} AS BLOB), x'00') > 0)`
}
const namesPath = (address: string): string =>
  `${address} GLOB '${ROOT}?*' AND NOT ${leadsAway(address)}`

/** Folders are patterns such as `attachments/*` + `/*`; each star matches one part of the path. */
const isIn = (folder: string, path: string): boolean =>
  new RegExp(`^${folder.replaceAll('.', '\\.').replaceAll('*', '[^/]+')}$`).test(path)
const isInSql = (folder: string, path: string): string =>
  `(${path} GLOB '${folder.replaceAll('*', '?*')}'
    AND ${path} NOT GLOB '${folder.replace(/\*[^*]*$/, '*/*')}')`

/** All addresses of uploads and Git data as one table. */
const NAMED = ADDRESSES.map(
  ({ kind, text, isText, elements }) =>
    `SELECT iif(${isText}, ${text}, NULL) AS address, '${kind}' AS kind, o.url AS url, o._entry AS entry,
       o._record_number AS record FROM ${kind} AS o${elements}`,
).join(' UNION ALL ')

/** A SELECT of the paths that several records name. */
export const SHARED_PATHS = `SELECT ${pathOf('address')} FROM (${NAMED})
  WHERE ${namesPath('address')} GROUP BY address HAVING count(*) > 1`

/** The breach by a record that names a file, unless the file comes later. */
const waitingFor = (subject: Subject, member: string, value: string) => ({
  code: subject.name === 'repositories' ? ('git-missing' as const) : ('file-missing' as const),
  place: { ...subject.place, member },
  message: describeBreach(subject, {
    member,
    message: `names a missing file: ${shownValue(value)}`,
  }),
})

/** Files and the addresses by which records name them. */
export const fileRules: readonly Rule[] = [
  memberRule({
    code: 'tarball-form',
    severity: 'error',
    summary: 'Records name a file by tarball://root/ and its path in the archive',
    evidence: 'documented',
    source: "importer's error message InvalidTarballUrl",
    about: isAddress,
    breach: (value, path) =>
      (value.startsWith(ROOT) && value !== ROOT) || (value === '' && mayBeEmpty(path))
        ? undefined
        : `must be ${ROOT} and a path, but is ${shownValue(value)}`,
    wrong: (address, path) =>
      `${address} NOT GLOB '${ROOT}?*' ${mayBeEmpty(path) ? `AND ${address} <> ''` : ''}`,
  }),
  memberRule({
    code: 'tarball-escape',
    severity: 'error',
    summary: 'A path that leads out of the archive is refused, or worse, followed',
    evidence: 'documented',
    source: 'CWE-22, which readers of archives guard against',
    about: isAddress,
    breach: (value) =>
      value.startsWith(ROOT) && value !== ROOT && pathNamed(value) === undefined
        ? `must be the plain path of a file, but is ${shownValue(value)}`
        : undefined,
    wrong: (address) => `${address} GLOB '${ROOT}?*' AND ${leadsAway(address)}`,
  }),
  memberRule({
    code: 'tarball-folder',
    severity: 'warning',
    summary:
      'Files of each kind have their own folder; whether importers look elsewhere is unknown',
    evidence: { seenIn: '591 records' },
    source: 'observed in real exports',
    about: isAddress,
    breach(value, { text }, { name }) {
      const folder = filesOf(name)[text] ?? ''
      const path = pathNamed(value)
      return path === undefined || isIn(folder, path)
        ? undefined
        : `must be ${ROOT}${folder}, but is ${shownValue(value)}`
    },
    wrong: (address, { text }, kind) =>
      `${namesPath(address)} AND NOT ${isInSql(filesOf(kind)[text] ?? '', pathOf(address))}`,
  }),
  {
    code: 'file-missing',
    severity: 'error',
    summary: 'The file that a record names is not in the archive',
    evidence: 'documented',
    source: "importer's error message InvalidTarballUrl",
    run(_, faults) {
      for (const { kind, path, text, isText, elements } of UPLOADS) {
        const file = pathOf(text)
        const where = `${namesPath(text)} AND NOT EXISTS (SELECT 1 FROM files WHERE path = ${file})
          AND ${isText}`
        const message = says(words(`${path.text} names `), shown(file), words(', which is missing'))
        faults.addAll(recordsWhere(kind, where, message, elements))
      }
    },
  },
  {
    code: 'git-missing',
    severity: 'error',
    summary: 'Other repositories of the archive have Git data, but this one does not',
    evidence: 'documented',
    source: 'host documentation: an import begins with the Git source',
    run(_, faults) {
      for (const { kind, path, text, elements } of ADDRESSES.filter(isGit)) {
        const folder = pathOf(text)
        const where = `${namesPath(text)} AND EXISTS (SELECT 1 FROM files WHERE role = 'git')
          AND NOT EXISTS (SELECT 1 FROM files
            WHERE path > ${folder} || '/' AND path < ${folder} || '0')`
        const message = says(words(`${path.text}: no Git data at `), shown(text))
        faults.addAll(recordsWhere(kind, where, message, elements))
      }
    },
  },
  {
    code: 'file-shared',
    severity: 'error',
    summary: 'An importer moves a file at the first reference, so each record needs its own path',
    evidence: 'documented',
    source: 'exporters whose archives were imported',
    run: (_, faults) =>
      faults.addAll(
        `SELECT kind, url, entry, record, times || ' records name ' || substr(address, 1, 200)
           AS message
         FROM (SELECT *, count(*) AS times FROM (${NAMED}) WHERE ${namesPath('address')}
           GROUP BY address HAVING times > 1)`,
      ),
    test: testMembers(isAddress, (value, _, subject, member) => {
      const path = pathNamed(value)
      if (path === undefined) return undefined
      const { created_at, created_date } = subject.record
      const date = created_at ?? created_date
      const waiting = waitingFor(subject, member, String(value))
      return subject.world.name(path, waiting, typeof date === 'string' ? date : undefined)
        ? undefined
        : `names a file that another record names as well: ${shownValue(value)}`
    }),
  },
  {
    code: 'file-orphan',
    severity: 'warning',
    summary: 'An importer ignores a file that no record names',
    evidence: { seenIn: '77 files' },
    source: 'observed in real exports, where each file has a record',
    run: (_, faults) =>
      faults.addAll(
        `SELECT NULL AS kind, NULL AS url, path AS entry, NULL AS record,
           'no record names this file' AS message
         FROM files WHERE ${IN_ARCHIVE} AND '${ROOT}' || path NOT IN (
           SELECT address FROM (${NAMED}) WHERE address IS NOT NULL)`,
      ),
  },
  {
    code: 'git-orphan',
    severity: 'warning',
    summary: 'Git data that no repository record names is not imported',
    evidence: { seenIn: '7 exports with Git data' },
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
