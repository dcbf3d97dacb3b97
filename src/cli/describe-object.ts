import type { Change } from '../git/change.ts'
import { compareTrees } from '../git/compare-trees.ts'
import type { FoundObject } from '../git/find-object.ts'
import type { Repository } from '../git/open-repository.ts'
import { type Commit, parseCommit } from '../git/parse-commit.ts'
import { parseTag } from '../git/parse-tag.ts'
import { parseTree, typeOfEntry } from '../git/parse-tree.ts'
import { readCommit } from '../git/walk-commits.ts'
import { describeChanges } from './describe-changes.ts'
import {
  type CommitNames,
  describeCommit,
  describeDate,
  describePerson,
  indented,
} from './describe-commit.ts'
import { escapeControls } from './output/escape-controls.ts'

// A tag of a tag of a tag: whoever goes on does so to no good end.
const MOST_TAGS = 10

/** An object as a person reads it; the content of a file as it is. */
export function* describeObject(
  object: FoundObject,
  repository: Repository,
  names: CommitNames,
  tags = 0,
): Generator<string | Uint8Array> {
  switch (object.type) {
    case 'blob':
      yield object.content
      return
    case 'submodule':
      yield `submodule at commit ${object.oid}, which is in another repository\n`
      return
    case 'tree':
      for (const entry of parseTree(object)) {
        const type = typeOfEntry(entry).padEnd(6)
        yield `${entry.mode} ${type} ${entry.oid}  ${escapeControls(entry.name)}\n`
      }
      return
    case 'tag': {
      const tag = parseTag(object)
      yield `${names.styles.yellow(`tag ${escapeControls(tag.name)}`)}\n`
      if (tag.tagger) {
        yield `Tagger: ${describePerson(tag.tagger)}\nDate:   ${describeDate(tag.tagger)}\n`
      }
      yield `\n${indented(tag.message).join('\n')}\n\n`
      if (tags === MOST_TAGS) return
      yield* describeObject(repository.objects.read(tag.object), repository, names, tags + 1)
      return
    }
    case 'commit': {
      const commit = parseCommit(object)
      yield describeCommit(commit, names)
      const changes = changesOf(commit, repository)
      if (changes.length === 0) return
      yield commit.parents.length > 1 ? '\nChanges against the first parent:\n' : '\n'
      yield* describeChanges(changes, names.styles)
    }
  }
}

/** The files that a commit changed; of a merge, those that are not as in its first parent. */
export function changesOf({ tree, parents }: Commit, { objects }: Repository): Change[] {
  const parent = parents[0] === undefined ? undefined : readCommit(objects, parents[0]).tree
  return compareTrees(objects, parent, tree)
}
