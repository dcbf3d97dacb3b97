import { largeCommits, largestObjects } from '../git/history/large-objects.ts'
import { gitPath } from '../git/objects/repository-files.ts'
import type { Check } from '../rules/rule.ts'
import { PROBLEMS_WITH } from '../rules/sql/record-select.ts'

const MIB = 2 ** 20
const GB = 1_000_000_000

const entriesOf = (path: string, message: string) =>
  `SELECT NULL AS kind, NULL AS url, path AS entry, NULL AS record, ${message} AS message
   FROM files WHERE role = 'git' AND path GLOB '${path}'`

/** The form and sizes of Git data. `marc repo fsck` tests whether they are intact. */
export const gitDataChecks: readonly Check[] = [
  {
    code: 'git-unsupported',
    severity: 'error',
    summary: 'Importers accept only repositories with SHA-1 IDs and refs in files',
    evidence: 'documented',
    source: 'exporters whose archives were imported: IDs of commits have 40 digits',
    run: (_, faults) => faults.addAll(PROBLEMS_WITH, 'git-unsupported'),
  },
  {
    code: 'git-alternates',
    severity: 'error',
    summary: 'Objects that a repository borrows from another one are not in the archive',
    evidence: 'documented',
    source: 'Git: gitrepository-layout',
    run: (_, faults) =>
      faults.addAll(
        `${entriesOf('*.git/objects/info/alternates', "'it names other repositories'")} AND size > 0`,
      ),
  },
  {
    code: 'ref-invalid',
    severity: 'error',
    summary: 'A ref that Git does not accept is lost',
    evidence: 'documented',
    source: 'git check-ref-format',
    run: (_, faults) => faults.addAll(PROBLEMS_WITH, 'ref-invalid'),
  },
  {
    code: 'ref-unresolved',
    severity: 'error',
    summary: 'A symbolic ref that leads back to itself names no object and is lost',
    evidence: 'documented',
    source: 'git symbolic-ref',
    run: (_, faults) => faults.addAll(PROBLEMS_WITH, 'ref-unresolved'),
  },
  {
    code: 'repository-over-40gb',
    severity: 'error',
    summary: 'No importer accepts a repository with more than 40 GB of Git data',
    evidence: 'documented',
    source: 'host documentation',
    run: (_, faults) =>
      faults.addAll(
        `SELECT NULL AS kind, NULL AS url, 'repositories/' || repository || '.git' AS entry,
           NULL AS record, format('it has %.1f GB', sum(size) / 1e9) AS message
         FROM files WHERE repository IS NOT NULL GROUP BY repository HAVING sum(size) > ${40 * GB}`,
      ),
  },
  {
    code: 'blob-over-400mib',
    severity: 'error',
    summary: 'A file in the history may have 400 MiB during a migration, and 100 MiB afterwards',
    evidence: 'documented',
    source: 'host documentation',
    needs: 'objects',
    run: (database, faults) =>
      faults.addEach(function* () {
        for (const { entry, oid, size } of largestObjects(database, 400 * MIB)) {
          yield { entry, message: `the object ${oid} has ${Math.floor(size / MIB)} MiB` }
        }
      }),
  },
  {
    code: 'commit-over-2gib',
    severity: 'error',
    summary: 'A commit may add at most 2 GiB of files',
    evidence: 'documented',
    source: 'host documentation',
    needs: 'objects',
    run: (database, faults) =>
      faults.addEach(function* () {
        for (const { repository, oid, size } of largeCommits(database, 2048 * MIB)) {
          const message = `the commit ${oid} adds ${Math.floor(size / MIB)} MiB of files`
          yield { entry: gitPath(repository), message }
        }
      }),
  },
]
