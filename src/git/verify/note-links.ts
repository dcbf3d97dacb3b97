import { createObjectCache } from '../objects/object-cache.ts'
import type { GitObject, ObjectType } from '../parse/git-object.ts'
import { type Grafts, parseCommit, parseTag } from '../parse/parse-commit.ts'
import { modeAt, visitOtherIds, visitTreeLinks } from '../parse/parse-tree.ts'
import { createNameCheck, formOfText } from './object-form.ts'
import type { ObjectTable } from './object-table.ts'

const FOLDER = 0o040000
const SUBMODULE = 0o160000

/** Notes in `table` which type each link of an object requires. */
export interface LinkNotes {
  /**
   * Returns whether all objects that this one names exist. Throws `git-object-damaged` if it makes no sense; `odd` is called if Git
   * would not write it so.
   */
  note(object: GitObject, odd: (how: string) => void): boolean
}

export function createLinkNotes(table: ObjectTable, grafts: Grafts): LinkNotes {
  const expect = (oid: string, type: ObjectType): boolean => note(table, table.findOid(oid), type)
  const noteTree = treeNotes(table)
  return {
    note(object, odd) {
      switch (object.type) {
        case 'commit': {
          const { tree, parents } = parseCommit(object, grafts)
          noteForm(object, odd)
          const hasParents = parents.map((parent) => expect(parent, 'commit')).every(Boolean)
          return expect(tree, 'tree') && hasParents
        }
        case 'tag': {
          const { object: oid, type } = parseTag(object)
          noteForm(object, odd)
          // A type that does not exist is reported where links are followed.
          return isType(type) && expect(oid, type)
        }
        case 'tree':
          return noteTree(object, odd)
        default:
          return true
      }
    },
  }
}

function noteForm(object: GitObject, odd: (how: string) => void): void {
  const how = formOfText(object)
  if (how !== undefined) odd(how)
}

/** Bytes of trees that are kept, at most. */
const KEPT = 2 * 2 ** 20
const LARGEST_KEPT = KEPT / 8

/** Most trees differ from an earlier one by the id of one entry, so what they name beside it is noted. */
function treeNotes(table: ObjectTable): LinkNotes['note'] {
  const whole = createObjectCache<string, GitObject>(KEPT)
  return (tree, odd) => {
    const { content } = tree
    const key = `${content.length} ${content.toString('latin1', 0, content.indexOf(0))}`
    const like = whole.get(key)
    let isWhole = true
    const noteEntry = (mode: number, id: number) => {
      if (mode === SUBMODULE) return
      const exists = note(table, table.find(content, id), mode === FOLDER ? 'tree' : 'blob')
      isWhole &&= exists
    }
    const isLike =
      like !== undefined &&
      visitOtherIds(content, like.content, (at, id) => noteEntry(modeAt(content, at), id))
    const isOdd = !isLike && noteEntries(tree, odd, noteEntry)
    if (isWhole && !isOdd && content.length <= LARGEST_KEPT) whole.set(key, tree)
    return isWhole
  }
}

/** Notes all entries; returns whether the tree is one that Git would not write. */
function noteEntries(
  tree: GitObject,
  odd: (how: string) => void,
  noteEntry: (mode: number, id: number) => void,
): boolean {
  const checkName = createNameCheck(tree.content)
  let isOdd = false
  visitTreeLinks(tree, (mode, id, name) => {
    const how = isOdd ? undefined : checkName(mode === FOLDER, name, id - 1)
    if (how !== undefined) {
      isOdd = true
      odd(how)
    }
    noteEntry(mode, id)
  })
  return isOdd
}

function note(table: ObjectTable, number: number | undefined, type: ObjectType): boolean {
  if (number !== undefined) table.expect(number, type)
  return number !== undefined
}

const isType = (type: string): type is ObjectType =>
  ['commit', 'tree', 'blob', 'tag'].includes(type)
