import { largeCommits, largestObjects } from '../../git/history/large-objects.ts'
import { gitPath } from '../../git/objects/repository-files.ts'
import { IMPORT_LIMITS } from '../../rules/import-limits.ts'
import type { Check } from '../../rules/rule.ts'

const MIB = 2 ** 20

/** The sizes of Git data. */
export const gitDataChecks: readonly Check[] = [
  {
    code: 'repository-over-40gib',
    severity: 'error',
    summary: 'No importer accepts a repository with more than 40 GiB of Git data',
    evidence: 'documented',
    source: 'host documentation',
    run: (_, faults) =>
      faults.addAll(
        `SELECT NULL AS kind, NULL AS url, 'repositories/' || repository || '.git' AS entry,
           NULL AS record, format('it has %.1f GiB', sum(size) / 1073741824.0) AS message
         FROM files WHERE repository IS NOT NULL GROUP BY repository HAVING sum(size) > ${IMPORT_LIMITS.archive}`,
      ),
  },
  {
    code: 'blob-over-400mib',
    severity: 'error',
    summary: 'A file in the history may have 400 MiB during a migration',
    evidence: 'documented',
    source: 'host documentation',
    needs: 'objects',
    run: (database, faults) =>
      faults.addEach(function* () {
        for (const { entry, oid, size } of largestObjects(database, IMPORT_LIMITS.file)) {
          yield { entry, message: `the object ${oid} has ${Math.floor(size / MIB)} MiB` }
        }
      }),
  },
  {
    code: 'blob-over-100mib',
    severity: 'warning',
    summary:
      'After a migration a file in the history may have 100 MiB: with a larger one no push is taken',
    evidence: 'documented',
    source: 'host documentation',
    needs: 'objects',
    run: (database, faults) =>
      faults.addEach(function* () {
        const { file, fileAfterwards } = IMPORT_LIMITS
        for (const { entry, oid, size } of largestObjects(database, fileAfterwards)) {
          if (size > file) continue
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
        for (const { repository, oid, size } of largeCommits(database, IMPORT_LIMITS.commit)) {
          const message = `the commit ${oid} adds ${Math.floor(size / MIB)} MiB of files`
          yield { entry: gitPath(repository), message }
        }
      }),
  },
]
