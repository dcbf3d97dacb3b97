import { UNPACKED_CONTAINERS } from '../../archive/entry.ts'
import { quoteText } from '../../database/quote.ts'
import type { Check } from '../../rules/rule.ts'
import { PROBLEMS_WITH } from '../../rules/sql/record-select.ts'

/** A SELECT of the archives with such a form. The message begins with the name of the archive. */
const archivesWhere = (where: string, message: string) =>
  `SELECT NULL AS kind, NULL AS url, NULL AS entry, NULL AS record, id AS archive,
     name || ' ' || ${message} AS message
   FROM archives WHERE json_valid(form) AND ${where}`

// In brackets, because ->> binds no closer than ||.
const form = (member: string) => `(form ->> '${member}')`

const IS_UNPACKED = `${form('container')} IN (${UNPACKED_CONTAINERS.map(quoteText).join(', ')})`

/** The archive as a file: its compression and the dialect of its tar. */
export const containerChecks: readonly Check[] = [
  {
    code: 'container-not-gzip',
    severity: 'warning',
    summary: 'Importers expect a tar.gz: compress a plain tar first',
    evidence: { seenIn: '4 archives' },
    source: 'observed in real exports',
    run: (_, faults) =>
      faults.addAll(archivesWhere(`${form('container')} = 'tar'`, "'is a plain tar'")),
  },
  {
    code: 'container-folder',
    severity: 'note',
    summary:
      'A folder, a zip or an export of another program can be checked, but must be built before it is sent',
    evidence: { seenIn: '4 archives' },
    source: 'observed in real exports',
    run: (_, faults) =>
      faults.addAll(
        archivesWhere(
          IS_UNPACKED,
          `'is ' || iif(${form('source')} IS NULL, 'a ' || ${form('container')}, ${form('source')} || ', no archive yet')`,
        ),
      ),
  },
  {
    code: 'gzip-members',
    severity: 'warning',
    summary: 'Readers such as that of Ruby stop after the first of several gzip members',
    evidence: 'documented',
    source: "Ruby's documentation of Zlib::GzipReader; real exports have one member",
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
    summary: 'Bytes after the end of the compressed data suggest a broken upload',
    evidence: 'documented',
    source: 'RFC 1952',
    run: (_, faults) => faults.addAll(PROBLEMS_WITH, 'gzip-trailing'),
  },
  {
    code: 'tar-pax',
    severity: 'warning',
    summary: 'Exporters avoid PAX headers, because not every importer reads them',
    evidence: 'documented',
    source: 'exporters whose archives were imported',
    run: (_, faults) =>
      faults.addAll(archivesWhere(`${form('dialect')} = 'pax'`, "'has PAX headers'")),
  },
  {
    code: 'tar-v7',
    severity: 'note',
    summary: 'The oldest tar format cannot hold names of more than 100 bytes',
    evidence: { seenIn: '4 archives' },
    source: 'observed in real exports, which are GNU tar',
    run: (_, faults) =>
      faults.addAll(
        archivesWhere(`${form('dialect')} = 'v7'`, "'has headers of the oldest format'"),
      ),
  },
  {
    code: 'directories-missing',
    severity: 'note',
    summary: 'Real exports have an entry for each directory; importers accepted archives without',
    evidence: { seenIn: '4 archives' },
    source: 'observed in real exports and in archives that were imported',
    run: (_, faults) =>
      faults.addAll(
        archivesWhere(
          `NOT ${IS_UNPACKED} AND NOT coalesce(${form('directories')}, 0)`,
          "'has no entries for directories'",
        ),
      ),
  },
  {
    code: 'top-folder',
    severity: 'warning',
    summary: 'Importers look for records and tarball://root/ at the top level, not in a folder',
    evidence: { seenIn: '4 archives' },
    source: 'observed in real exports, which have none',
    run: (_, faults) =>
      faults.addAll(
        archivesWhere(
          `${form('topFolder')} <> '' AND NOT ${IS_UNPACKED}`,
          `'has everything in the folder ' || ${form('topFolder')}`,
        ),
      ),
  },
  {
    code: 'archive-salvaged',
    severity: 'error',
    summary: 'Only a part of a damaged archive was loaded',
    evidence: 'documented',
    source: 'the gzip and tar formats',
    run: (_, faults) => faults.addAll(archivesWhere("state <> 'complete'", "'is ' || state")),
  },
]
