import { createHash } from 'node:crypto'
import type { StoredFile } from './stored-file.ts'

/** Where each object of a pack begins, and the CRC-32 of its bytes, as the index says. */
export interface PackEntries {
  count: number
  offsets: Float64Array
  sums: Uint32Array
  /** Numbers of the objects in the order in which they stand in the pack. */
  order: Uint32Array
  oidAt(place: number): string
  /** The checksum of the pack. */
  pack: string
  faults: string[]
}

const MAGIC = 0xff744f63
const NAMES = 8 + 256 * 4
const NAME = 20
const LARGE = 0x80000000
const AT_ONCE = 2 ** 20
const MOST_FAULTS = 10

/** Reads an index of version 2 from end to end: 16 bytes of memory for each object. */
export function readPackEntries(file: StoredFile): PackEntries | string {
  const head = file.read(0, NAMES)
  if (head.length < NAMES || head.readUInt32BE(0) !== MAGIC || head.readUInt32BE(4) !== 2) {
    return 'this is no index of a pack, version 2'
  }
  const count = head.readUInt32BE(NAMES - 4)
  const sumsAt = NAMES + NAME * count
  const offsetsAt = sumsAt + 4 * count
  const largeAt = offsetsAt + 4 * count
  const largeCount = (file.size - 2 * NAME - largeAt) / 8
  if (largeCount < 0 || !Number.isInteger(largeCount) || largeCount > count) {
    return `its size is not that of an index of ${count} objects`
  }
  const offsets = new Float64Array(count)
  const sums = new Uint32Array(count)
  const faults: string[] = []
  eachNumber(file, sumsAt, count, (sum, i) => {
    sums[i] = sum
  })
  eachNumber(file, offsetsAt, count, (offset, i) => {
    const large = offset - LARGE
    if (large >= largeCount && faults.length < MOST_FAULTS)
      faults.push(`its object ${i} is beyond the end of the index`)
    const isLarge = large >= 0 && large < largeCount
    offsets[i] = isLarge ? Number(file.read(largeAt + 8 * large, 8).readBigUInt64BE(0)) : offset
  })
  if (!inOrder(file, head, count)) faults.push('its names are out of order')
  const order = Uint32Array.from(offsets, (_, i) => i)
  order.sort((a, b) => (offsets[a] as number) - (offsets[b] as number))
  const end = file.read(file.size - 2 * NAME, 2 * NAME)
  const hash = createHash('sha1')
  for (let at = 0; at < file.size - NAME; at += AT_ONCE) {
    hash.update(file.read(at, Math.min(AT_ONCE, file.size - NAME - at)))
  }
  if (!hash.digest().equals(end.subarray(NAME))) {
    faults.push('its checksum is not that of its bytes')
  }
  return {
    count,
    offsets,
    sums,
    order,
    oidAt: (place) => file.read(NAMES + NAME * place, NAME).toString('hex'),
    pack: end.toString('hex', 0, NAME),
    faults,
  }
}

function eachNumber(
  file: StoredFile,
  at: number,
  count: number,
  see: (value: number, i: number) => void,
): void {
  for (let i = 0; i < count; ) {
    const bytes = file.read(at + 4 * i, Math.min(AT_ONCE, 4 * (count - i)))
    for (let j = 0; j + 4 <= bytes.length; j += 4) see(bytes.readUInt32BE(j), i++)
    if (bytes.length < 4) return
  }
}

/** Whether names rise, and as many begin with each byte as the table at the beginning says. */
function inOrder(file: StoredFile, head: Buffer, count: number): boolean {
  let last: Buffer = Buffer.alloc(0)
  const found = new Uint32Array(256)
  for (let i = 0; i < count; i++) {
    const name = file.read(NAMES + NAME * i, NAME)
    if (last.compare(name) >= 0) return false
    last = name
    const first = name[0] as number
    found[first] = (found[first] as number) + 1
  }
  let sum = 0
  return found.every((more, byte) => {
    sum += more
    return head.readUInt32BE(8 + 4 * byte) === sum
  })
}
