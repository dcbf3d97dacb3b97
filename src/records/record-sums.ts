import { crc32 } from 'node:zlib'
import type { Bytes } from '../base/streams.ts'
import type { PrintedPlaces } from './print-record-file.ts'
import type { PlacedRecord } from './read-records.ts'
import { AROUND, type JsonForm, printRecord } from './write-records.ts'

/** The layout of a record file, with which a build makes the same bytes. */
export type Layout = 'host' | 'compact' | 'other'

/** Facts about a record file that has been read. */
export interface FileSums {
  crc32: number
  layout: Layout
  /** The CRC-32 of each record as a build prints it: 4 bytes per element, 0 for one that is not a record. */
  checksums: Buffer
}

/** Computes the checksums of a record file and its records while they are read. */
export interface RecordSums {
  bytes: Bytes
  /** The same bytes of a file that is not canonical; notes its form. */
  watch(bytes: Bytes): Bytes
  /** All records of a file that is printed as the host prints it. */
  addPrinted(places: PrintedPlaces, records: number): void
  add(records: readonly PlacedRecord[]): void
  finish(size: number): FileSums
}

const OLD_EMPTY = Buffer.from('[\n\n')

/** @param crc32Of the CRC-32 of the whole file, if it is known after its last byte; otherwise it is computed here */
export function createRecordSums(content: Bytes, crc32Of?: () => number | undefined): RecordSums {
  const checksums = new Checksums()
  const file = { crc32: 0, start: '', form: { emptyArray: 'new', compact: false } as JsonForm }
  async function* summed() {
    for await (const chunk of content) {
      if (!crc32Of) file.crc32 = crc32(chunk, file.crc32)
      yield chunk
    }
  }
  async function* watch(bytes: Bytes) {
    for await (const chunk of bytes) {
      if (file.start.length < 2) {
        file.start += Buffer.from(chunk.subarray(0, 2)).toString('latin1')
        file.form.compact = /^\[[{\]]/.test(file.start)
      }
      const isNew = file.form.emptyArray === 'new'
      if (isNew && Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length).includes(OLD_EMPTY)) {
        file.form.emptyArray = 'old'
      }
      yield chunk
    }
  }
  /** CRC-32 of the records as a build prints them, in order. */
  const built = { crc32: 0, size: 0 }
  const build = (bytes: Uint8Array) => {
    built.crc32 = crc32(bytes, built.crc32)
    built.size += bytes.length
  }
  return {
    bytes: summed(),
    watch,
    addPrinted({ memory, from, to }, records) {
      checksums.plain = true
      for (let i = 0; i < records; i++) checksums.set(i + 1, crc32(memory.subarray(from[i], to[i])))
    },
    add(records) {
      const { compact } = file.form
      for (const { record, index } of records) {
        const bytes = printRecord(record, file.form)
        checksums.set(index, crc32(bytes))
        build(
          built.size === 0 ? (compact ? OPEN : AROUND.before) : compact ? COMMA : AROUND.between,
        )
        build(bytes)
      }
    },
    finish(size) {
      const { compact, emptyArray } = file.form
      const whole = crc32Of?.() ?? file.crc32
      if (built.size > 0) build(compact ? CLOSE : AROUND.after)
      else build(Buffer.from(compact || emptyArray === 'new' ? '[]' : '[\n\n]'))
      const isSame = checksums.plain || (built.size === size && built.crc32 === whole)
      const layout = isSame ? (compact && size > 2 ? 'compact' : 'host') : 'other'
      return { crc32: whole, layout, checksums: checksums.bytes() }
    },
  }
}

const [OPEN, COMMA, CLOSE] = ['[', ',', ']'].map((text) => Buffer.from(text)) as Brackets
type Brackets = [open: Buffer, comma: Buffer, close: Buffer]

/** Checksums by the number of the record, from 1. */
class Checksums {
  #bytes = Buffer.alloc(400)
  #length = 0
  /** Whether the records are canonical. */
  plain = false

  set(index: number, sum: number): void {
    this.#reserve(index * 4)
    this.#bytes.writeUInt32BE(sum, (index - 1) * 4)
  }

  bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }

  #reserve(length: number): void {
    this.#length = Math.max(this.#length, length)
    if (length <= this.#bytes.length) return
    const larger = Buffer.alloc(Math.max(length, this.#bytes.length * 2))
    this.#bytes.copy(larger)
    this.#bytes = larger
  }
}
