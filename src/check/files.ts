import type { Check } from './check.ts'
import { recordsWhere, says, shown, words } from './select-records.ts'
import { pathOf, ROOT, UPLOADS } from './uploads.ts'

const IN_ARCHIVE = "role IN ('attachment', 'repository-file', 'release-asset')"

/** Every member that names a file or a Git directory. */
const ADDRESSES = [
  ...UPLOADS,
  { kind: 'repositories', member: 'git_url', address: 'o.git_url', elements: '' },
  { kind: 'repositories', member: 'wiki_url', address: 'o.wiki_url', elements: '' },
] as const

const escapes = (address: string) =>
  `(${address} GLOB '*/../*' OR ${address} GLOB '*/..' OR ${address} GLOB '${ROOT}/*'
    OR instr(${address}, '\\') > 0)`

const filesWhere = (where: string, message: string) =>
  `SELECT NULL AS kind, NULL AS url, path AS entry, NULL AS record, ${message} AS message
   FROM files WHERE ${where}`

/** All addresses of uploads as one table. */
const NAMED = UPLOADS.map(
  ({ kind, address, elements }) =>
    `SELECT ${address} AS address, '${kind}' AS kind, o.url AS url, o._entry AS entry,
       o._record AS record FROM ${kind} AS o${elements}`,
).join(' UNION ALL ')

/** Files and the addresses by which records name them. */
export const fileChecks: readonly Check[] = [
  {
    code: 'tarball-form',
    severity: 'error',
    summary: 'Files are named as tarball://root/ and their path in the archive',
    source: 'observed in real exports',
    run(_, faults) {
      for (const { kind, member, address, elements } of ADDRESSES) {
        // An empty address of a wiki is a fault of its own.
        const where = `${address} <> '' AND ${address} NOT GLOB '${ROOT}?*'`
        const message = says(words(`${member} is `), shown(address))
        faults.addAll(recordsWhere(kind, where, message, elements))
      }
    },
  },
  {
    code: 'tarball-escape',
    severity: 'error',
    summary: 'A path that leads out of the archive is refused, or worse, followed',
    source: 'observed in real exports, which have none',
    run(_, faults) {
      for (const { kind, member, address, elements } of ADDRESSES) {
        const message = says(words(`${member} is `), shown(address))
        faults.addAll(recordsWhere(kind, escapes(address), message, elements))
      }
    },
  },
  {
    code: 'file-missing',
    severity: 'error',
    summary: 'The file that a record names is not in the archive',
    source: 'observed in real exports, where every file is there',
    run(_, faults) {
      for (const { kind, member, address, elements } of UPLOADS) {
        const path = pathOf(address)
        const where = `${address} GLOB '${ROOT}?*' AND NOT ${escapes(address)}
          AND NOT EXISTS (SELECT 1 FROM files WHERE path = ${path})`
        const message = says(words(`${member} names `), shown(path), words(', which is not there'))
        faults.addAll(recordsWhere(kind, where, message, elements))
      }
    },
  },
  {
    code: 'file-shared',
    severity: 'error',
    summary: 'An importer moves a file at the first reference: each needs a path of its own',
    source: 'exporters whose archives were imported',
    run: (_, faults) =>
      faults.addAll(
        `SELECT kind, url, entry, record, times || ' records name ' || substr(address, 1, 200)
           AS message
         FROM (SELECT *, count(*) AS times FROM (${NAMED}) WHERE address IS NOT NULL
           GROUP BY address HAVING times > 1)`,
      ),
  },
  {
    code: 'file-orphan',
    severity: 'warning',
    summary: 'A file that no record names is passed over by an importer',
    source: 'observed in real exports, where each file has a record',
    run: (_, faults) =>
      faults.addAll(
        filesWhere(
          `${IN_ARCHIVE} AND '${ROOT}' || path NOT IN (
             SELECT address FROM (${NAMED}) WHERE address IS NOT NULL)`,
          "'no record names this file'",
        ),
      ),
  },
  {
    code: 'file-empty',
    severity: 'warning',
    summary: 'A file without content was most likely lost on the way; a host takes no empty one',
    source: 'observed in real exports, where no upload is empty',
    run: (_, faults) => faults.addAll(filesWhere(`${IN_ARCHIVE} AND size = 0`, "'0 bytes'")),
  },
]
