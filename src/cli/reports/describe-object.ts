import type { Change } from '../../git/diff/change.ts'
import { compareParents, compareTrees, type MergeChange } from '../../git/diff/compare-trees.ts'
import { readNote } from '../../git/history/read-note.ts'
import { readCommit } from '../../git/history/walk-commits.ts'
import type { GitObject } from '../../git/objects/git-object.ts'
import type { Repository } from '../../git/open-repository.ts'
import { type Commit, parseCommit, type Tag } from '../../git/parse/parse-commit.ts'
import { parseTree, typeOfEntry } from '../../git/parse/parse-tree.ts'
import { escapeControls } from '../output/escape-controls.ts'
import { type SafeText, safe } from '../output/safe-text.ts'
import type { Styles } from '../output/styles.ts'
import { describeChanges } from './describe-changes.ts'
import {
  type CommitNames,
  describeCommit,
  describeDate,
  describePerson,
  indented,
} from './describe-commit.ts'

/** A tag as a person reads it. */
export function* describeTag(tag: Tag, { yellow }: Styles): Generator<SafeText> {
  yield safe`${yellow(safe`tag ${escapeControls(tag.name)}`)}\n`
  if (tag.tagger) {
    yield safe`Tagger: ${describePerson(tag.tagger)}\nDate:   ${describeDate(tag.tagger)}\n`
  }
  yield safe`\n${indented(tag.message).join('\n')}\n\n`
}

/** A commit or tree as a person reads it. */
export function* describeObject(
  object: GitObject,
  repository: Repository,
  names: CommitNames,
  firstParent = false,
): Generator<SafeText> {
  if (object.type === 'tree') {
    for (const entry of parseTree(object)) {
      const type = typeOfEntry(entry).padEnd(6)
      yield safe`${escapeControls(`${entry.mode} ${type} ${entry.oid}  ${entry.name}`)}\n`
    }
    return
  }
  const commit = parseCommit(object, repository.objects)
  yield describeCommit(commit, names)
  const note = readNote(repository, commit.oid)
  if (note !== undefined) yield safe`\nNotes:\n${indented(note).join('\n')}\n`
  let between = safe`\n`
  for (const line of describeChanges(changesOf(commit, repository, firstParent), names.styles)) {
    yield safe`${between}${line}`
    between = safe``
  }
}

/**
 * The files that a commit changed; of a merge those that are as in none of its parents, or all that are not as in its
 * first one.
 */
export function changesOf(
  { tree, parents }: Commit,
  { objects }: Repository,
  firstParent = false,
): Generator<Change | MergeChange> {
  const treeOf = (oid: string) => readCommit(objects, oid).tree
  if (parents.length > 1 && !firstParent) return compareParents(objects, parents.map(treeOf), tree)
  return compareTrees(objects, parents[0] === undefined ? undefined : treeOf(parents[0]), tree)
}
