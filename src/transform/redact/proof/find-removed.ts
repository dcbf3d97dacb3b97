import type { ValueType } from '../finding.ts'
import { undoEscapes, withoutZeros } from './undo-escapes.ts'
import { isWhole } from './whole-values.ts'
import { AROUND, type Coding, textAround, type WrittenForm, writtenForms } from './written-forms.ts'

/** A value that was removed. */
export interface RemovedValue {
  type: ValueType
  value: string
}

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
export const WINDOW = 6
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
  values: Iterable<RemovedValue>,
  { doubtful = new Set(), keep = new Set() }: RemovedOptions = {},
): RemovedSearch {
  const forms = createForms()
  for (const each of values) if (!doubtful.has(each.value)) forms.add(each)
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

const CODINGS: readonly Coding[] = ['utf-8', 'latin1', 'utf-16le', 'utf-16be', 'base64']
const BASE64 = CODINGS.indexOf('base64')

/** Letters of ASCII in lower case. */
const FOLD = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte,
)
const SAME = Uint8Array.from({ length: 256 }, (_, byte) => byte)
/** Five bits for each byte: six of them are one number. */
const CLASS = FOLD.map((byte) =>
  byte >= 0x61 && byte <= 0x7a ? byte - 0x60 : (byte * 11 + 27) & 31,
)
const MASK = 2 ** (5 * WINDOW) - 1
const FACTOR = 0x9e3779b1

/** All forms of all values, in arrays: there may be a million. */
function createForms() {
  const values: RemovedValue[] = []
  let bytesOfForms = Buffer.alloc(2 ** 16)
  let used = 0
  // By form: where its bytes begin, the value, the coding with its shift, the window, and where that begins.
  const starts: number[] = []
  const owners: number[] = []
  const codings: number[] = []
  const keys: number[] = []
  const windows: number[] = []
  const counts = new Uint8Array(2 ** COUNT_BITS)
  const keep = (bytes: Uint8Array) => {
    if (used + bytes.length > bytesOfForms.length) {
      const larger = Buffer.alloc(2 * bytesOfForms.length + bytes.length)
      bytesOfForms.copy(larger)
      bytesOfForms = larger
    }
    bytesOfForms.set(bytes, used)
    starts.push(used)
    used += bytes.length
  }
  return {
    add(value: RemovedValue): void {
      let isKept = false
      for (const { coding, bytes, shift = 0 } of writtenForms(value.value)) {
        if (bytes.length < WINDOW) continue
        if (!isKept) values.push(value)
        isKept = true
        const { key, at } = rarestWindow(bytes, counts)
        const slot = slotOf(key)
        if ((counts[slot] as number) < 255) counts[slot] = (counts[slot] as number) + 1
        keep(coding === 'base64' ? bytes : bytes.map((byte) => FOLD[byte] as number))
        owners.push(values.length - 1)
        codings.push(CODINGS.indexOf(coding) + 8 * shift)
        keys.push(key)
        windows.push(at)
      }
    },
    finder(): (bytes: Buffer, visit: VisitForm) => boolean {
      const count = keys.length
      starts.push(used)
      const bits = Math.max(12, Math.min(22, Math.ceil(Math.log2(count + 1)) + 1))
      const heads = new Int32Array(2 ** bits).fill(-1)
      const next = new Int32Array(count)
      const filterBits = Math.min(26, bits + 4)
      const filter = new Int32Array(2 ** (filterBits - 5))
      for (let i = 0; i < count; i++) {
        const hash = Math.imul(keys[i] as number, FACTOR)
        next[i] = heads[hash >>> (32 - bits)] as number
        heads[hash >>> (32 - bits)] = i
        const bit = hash >>> (32 - filterBits)
        filter[bit >>> 5] = (filter[bit >>> 5] as number) | (1 << bit)
      }
      const formOf = (i: number): WrittenForm => {
        const code = codings[i] as number
        return {
          coding: CODINGS[code % 8] as Coding,
          shift: code >> 3,
          bytes: bytesOfForms.subarray(starts[i], starts[i + 1]),
        }
      }
      const pool = Uint8Array.from(bytesOfForms.subarray(0, used))
      const [startOf, windowOf] = [Int32Array.from(starts), Int32Array.from(windows)]
      const keyOf = Int32Array.from(keys)
      const isExact = Uint8Array.from(codings, (code) => (code % 8 === BASE64 ? 1 : 0))
      const isAt = (i: number, bytes: Buffer, start: number): boolean => {
        const from = startOf[i] as number
        const length = (startOf[i + 1] as number) - from
        if (start < 0 || start + length > bytes.length) return false
        const fold = isExact[i] === 1 ? SAME : FOLD
        for (let at = 0; at < length; at++) {
          if (pool[from + at] !== fold[bytes[start + at] as number]) return false
        }
        return true
      }
      const visitAt = (bytes: Buffer, key: number, end: number, visit: VisitForm): boolean => {
        let i = heads[Math.imul(key, FACTOR) >>> (32 - bits)] as number
        for (; i >= 0; i = next[i] as number) {
          if (keyOf[i] !== key) continue
          const start = end - WINDOW - (windowOf[i] as number)
          if (!isAt(i, bytes, start)) continue
          if (visit(values[owners[i] as number] as RemovedValue, formOf(i), start)) return true
        }
        return false
      }
      const shift = 32 - filterBits
      return (bytes, visit) => {
        if (count === 0) return false
        let key = 0
        for (let at = 0; at < bytes.length; ) {
          key = ((key << 5) | (CLASS[bytes[at++] as number] as number)) & MASK
          const bit = Math.imul(key, FACTOR) >>> shift
          if (((filter[bit >>> 5] as number) & (1 << bit)) === 0) continue
          if (visitAt(bytes, key, at, visit)) return true
        }
        return false
      }
    },
  }
}

const COUNT_BITS = 22
const slotOf = (key: number): number => Math.imul(key, FACTOR) >>> (32 - COUNT_BITS)

/** Windows of a form that are considered, at most. */
const MOST_WINDOWS = 40

/** The window of a form that the fewest others have. */
function rarestWindow(bytes: Buffer, counts: Uint8Array) {
  let [best, bestAt, fewest, key] = [0, 0, Number.POSITIVE_INFINITY, 0]
  for (let at = 0; at < Math.min(bytes.length, WINDOW + MOST_WINDOWS); at++) {
    key = ((key << 5) | (CLASS[bytes[at] as number] as number)) & MASK
    if (at < WINDOW - 1) continue
    const count = counts[slotOf(key)] as number
    if (count >= fewest) continue
    ;[best, bestAt, fewest] = [key, at - WINDOW + 1, count]
    if (count === 0) break
  }
  return { key: best, at: bestAt }
}
