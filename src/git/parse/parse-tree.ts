import { compareTexts } from '../../base/text.ts'
import { decodeText } from './decode-text.ts'
import type { GitObject } from './git-object.ts'
import { damagedObject } from './parse-commit.ts'

/** A file or folder in a tree. */
export interface TreeEntry {
  /** Six octal digits: 100644, 100755, 120000 a link, 040000 a folder, 160000 a submodule. */
  readonly mode: string
  /** The name as text; invalid UTF-8 becomes U+FFFD. */
  readonly name: string
  /** The name as one character per byte. */
  readonly bytes: string
  readonly oid: string
}

const SPACE = 32
const OID = 20
const MODE = /^[0-7]{5,6}$/

/**
 * Parses the entries of a tree lazily: together they would take ten times the memory of the tree. Names are untrusted.
 * Throws `git-object-damaged` after the entries before the damage.
 */
export function* parseTree(tree: GitObject): Generator<TreeEntry> {
  for (let at = 0; at < tree.content.length; ) {
    const { next, ...entry } = parseEntry(tree, at)
    yield entry
    at = next
  }
}

function parseEntry({ oid, content }: GitObject, at: number): TreeEntry & { next: number } {
  const { space, zero, next } = boundsOf(oid, content, at)
  const name = content.subarray(space + 1, zero)
  return {
    ...contentOf(oid, content, { at, space, zero, next }),
    name: decodeText(name),
    bytes: name.toString('latin1'),
    next,
  }
}

type Pair = readonly [TreeEntry | undefined, TreeEntry | undefined]

/**
 * Pairs the entries of two trees by name, except equal ones: nearly all are equal, and they are not parsed. Git sorts folders as if
 * their names ended with a slash; so a folder replaced by a file is a deletion and an addition, and all paths are sorted.
 * Throws as `parseTree` does.
 */
export function* pairEntries(
  older: GitObject | undefined,
  newer: GitObject | undefined,
): Generator<Pair> {
  let [i, j] = [0, 0]
  const [a, b] = [older?.content ?? NOTHING, newer?.content ?? NOTHING]
  while (i < a.length || j < b.length) {
    const equal = skipEqual(a, i, b, j)
    i += equal
    j += equal
    const left = older && i < a.length ? parseEntry(older, i) : undefined
    const right = newer && j < b.length ? parseEntry(newer, j) : undefined
    if (!left && !right) return
    const order = !left ? 1 : !right ? -1 : compareTexts(keyOf(left), keyOf(right))
    yield [order <= 0 ? left : undefined, order >= 0 ? right : undefined]
    if (left && order <= 0) i = left.next
    if (right && order >= 0) j = right.next
  }
}

const NOTHING = Buffer.alloc(0)

const keyOf = (entry: TreeEntry) => (isFolder(entry) ? `${entry.bytes}/` : entry.bytes)

/** The bytes of the equal entries from here on. */
function skipEqual(a: Buffer, i: number, b: Buffer, j: number): number {
  const end = Math.min(a.length - i, b.length - j)
  let entry = 0
  for (let at = 0; at < end; ) {
    while (at < end && a[i + at] === b[j + at] && a[i + at] !== 0) at++
    // The name ends with a zero in both, and an id follows.
    if (at + OID >= end || a[i + at] !== 0 || b[j + at] !== 0) return entry
    const next = at + OID + 1
    while (at < next && a[i + at] === b[j + at]) at++
    if (at < next) return entry
    entry = next
  }
  return entry
}

/** Parses the entries without their names, which take most of the time. Throws as `parseTree` does. */
export function* parseTreeLinks({
  oid,
  content,
}: GitObject): Generator<Pick<TreeEntry, 'mode' | 'oid'>> {
  for (let at = 0; at < content.length; ) {
    const bounds = boundsOf(oid, content, at)
    yield contentOf(oid, content, { at, ...bounds })
    at = bounds.next
  }
}

const ZERO = 48
const SEVEN = 55

/**
 * Calls `visit` with the mode and the position of the id of each entry, without making a value for it. Throws
 * `git-object-damaged`, also for an entry without a name.
 */
export function visitTreeLinks(
  { oid, content }: GitObject,
  visit: (mode: number, at: number, name: number) => void,
): void {
  for (let at = 0; at < content.length; ) {
    let [mode, i] = [0, at]
    for (; content[i] !== SPACE; i++) {
      const digit = content[i] as number
      if (!(digit >= ZERO && digit <= SEVEN)) throw noEntryAt(oid, at)
      mode = mode * 8 + digit - ZERO
    }
    const digits = i - at
    let zero = i + 1
    while (zero < content.length && content[zero] !== 0) zero++
    const next = zero + 1 + OID
    if (digits < 5 || digits > 6 || zero === i + 1 || next > content.length)
      throw noEntryAt(oid, at)
    visit(mode, zero + 1, i + 1)
    at = next
  }
}

/**
 * Calls `visit` with the position of each entry, and of its id, that differs from the one at the same place of a tree that
 * is well-formed. Returns whether both have the same modes and names; if not, only entries before that were visited.
 */
export function visitOtherIds(
  content: Buffer,
  like: Buffer,
  visit: (at: number, id: number) => void,
): boolean {
  if (content.length !== like.length) return false
  for (let at = 0; at < content.length; ) {
    let id = at
    while (content[id] === like[id] && content[id] !== 0) id++
    if (content[id] !== like[id]) return false
    const next = ++id + OID
    let i = id
    while (i < next && content[i] === like[i]) i++
    if (i < next) visit(at, id)
    at = next
  }
  return true
}

/** The mode of the entry at `at` of a well-formed tree. */
export const modeAt = (content: Buffer, at: number): number =>
  Number.parseInt(content.toString('latin1', at, content.indexOf(SPACE, at)), 8)

const noEntryAt = (oid: string, at: number) =>
  damagedObject(oid, `there is no valid entry at byte ${at} of the tree`)

/** Finds an entry by name without parsing the others. Throws `git-object-damaged`. */
export function findInTree(
  { oid, content }: GitObject,
  name: Buffer,
): Pick<TreeEntry, 'mode' | 'oid'> | undefined {
  for (let at = 0; at < content.length; ) {
    const space = content[at + 5] === SPACE ? at + 5 : at + 6
    let [zero, i] = [space + 1, 0]
    // Calls of methods of buffers would take most of the time.
    while (i < name.length && content[zero] === name[i]) {
      zero++
      i++
    }
    const isFound = i === name.length && content[zero] === 0
    while (zero < content.length && content[zero] !== 0) zero++
    const next = zero + 1 + OID
    // Another mode than of five or six digits, or no end: this throws.
    if (content[space] !== SPACE || next > content.length) {
      contentOf(oid, content, { at, ...boundsOf(oid, content, at) })
    }
    if (isFound) return contentOf(oid, content, { at, ...boundsOf(oid, content, at) })
    at = next
  }
  return undefined
}

/** The bounds of the entry at `at`: a mode, a space, the name, a zero, 20 bytes of id. */
function boundsOf(oid: string, content: Buffer, at: number) {
  const space = content.indexOf(SPACE, at)
  const zero = content.indexOf(0, at)
  const next = zero + 1 + OID
  if (space >= 0 && zero > space && next <= content.length) return { space, zero, next }
  throw noEntryAt(oid, at)
}

function contentOf(
  oid: string,
  content: Buffer,
  { at, space, zero, next }: { at: number; space: number; zero: number; next: number },
) {
  const mode = content.toString('latin1', at, space)
  if (!MODE.test(mode)) throw noEntryAt(oid, at)
  return { mode: mode.padStart(6, '0'), oid: content.toString('hex', zero + 1, next) }
}

export const isFolder = ({ mode }: Pick<TreeEntry, 'mode'>): boolean => mode.startsWith('04')
export const isSubmodule = ({ mode }: Pick<TreeEntry, 'mode'>): boolean => mode === '160000'
export const isLink = ({ mode }: Pick<TreeEntry, 'mode'>): boolean => mode === '120000'

/** The type of the object that an entry names. */
export const typeOfEntry = (entry: Pick<TreeEntry, 'mode'>): 'tree' | 'commit' | 'blob' =>
  isFolder(entry) ? 'tree' : isSubmodule(entry) ? 'commit' : 'blob'
