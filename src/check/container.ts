import type { Check } from '../rules/rule.ts'
import { PROBLEMS_WITH } from '../rules/sql/select-records.ts'

/** A SELECT of the archives whose form is so; `{}` in the message is the archive's name. */
const archivesWhere = (where: string, message: string) =>
  `SELECT NULL AS kind, NULL AS url, NULL AS entry, NULL AS record, name || ' ' || ${message} AS message
   FROM archives WHERE json_valid(form) AND ${where}`

// In brackets, because ->> binds no closer than ||.
const form = (member: string) => `(form ->> '${member}')`

/** What is seen of an archive from outside. */
export const containerChecks: readonly Check[] = [
  {
    code: 'container-not-gzip',
    severity: 'warning',
    summary: 'A server expects a tar.gz; a plain tar has to be compressed first',
    evidence: { seenIn: '4 archives' },
    source: 'observed in real exports',
    run: (_, faults) =>
      faults.addAll(archivesWhere(`${form('container')} = 'tar'`, "'is a plain tar'")),
  },
  {
    code: 'container-folder',
    severity: 'note',
    summary: 'A folder can be checked, but has to be packed before it is sent',
    evidence: { seenIn: '4 archives' },
    source: 'observed in real exports',
    run: (_, faults) =>
      faults.addAll(archivesWhere(`${form('container')} = 'folder'`, "'is a folder'")),
  },
  {
    code: 'gzip-members',
    severity: 'warning',
    summary: 'Readers such as that of Ruby stop after the first part of gzip data in several parts',
    evidence: 'documented',
    source: "Ruby's documentation of Zlib::GzipReader; real exports have one part",
    run: (_, faults) => {
      const members = form('members')
      faults.addAll(
        archivesWhere(`${members} > 1`, `'has ' || ${members} || ' gzip members, not one'`),
      )
    },
  },
  {
    code: 'gzip-trailing',
    severity: 'warning',
    summary: 'Bytes after the end of the compressed data hint at a broken upload',
    evidence: 'documented',
    source: 'RFC 1952',
    run: (_, faults) => faults.addAll(PROBLEMS_WITH, 'gzip-trailing'),
  },
  {
    code: 'tar-pax',
    severity: 'warning',
    summary: 'PAX headers are avoided by exporters, because not every importer reads them',
    evidence: 'documented',
    source: 'exporters whose archives were imported',
    run: (_, faults) =>
      faults.addAll(archivesWhere(`${form('dialect')} = 'pax'`, "'has PAX headers'")),
  },
  {
    code: 'tar-v7',
    severity: 'note',
    summary: 'The oldest form of tar has no names of more than 100 bytes',
    evidence: { seenIn: '4 archives' },
    source: 'observed in real exports, which are GNU tar',
    run: (_, faults) =>
      faults.addAll(archivesWhere(`${form('dialect')} = 'v7'`, "'has headers of the oldest form'")),
  },
  {
    code: 'directories-missing',
    severity: 'note',
    summary: 'Real exports have an entry for each directory; importers did without',
    evidence: { seenIn: '4 archives' },
    source: 'observed in real exports and in archives that were imported',
    run: (_, faults) =>
      faults.addAll(
        archivesWhere(
          `${form('container')} <> 'folder' AND NOT coalesce(${form('directories')}, 0)`,
          "'has no entries for directories'",
        ),
      ),
  },
  {
    code: 'top-folder',
    severity: 'warning',
    summary: 'An importer looks for records and for tarball://root/ at the top, not in a folder',
    evidence: { seenIn: '4 archives' },
    source: 'observed in real exports, which have none',
    run: (_, faults) =>
      faults.addAll(
        archivesWhere(
          `${form('topFolder')} <> '' AND ${form('container')} <> 'folder'`,
          `'has everything in the folder ' || ${form('topFolder')}`,
        ),
      ),
  },
  {
    code: 'archive-salvaged',
    severity: 'error',
    summary: 'What was loaded of a damaged archive is not all of it',
    evidence: 'documented',
    source: 'the gzip and tar formats',
    run: (_, faults) => faults.addAll(archivesWhere("state <> 'complete'", "'is ' || state")),
  },
]
