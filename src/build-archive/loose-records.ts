import type { ArchiveEntry } from '../archive/entry.ts'
import type { Report } from '../errors.ts'
import type { JsonObject } from '../records/json/json.ts'
import { writeRecords } from '../records/write-records.ts'
import { asBytes, collect, peek } from '../streams.ts'
import { BRACKETS, ndjsonToArray } from './ndjson-to-array.ts'
import { unwrapRecords } from './unwrap-records.ts'

/** Records of one kind as the content of an entry; without a kind what is not known to hold any. */
export interface LooseRecords {
  stem: string | undefined
  entry: Pick<ArchiveEntry, 'size' | 'content'>
}

/** Bytes up to which a file is looked into for an object around its records. */
const KEPT = 16 * 2 ** 20
/** Bytes in which a file begins: before that there may be spaces. */
const HEAD = 4096

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf])

/**
 * The records of a file that is called as those of `stem` are: as they stand in it if it is an array, as an array if
 * they stand one after the other, and of every kind that an object around them has lists of. A file without any comes
 * as it is, and one that is damaged for its reader to tell.
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
