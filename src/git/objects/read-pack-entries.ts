import { createHash } from 'node:crypto'
import { type IndexLayout, NAME, readIndexLayout, readOffset } from './pack-index.ts'
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

const AT_ONCE = 2 ** 20
const MOST_FAULTS = 10

/** Reads a whole index. Memory: 16 bytes per object. */
export function readPackEntries(file: RandomAccessFile): PackEntries | string {
  const layout = readIndexLayout(file)
  if (typeof layout === 'string') return layout
  const { count, names, nameStep } = layout
  const nameAt = (place: number) => file.read(names + nameStep * place, NAME)
  const faults: string[] = []
  const offsets = Float64Array.from({ length: count }, (_, i) => {
    const offset = readOffset(file, layout, i)
    if (offset === undefined && faults.length < MOST_FAULTS) {
      faults.push(`the offset of object ${i} points beyond the end of the index`)
    }
    return offset ?? 0
  })
  if (!inOrder(layout, nameAt)) faults.push('its object ids are not sorted')
  const order = Uint32Array.from(offsets, (_, i) => i)
  order.sort((a, b) => (offsets[a] as number) - (offsets[b] as number))
  const end = file.read(file.size - 2 * NAME, 2 * NAME)
  const hash = createHash('sha1')
  for (let at = 0; at < file.size - NAME; at += AT_ONCE) {
    hash.update(file.read(at, Math.min(AT_ONCE, file.size - NAME - at)))
  }
  if (!hash.digest().equals(end.subarray(NAME))) {
    faults.push('its checksum does not match')
  }
  return {
    count,
    offsets,
    sums: layout.sums === undefined ? undefined : readNumbers(file, layout.sums, count),
    order,
    oidAt: (place) => nameAt(place).toString('hex'),
    pack: end.toString('hex', 0, NAME),
    faults,
  }
}

function readNumbers(file: RandomAccessFile, at: number, count: number): Uint32Array {
  const numbers = new Uint32Array(count)
  for (let i = 0; i < count; ) {
    const bytes = file.read(at + 4 * i, Math.min(AT_ONCE, 4 * (count - i)))
    if (bytes.length < 4) break
    for (let j = 0; j + 4 <= bytes.length; j += 4) numbers[i++] = bytes.readUInt32BE(j)
  }
  return numbers
}

/** Whether ids are sorted and agree with the fan-out table. */
function inOrder({ count, upTo }: IndexLayout, nameAt: (place: number) => Buffer): boolean {
  let last: Buffer = Buffer.alloc(0)
  const found = new Uint32Array(256)
  for (let i = 0; i < count; i++) {
    const name = nameAt(i)
    if (last.compare(name) >= 0) return false
    last = name
    const first = name[0] as number
    found[first] = (found[first] as number) + 1
  }
  let sum = 0
  return found.every((more, byte) => {
    sum += more
    return upTo[byte] === sum
  })
}
