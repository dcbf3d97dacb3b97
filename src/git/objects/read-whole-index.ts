import { createHash } from 'node:crypto'
import { type IndexLayout, LARGE, NAME, readIndexLayout, readOffset } from './pack-index.ts'
import type { RandomAccessFile } from './random-access-file.ts'

/** The offset and CRC-32 of each object, as given by the index. */
export interface PackEntries {
  count: number
  offsets: Float64Array
  /** Undefined in version 1. */
  sums: Uint32Array | undefined
  /** The positions of the objects in the order of the pack. */
  order: Uint32Array
  oidAt(place: number): string
  /** The checksum of the pack. */
  pack: string
  faults: string[]
}

const READ_AT_ONCE = 2 ** 20
const MOST_FAULTS = 10

/** Reads a whole index, whose ids may be known. Memory: 16 bytes per object, and 20 for its id. */
export function readPackEntries(
  file: RandomAccessFile,
  ids: Buffer | string = readIds(file),
): PackEntries | string {
  const layout = readIndexLayout(file)
  if (typeof layout === 'string') return layout
  if (typeof ids === 'string') return ids
  const { count } = layout
  const faults: string[] = []
  const offsets = readOffsets(file, layout, (i) => {
    if (faults.length === MOST_FAULTS) return
    faults.push(`the offset of object ${i} points beyond the end of the index`)
  })
  if (!areSorted(layout, ids)) faults.push('its object ids are not sorted')
  const order = inOffsetOrder(offsets)
  const end = file.read(file.size - 2 * NAME, 2 * NAME)
  const hash = createHash('sha1')
  for (let at = 0; at < file.size - NAME; at += READ_AT_ONCE) {
    hash.update(file.read(at, Math.min(READ_AT_ONCE, file.size - NAME - at)))
  }
  if (!hash.digest().equals(end.subarray(NAME))) {
    faults.push('its checksum does not match')
  }
  return {
    count,
    offsets,
    sums: layout.sums === undefined ? undefined : readNumbers(file, layout.sums, count),
    order,
    oidAt: (place) => ids.toString('hex', NAME * place, NAME * (place + 1)),
    pack: end.toString('hex', 0, NAME),
    faults,
  }
}

/** Reads the sorted ids of an index, 20 bytes each; a message if it is no index. */
export function readIds(file: RandomAccessFile): Buffer | string {
  const layout = readIndexLayout(file)
  if (typeof layout === 'string') return layout
  const { count, names, nameStep } = layout
  const ids = Buffer.alloc(NAME * count)
  for (let place = 0; place < count; ) {
    const some = Math.min(Math.floor(READ_AT_ONCE / nameStep), count - place)
    const bytes = file.read(names + nameStep * place, nameStep * some)
    for (let i = 0; i < some; i++) {
      bytes.copy(ids, NAME * place++, nameStep * i, nameStep * i + NAME)
    }
  }
  return ids
}

/** The offsets of all objects, 0 for one that points nowhere. */
function readOffsets(
  file: RandomAccessFile,
  layout: IndexLayout,
  wrong: (place: number) => void,
): Float64Array {
  const { count, version } = layout
  const small = version === 2 ? readNumbers(file, layout.offsets, count) : undefined
  const offsets = new Float64Array(count)
  for (let i = 0; i < count; i++) {
    let offset: number | undefined = small?.[i] ?? LARGE
    if (offset >= LARGE) offset = readOffset(file, layout, i)
    if (offset === undefined) wrong(i)
    offsets[i] = offset ?? 0
  }
  return offsets
}

const DIGITS = 2 ** 16

/** The positions of the objects in the order of their offsets, by a radix sort: one with comparisons takes ten times as long. */
function inOffsetOrder(offsets: Float64Array): Uint32Array {
  let order = new Uint32Array(offsets.length)
  let sorted = new Uint32Array(offsets.length)
  let highest = 0
  for (let i = 0; i < order.length; i++) {
    order[i] = i
    highest = Math.max(highest, offsets[i] as number)
  }
  const from = new Uint32Array(DIGITS)
  for (let scale = 1; scale <= highest; scale *= DIGITS) {
    const digitOf = (place: number) => Math.floor((offsets[place] as number) / scale) % DIGITS
    from.fill(0)
    for (const place of order) from[digitOf(place)] = (from[digitOf(place)] as number) + 1
    let sum = 0
    for (let digit = 0; digit < DIGITS; digit++) {
      const count = from[digit] as number
      from[digit] = sum
      sum += count
    }
    for (const place of order) {
      const digit = digitOf(place)
      sorted[from[digit] as number] = place
      from[digit] = (from[digit] as number) + 1
    }
    ;[order, sorted] = [sorted, order]
  }
  return order
}

function readNumbers(file: RandomAccessFile, at: number, count: number): Uint32Array {
  const numbers = new Uint32Array(count)
  for (let i = 0; i < count; ) {
    const bytes = file.read(at + 4 * i, Math.min(READ_AT_ONCE, 4 * (count - i)))
    if (bytes.length < 4) break
    for (let j = 0; j + 4 <= bytes.length; j += 4) numbers[i++] = bytes.readUInt32BE(j)
  }
  return numbers
}

/** Whether ids are sorted and agree with the fan-out table. */
function areSorted({ count, upTo }: IndexLayout, ids: Buffer): boolean {
  const found = new Uint32Array(256)
  for (let i = 0; i < count; i++) {
    const at = NAME * i
    const first = ids[at] as number
    found[first] = (found[first] as number) + 1
    if (i > 0 && ids.compare(ids, at - NAME, at, at, at + NAME) <= 0) return false
  }
  let sum = 0
  return found.every((more, byte) => {
    sum += more
    return upTo[byte] === sum
  })
}
