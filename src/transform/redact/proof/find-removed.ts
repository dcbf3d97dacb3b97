import { createLruCache } from '../../../base/lru-cache.ts'
import { createNumberList, type NumberList } from '../../number-list.ts'
import type { RemovedList, RemovedValue } from '../removed-values.ts'
import { undoEscapes, withoutZeros } from './undo-escapes.ts'
import { isWhole } from './whole-values.ts'
import { AROUND, FOLD, textAround, type WrittenForm, writtenForms } from './written-forms.ts'

/** Receives a value that is still there, and the index of its first byte, if it stands there as it is. `true` ends the search. */
export type VisitRemoved = (found: RemovedValue, at?: number) => boolean

/** A search for removed values in bytes. */
export interface RemovedSearch {
  /** Looks for values in bytes that are whole. Returns whether the visitor ended it. */
  search(bytes: Buffer, visit: VisitRemoved): boolean
  /** Looks for values in bytes that come one after the other; `end` after the last. A value may be found twice. */
  stream(visit: VisitRemoved): { see(bytes: Uint8Array): boolean; end(): boolean }
}

export interface RemovedOptions {
  /** Values that stay in some places, such as versions that look like addresses: they are not searched for. */
  doubtful?: ReadonlySet<string>
  /** Addresses and domains that stay, in lower case. */
  keep?: ReadonlySet<string>
}

/** Bytes by which a form is found. Shorter ones are not searched for. */
const WINDOW = 6
/** Escapes within escapes that are undone. */
const DEEPEST = 3
/** Bytes that are searched together, and how many of them are seen again with the next. */
const PART = 2 ** 18
const OVERLAP = 8192

/**
 * Creates a search for many values at once: as they are, in any case, with escapes of JSON, URLs, HTML and quoted-printable,
 * also within each other, in UTF-16, Latin-1 and base64. The time is linear in the bytes, and hardly grows with the number of values.
 *
 * @example
 * const { search } = createRemovedSearch([{ type: 'email', value: 'ada@forge.example' }])
 * search(Buffer.from('?to=ada%40forge.example'), ({ type }) => type === 'email') // true
 */
export function createRemovedSearch(
  values: RemovedList,
  { doubtful = new Set(), keep = new Set() }: RemovedOptions = {},
): RemovedSearch {
  const forms = createForms(values)
  for (const each of values) forms.add(doubtful.has(each.value) ? undefined : each)
  const find = forms.finder()
  const look = (bytes: Buffer, cut: Cut, depth: number, visit: VisitRemoved): boolean => {
    const from = cut.before ? AROUND : 0
    const to = bytes.length - (cut.behind ? AROUND : 0)
    const ended = find(bytes, (found, form, start) => {
      const end = start + form.bytes.length
      if (start < from || end > to) return false
      const around = textAround(form, bytes, start, end)
      if (!isWhole({ ...found, ...around }, keep)) return false
      return visit(found, depth === 0 ? start : undefined)
    })
    if (ended || depth === DEEPEST) return ended
    for (const undone of [withoutZeros, undoEscapes]) {
      for (const { bytes: inner, isCutBefore, isCutBehind } of undone(bytes)) {
        const innerCut = { before: isCutBefore ?? cut.before, behind: isCutBehind ?? cut.behind }
        if (look(inner, innerCut, depth + 1, visit)) return true
      }
    }
    return false
  }
  return {
    search: (bytes, visit) => look(bytes, { before: false, behind: false }, 0, visit),
    stream(visit) {
      let waiting: Uint8Array[] = []
      let size = 0
      let isFirst = true
      const see = (isLast: boolean): boolean => {
        const bytes = Buffer.concat(waiting)
        const cut = { before: !isFirst, behind: !isLast }
        waiting = [bytes.subarray(-OVERLAP)]
        size = Math.min(OVERLAP, bytes.length)
        isFirst = isFirst && bytes.length <= OVERLAP
        return look(bytes, cut, 0, visit)
      }
      return {
        see(bytes) {
          waiting.push(bytes)
          size += bytes.length
          return size >= PART && see(false)
        },
        end: () => see(true),
      }
    },
  }
}

/** Where bytes go on that are not there. */
interface Cut {
  before: boolean
  behind: boolean
}

type VisitForm = (found: RemovedValue, form: WrittenForm, start: number) => boolean

const SAME = Uint8Array.from({ length: 256 }, (_, byte) => byte)
/** Five bits for each byte: six of them are one number. */
const CLASS = FOLD.map((byte) =>
  byte >= 0x61 && byte <= 0x7a ? byte - 0x60 : (byte * 11 + 27) & 31,
)
const MASK = 2 ** (5 * WINDOW) - 1
const FACTOR = 0x9e3779b1

/**
 * All forms of all values: there may be millions. Of each, only the key of its window and what is behind that are kept; where both
 * are found, the forms of its value are made again.
 */
function createForms(values: RemovedList) {
  /** By form. */
  const keys = createNumberList()
  const behinds = createNumberList()
  /** The first form of each value. */
  const firsts = createNumberList()
  const counts = new Uint8Array(2 ** COUNT_BITS)
  return {
    /** Adds the forms of the next value; without it, that value is not searched for. */
    add(value?: RemovedValue): void {
      firsts.push(keys.length)
      for (const { bytes } of value ? formsOf(value) : []) {
        const { key, end } = rarestWindow(bytes, counts)
        const slot = slotOf(key)
        if ((counts[slot] as number) < 255) counts[slot] = (counts[slot] as number) + 1
        keys.push(key)
        behinds.push(behindOf(bytes, end, Math.min(BEHIND, bytes.length - end)))
      }
    },
    finder(): (bytes: Buffer, visit: VisitForm) => boolean {
      const count = keys.length
      const bits = Math.max(12, Math.min(21, Math.ceil(Math.log2(count + 1)) + 1))
      const heads = new Int32Array(2 ** bits).fill(-1)
      const next = new Int32Array(count)
      const filterBits = Math.max(16, Math.min(26, Math.ceil(Math.log2(count + 1)) + 5))
      const filter = new Int32Array(2 ** (filterBits - 5))
      for (let i = 0; i < count; i++) {
        const hash = Math.imul(keys.at(i), FACTOR)
        next[i] = heads[hash >>> (32 - bits)] as number
        heads[hash >>> (32 - bits)] = i
        const bit = hash >>> (32 - filterBits)
        filter[bit >>> 5] = (filter[bit >>> 5] as number) | (1 << bit)
      }
      const made = createLruCache<number, Forms>(MOST_MADE)
      const formsAt = (index: number): Forms => {
        const known = made.get(index)
        if (known) return known
        const value = values.at(index) as RemovedValue
        const forms = { value, forms: formsOf(value) }
        made.set(index, forms)
        return forms
      }
      const visitAt = (bytes: Buffer, key: number, end: number, visit: VisitForm): boolean => {
        let i = heads[Math.imul(key, FACTOR) >>> (32 - bits)] as number
        for (; i >= 0; i = next[i] as number) {
          if (keys.at(i) !== key || !isBehind(behinds.at(i), bytes, end)) continue
          const index = lastNotAbove(firsts, i)
          const { value, forms } = formsAt(index)
          const form = forms[i - firsts.at(index)] as WrittenForm
          const start = end - endOfWindow(form.bytes, key)
          if (isAt(form, bytes, start) && visit(value, form, start)) return true
        }
        return false
      }
      const shift = 32 - filterBits
      return (bytes, visit) => {
        if (count === 0) return false
        const scan: Scan = { key: 0, end: 0 }
        while (seek(bytes, scan, filter, shift)) {
          if (visitAt(bytes, scan.key, scan.end, visit)) return true
        }
        return false
      }
    },
  }
}

/** Where a search is: the key of the last bytes, and where they end. */
interface Scan {
  key: number
  end: number
}

/** Goes to the next window that may be one of a form. Nearly all time is spent here. */
function seek(bytes: Uint8Array, scan: Scan, filter: Int32Array, shift: number): boolean {
  const { length } = bytes
  const classes = CLASS
  let { key, end } = scan
  while (end < length) {
    key = ((key << 5) | (classes[bytes[end++] as number] as number)) & MASK
    const bit = Math.imul(key, FACTOR) >>> shift
    if (((filter[bit >>> 5] as number) & (1 << bit)) === 0) continue
    scan.key = key
    scan.end = end
    return true
  }
  return false
}

interface Forms {
  value: RemovedValue
  forms: readonly WrittenForm[]
}

/** Values whose forms are kept when they were made again. */
const MOST_MADE = 2 ** 8

const formsOf = ({ value }: RemovedValue): WrittenForm[] =>
  writtenForms(value).filter(({ bytes }) => bytes.length >= WINDOW)

/** Whether a form is at a place. */
function isAt(form: WrittenForm, bytes: Uint8Array, start: number): boolean {
  const { length } = form.bytes
  if (start < 0 || start + length > bytes.length) return false
  const fold = form.coding === 'base64' ? SAME : FOLD
  for (let at = 0; at < length; at++) {
    if (form.bytes[at] !== fold[bytes[start + at] as number]) return false
  }
  return true
}

/** The index of the last of rising numbers that is not above a bound: of equal ones, those before it have no forms. */
function lastNotAbove(numbers: NumberList, bound: number): number {
  let [low, high] = [0, numbers.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (numbers.at(middle) <= bound) low = middle + 1
    else high = middle
  }
  return low - 1
}

const COUNT_BITS = 22
const slotOf = (key: number): number => Math.imul(key, FACTOR) >>> (32 - COUNT_BITS)

/** Windows of a form that are considered, at most. */
const MOST_WINDOWS = 40

/** The window of a form that the fewest others have, and its end: there are bytes behind it if the form is long enough. */
function rarestWindow(bytes: Uint8Array, counts: Uint8Array): { key: number; end: number } {
  const last = Math.max(WINDOW, Math.min(bytes.length - BEHIND, WINDOW + MOST_WINDOWS))
  let best = { key: 0, end: WINDOW }
  let fewest = Number.POSITIVE_INFINITY
  let key = 0
  for (let end = 1; end <= last; end++) {
    key = ((key << 5) | (CLASS[bytes[end - 1] as number] as number)) & MASK
    if (end < WINDOW) continue
    const count = counts[slotOf(key)] as number
    if (count >= fewest) continue
    fewest = count
    best = { key, end }
    if (count === 0) break
  }
  return best
}

/** Bytes behind a window that are compared before a form is made again: few texts have both. */
const BEHIND = 5

/** So many bytes from a place as a number: five bits for each, and above these their count. */
function behindOf(bytes: Uint8Array, start: number, count: number): number {
  let classes = 0
  for (let at = start; at < start + count; at++) {
    classes = (classes << 5) | (CLASS[bytes[at] as number] as number)
  }
  return (count << (5 * BEHIND)) | classes
}

const isBehind = (behind: number, bytes: Uint8Array, start: number): boolean =>
  behindOf(bytes, start, behind >>> (5 * BEHIND)) === behind

/** Where the first window with a key ends in a form that has it. */
function endOfWindow(bytes: Uint8Array, searched: number): number {
  let key = 0
  let end = 0
  while (end < WINDOW || key !== searched) {
    key = ((key << 5) | (CLASS[bytes[end++] as number] as number)) & MASK
  }
  return end
}
