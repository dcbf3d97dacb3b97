import { join } from 'node:path'
import { ArchiveError } from '../../../base/errors.ts'
import type { Database } from '../../../database/open-database.ts'
import { COMMIT_TABLES } from '../../../database/schema/commits-table.ts'
import { makeTemporaryFolder } from '../../../files/temporary-folder.ts'
import { type PassedOver, rewriteHistory } from '../../../git/rewrite/rewrite-history.ts'
import { visitHistory } from '../../../git/rewrite/visit-history.ts'
import { removeOrphanedChunks } from '../../replace-content.ts'
import { createGitValues, GIT_PARTS, type GitPart } from '../git-parts.ts'
import type { GitPartReport } from '../redact-options.ts'
import type { Redaction } from '../redact-records.ts'
import { createRemovedValues } from '../removed-values.ts'
import { createGitEdits, type GitRedaction } from './git-edits.ts'
import { countInGitFiles, type PassedFiles, redactGitFiles } from './redact-git-files.ts'
import { renameRefs, replaceObjects } from './replace-objects.ts'
import { repositoriesOf } from './repositories-of.ts'

/**
 * Takes values out of all repositories: of what is beside objects, of commits, tags and notes, and of a whole history also out of names and
 * contents of files. Writes the new ids into refs. Returns whether any id changed: `temp.renamed_objects` has them. Throws the
 * codes of `rewriteHistory`.
 */
export async function redactGit(
  database: Database,
  found: GitRedaction,
  scope: 'authors' | 'history',
): Promise<boolean> {
  const redaction: GitRedaction = { ...found, refNames: new Map() }
  const passed = await redactGitFiles(database, redaction)
  const repositories = repositoriesOf(database)
  const isWhole = scope === 'history'
  const { git } = redaction.report
  const [unsearched, signatures] = await rewriteAll(database, repositories, redaction, isWhole)
  noteParts(redaction, passed)
  if (signatures + unsearched.signatures > 0) {
    git.parts.signatures = {
      state: signatures > 0 ? 'left out' : 'not searched',
      values: signatures,
      notSearched: unsearched.signatures,
    }
  }
  if (!isWhole) {
    git.parts.names = { state: 'not searched', values: 0, notSearched: unsearched.tree }
    git.parts.files = { state: 'not searched', values: 0, notSearched: unsearched.blob }
  }
  if (database.prepare('SELECT 1 FROM temp.renamed_objects').get() === undefined) return false
  database.exec(`
    UPDATE refs SET
      oid = coalesce((SELECT new FROM temp.renamed_objects WHERE old = oid), oid),
      peeled = coalesce((SELECT new FROM temp.renamed_objects WHERE old = peeled), peeled);
    ${COMMIT_TABLES.map((table) => `DELETE FROM ${table};`).join('\n')}`)
  removeOrphanedChunks(database)
  return true
}

async function rewriteAll(
  database: Database,
  repositories: readonly string[],
  redaction: GitRedaction,
  isWhole: boolean,
): Promise<[unsearched: Pick<PassedOver, 'tree' | 'blob' | 'signatures'>, signatures: number]> {
  const { git } = redaction.report
  const unsearched = { tree: 0, blob: 0, signatures: 0 }
  let signatures = 0
  const temporary = makeTemporaryFolder()
  try {
    for (const [i, repository] of repositories.entries()) {
      const options = {
        ...createGitEdits(redaction, repository),
        path: join(temporary.path, `${i}.pack`),
        files: isWhole ? ('all' as const) : ('notes' as const),
      }
      const passedOver = await rewriteHistory(database, repository, options, (history) => {
        replaceObjects(database, repository, history)
        renameRefs(database, repository)
        git.rewritten += history.changed
        signatures += history.signatures
      })
      unsearched.tree += passedOver.tree
      unsearched.blob += passedOver.blob
      unsearched.signatures += passedOver.signatures
    }
  } finally {
    temporary.remove()
  }
  return [unsearched, signatures]
}

/**
 * Counts the values in Git data that stays as it is: whatever would be found in another text. Damaged repositories are not searched as
 * a whole.
 */
export async function countInGit(database: Database, redaction: Redaction): Promise<void> {
  const counting: Redaction = {
    ...redaction,
    removed: createRemovedValues(),
    authors: new Set(),
    gitValues: createGitValues(),
  }
  const passed = await countInGitFiles(database, counting)
  const { git } = redaction.report
  const repositories = repositoriesOf(database)
  for (const repository of repositories) {
    const edits = createGitEdits(counting, repository)
    try {
      await visitHistory(database, repository, { ...edits, files: 'all' })
    } catch (error) {
      // It is kept as it is, also if it is damaged.
      if (!(error instanceof ArchiveError)) throw error
      git.unreadable++
    }
  }
  noteParts(counting, passed)
  const { parts } = git
  for (const part of Object.keys(parts) as GitPart[]) {
    const found = parts[part] as GitPartReport
    const isRead = git.unreadable < repositories.length || !IN_OBJECTS.has(part)
    parts[part] = { ...found, state: isRead ? 'left as it is' : 'not searched' }
  }
}

const IN_OBJECTS: ReadonlySet<GitPart> = new Set(['authors', 'messages', 'notes', 'names', 'files'])

/** Reports what was found in each part. */
function noteParts({ report, gitValues }: Redaction, passed: PassedFiles): void {
  const { logs, others, leftOut } = passed
  const { git } = report
  for (const part of Object.keys(GIT_PARTS) as GitPart[]) {
    if (part === 'signatures') continue
    git.parts[part] = {
      state: gitValues.has(part) ? 'cleaned' : 'clean',
      values: gitValues.in(part),
      notSearched: part === 'others' ? others : part === 'files' ? git.unread.count : 0,
    }
  }
  if (logs > 0) git.parts.logs = { state: 'left out', values: logs, notSearched: 0 }
  if (leftOut > 0) git.parts.others = { ...(git.parts.others as GitPartReport), leftOut }
  git.counts = gitValues.byType()
}
