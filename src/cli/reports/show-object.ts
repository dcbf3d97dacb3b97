import { compareParents, compareTrees, type MergeChange } from '../../git/diff/compare-trees.ts'
import type { Change } from '../../git/diff/pair-renames.ts'
import { readNote } from '../../git/history/read-note.ts'
import { readCommit } from '../../git/history/walk-commits.ts'
import type { FoundObject, Repository } from '../../git/open-repository.ts'
import type { GitObject } from '../../git/parse/git-object.ts'
import { type Commit, parseCommit, parseTag, type Tag } from '../../git/parse/parse-commit.ts'
import { parseTree, typeOfEntry } from '../../git/parse/parse-tree.ts'
import type { Io } from '../command/io.ts'
import { type SafeText, safe } from '../command/safe-text.ts'
import { escapeControls } from '../output/escape-controls.ts'
import { shownOnTerminal } from '../output/shown-on-terminal.ts'
import type { Styles } from '../output/styles.ts'
import { type Piece, writeAll } from '../output/write-all.ts'
import {
  type CommitNames,
  describeCommit,
  describeDate,
  describePerson,
  indented,
} from './describe-commit.ts'

// A tag can point to another tag; longer chains are hostile.
const MOST_TAGS = 10

interface ShowOptions {
  firstParent: boolean | undefined
  stdout: Io['stdout']
  /** Makes what is shown of the changes of a commit instead of their list. */
  patchOf?: ((commit: Commit) => Iterable<Piece>) | undefined
}

/** Writes an object for people: a tag with the object it points to, a file unchanged. */
export async function showObject(
  object: FoundObject,
  repository: Repository,
  names: () => CommitNames,
  { firstParent, stdout, patchOf }: ShowOptions,
): Promise<void> {
  const { objects } = repository
  let found = object
  for (let tags = 0; found.type === 'tag'; tags++) {
    const tag = parseTag(objects.read(found.oid))
    const goesOn = await writeAll(stdout, describeTag(tag, names().styles))
    if (!goesOn || tags === MOST_TAGS) return
    found = objects.stream(tag.object)
  }
  if (found.type === 'submodule') {
    await writeAll(stdout, [
      safe`submodule at commit ${escapeControls(found.oid)}, which is in another repository\n`,
    ])
  } else if (found.type === 'blob') {
    await writeAll(stdout, stdout.isTTY ? shownOnTerminal(found.content) : found.content)
  } else {
    const options = { firstParent, patchOf }
    const shown = describeObject(objects.read(found.oid), repository, names(), options)
    await writeAll(stdout, shown)
  }
}

/** A tag for people. */
function* describeTag(tag: Tag, { yellow }: Styles): Generator<SafeText> {
  yield safe`${yellow(safe`tag ${escapeControls(tag.name)}`)}\n`
  if (tag.tagger) {
    yield safe`Tagger: ${describePerson(tag.tagger)}\nDate:   ${describeDate(tag.tagger)}\n`
  }
  yield safe`\n${indented(tag.message).join('\n')}\n\n`
}

/** A commit or tree for people. */
function* describeObject(
  object: GitObject,
  repository: Repository,
  names: CommitNames,
  { firstParent, patchOf }: Pick<ShowOptions, 'firstParent' | 'patchOf'>,
): Generator<Piece> {
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
  const changes = () => describeChanges(changesOf(commit, repository, firstParent), names.styles)
  let isFirst = true
  for (const piece of patchOf?.(commit) ?? changes()) {
    if (isFirst) yield safe`\n`
    isFirst = false
    yield piece
  }
}

/**
 * The files that a commit changed. For a merge: files that differ from all parents, or with `firstParent` from the first
 * one.
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

/** A line per changed file: `A  src/kettle.ts`, `R  old.ts → new.ts (87 %)`, `MM  both.ts`. */
function* describeChanges(
  changes: Iterable<Change | MergeChange>,
  styles: Styles,
): Generator<SafeText> {
  for (const change of changes) {
    const { status, path } = change
    const { before, similarity = 100 } = 'before' in change ? change : {}
    const style = status[0] === 'A' ? styles.green : status[0] === 'D' ? styles.red : styles.yellow
    const from = status === 'R' && before ? safe`${escapeControls(before.path)} → ` : safe``
    const part = similarity < 100 ? safe` (${similarity} %)` : safe``
    yield safe`${style(escapeControls(status))}  ${from}${escapeControls(path)}${part}\n`
  }
}
