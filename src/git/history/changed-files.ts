import type { Database } from '../../database/open-database.ts'
import { compareTrees } from '../diff/compare-trees.ts'
import { createLineDiffer } from '../diff/diff-lines.ts'
import { diffChange } from '../diff/diff-trees.ts'
import type { RawChange } from '../diff/pair-renames.ts'
import { createObjectCache } from '../objects/object-cache.ts'
import type { ObjectStore } from '../objects/object-store.ts'
import { type GitObject, isBroken } from '../parse/git-object.ts'
import type { Commit } from '../parse/parse-commit.ts'
import { readCommit } from './walk-commits.ts'

/** Notes the files that commits changed. */
export interface ChangedFiles {
  /** Adds those of a commit. Returns their number; undefined if it could not be compared. */
  add(commit: Commit): number | undefined
}

const LARGEST_COUNTED = 2 ** 20
// A file whose versions have little in common takes up to a tenth of a second.
const MOST_STEPS = 1e7

/**
 * Creates a writer of the table `commits_files`: a commit is compared with its first parent, with renames as Git finds them.
 *
 * @param objects as `keepNeighbours` returns it
 */
export function createChangedFiles(
  database: Database,
  repository: string,
  objects: ObjectStore,
): ChangedFiles {
  const insert = database.prepare(
    `INSERT INTO commits_files (repository, oid, path, status, old_path, inserted, deleted)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  )
  const clear = database.prepare('DELETE FROM commits_files WHERE oid = ? AND repository = ?')
  return {
    add({ oid, tree, parents: [parent] }) {
      // One differ for each commit, because its work is limited.
      const differ = createLineDiffer(MOST_STEPS)
      let files = 0
      try {
        const before = parent === undefined ? undefined : readCommit(objects, parent).tree
        for (const change of compareTrees(objects, before, tree)) {
          const { status, path, before: old } = change
          const [inserted, deleted] = linesOf(objects, change, differ)
          const oldPath = status === 'R' ? old?.path : null
          insert.run(repository, oid, path, status, oldPath, inserted, deleted)
          files++
        }
        return files
      } catch (error) {
        if (!isBroken(error)) throw error
        clear.run(oid, repository)
        return undefined
      }
    },
  }
}

/** The numbers of inserted and deleted lines; null if they are not counted. */
function linesOf(
  objects: ObjectStore,
  change: RawChange,
  differ: ReturnType<typeof createLineDiffer>,
): readonly [number | null, number | null] {
  let [inserted, deleted] = [0, 0]
  const options = { keepBroken: true, largest: LARGEST_COUNTED }
  for (const patch of diffChange(differ, objects, change, options)) {
    if (!patch.isText) return [null, null]
    inserted += patch.inserted
    deleted += patch.deleted
  }
  return [inserted, deleted]
}

// Those of a commit and of its first parent are enough.
const NEIGHBOURS = 4 * 2 ** 20

/**
 * Keeps commits and trees that were read: neighbouring commits share most trees, and a parent is compared with its child before it is
 * its turn.
 */
export function keepNeighbours(objects: ObjectStore): ObjectStore {
  const cache = createObjectCache<string, GitObject>(NEIGHBOURS)
  return {
    ...objects,
    read(oid) {
      const known = cache.get(oid)
      if (known) return known
      const object = objects.read(oid)
      if (object.type !== 'blob') cache.set(oid, object)
      return object
    },
    stream(oid) {
      const known = cache.get(oid)
      return known
        ? { ...known, size: known.content.length, content: [known.content] }
        : objects.stream(oid)
    },
  }
}
