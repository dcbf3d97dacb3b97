import type { GitObject, ObjectType } from '../parse/git-object.ts'
import { type Grafts, parseCommitLinks, parseTag } from '../parse/parse-commit.ts'
import { visitTreeLinks } from '../parse/parse-tree.ts'
import { createNameCheck, formOfText } from './object-form.ts'
import type { ObjectTable } from './object-table.ts'

const FOLDER = 0o040000
const SUBMODULE = 0o160000

/**
 * Notes in `table` which type each link of an object requires. Returns whether all objects that it names exist. Throws
 * `git-object-damaged` if it makes no sense; `odd` is called if Git would not write it so.
 */
export function noteLinks(
  object: GitObject,
  table: ObjectTable,
  grafts: Grafts,
  odd: (how: string) => void,
): boolean {
  const expect = (oid: string, type: ObjectType): boolean => note(table, table.findOid(oid), type)
  switch (object.type) {
    case 'commit': {
      const { tree, parents } = parseCommitLinks(object, grafts)
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
      return noteEntries(object, table, odd)
    default:
      return true
  }
}

function noteForm(object: GitObject, odd: (how: string) => void): void {
  const how = formOfText(object)
  if (how !== undefined) odd(how)
}

function noteEntries(tree: GitObject, table: ObjectTable, odd: (how: string) => void): boolean {
  const { content } = tree
  const checkName = createNameCheck(content)
  let isWhole = true
  let isOdd = false
  visitTreeLinks(tree, (mode, at, name) => {
    const how = isOdd ? undefined : checkName(mode === FOLDER, name, at - 1)
    if (how !== undefined) {
      isOdd = true
      odd(how)
    }
    if (mode === SUBMODULE) return
    const exists = note(table, table.find(content, at), mode === FOLDER ? 'tree' : 'blob')
    isWhole &&= exists
  })
  return isWhole
}

function note(table: ObjectTable, number: number | undefined, type: ObjectType): boolean {
  if (number !== undefined) table.expect(number, type)
  return number !== undefined
}

const isType = (type: string): type is ObjectType =>
  ['commit', 'tree', 'blob', 'tag'].includes(type)
