import type { ArchiveEntry } from '../archive/entry.ts'
import type { Report } from '../base/errors.ts'
import { asBytes, collect, peek } from '../base/streams.ts'
import type { JsonObject } from '../records/json/json.ts'
import { writeRecords } from '../records/write-records.ts'
import { BRACKETS, ndjsonToArray } from './ndjson-to-array.ts'
import { unwrapRecords } from './unwrap-records.ts'

/** Records of one kind as content of an entry; without `stem`, a file that may hold none. */
export interface LooseRecords {
  stem: string | undefined
  entry: Pick<ArchiveEntry, 'size' | 'content'>
}

/** Up to this size, a file is searched for an object around its records. */
const KEPT = 16 * 2 ** 20
/** Bytes in which the first character other than white space must be. */
const HEAD = 4096

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf])

/**
 * The records of a file named after `stem`: unchanged from an array, as an array from NDJSON, and by kind from an object
 * with lists of records. A file without records is passed on unchanged, as is a damaged one: its reader reports it.
 */
export async function* looseRecords(
  { path, size, content }: Pick<ArchiveEntry, 'path' | 'size' | 'content'>,
  stem: string | undefined,
  report: Report | undefined,
): AsyncGenerator<LooseRecords> {
  const { head, bytes } = await peek(content, HEAD)
  const mark = head.indexOf(BYTE_ORDER_MARK) === 0 ? BYTE_ORDER_MARK.length : 0
  const isObjects = head.toString('latin1', mark).trimStart().startsWith('{')
  const isLarge = size > KEPT
  if (!isObjects || (isLarge && stem === undefined)) {
    yield { stem, entry: { size, content: bytes } }
    return
  }
  const array = ndjsonToArray(withoutFirst(mark, bytes))
  if (isLarge) {
    yield { stem, entry: { size: size - mark + BRACKETS, content: array.bytes } }
    return
  }
  const whole = await collect(array.bytes)
  const lists = array.count() === 1 ? unwrapRecords(whole.toString(), { path, stem, report }) : []
  for (const list of lists) {
    const pieces = writeRecords(list.records as JsonObject[], { emptyArray: 'new' })
    yield { stem: list.stem, entry: inMemory(Buffer.concat([...pieces])) }
  }
  if (lists.length > 0) return
  yield { stem, entry: inMemory(stem === undefined ? whole.subarray(1, -1) : whole) }
}

async function* withoutFirst(
  count: number,
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let left = count
  for await (const chunk of bytes) {
    yield chunk.subarray(left)
    left = Math.max(0, left - chunk.length)
  }
}

const inMemory = (bytes: Uint8Array): LooseRecords['entry'] => ({
  size: bytes.length,
  content: asBytes([bytes]),
})
