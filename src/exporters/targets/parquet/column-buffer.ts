import type { ColumnChunk, Encoding, PageHeader, SchemaElement } from 'hyparquet'
import type { TypedValue } from '../../to-typed.ts'
import { type Bound, Bounds } from './bounds.ts'
import { type BufferPool, GrowingBytes } from './growing-bytes.ts'
import { Levels } from './levels.ts'
import { bitsOf, type ParquetOutput } from './parquet-output.ts'

/** A column of the schema that has values: each other one is a list or a struct of such columns. */
export interface LeafColumn {
  readonly element: SchemaElement
  /** The names from the top. */
  readonly path: string[]
  /** The definition level of a value that is not NULL. */
  readonly maxDefinition: number
  readonly isRepeated: boolean
  /** Whether to write the minimum and the maximum, by which readers skip row groups. */
  readonly hasStatistics: boolean
}

/** The number of values after which each time it is checked whether a dictionary is worthwhile. */
const SAMPLE = 1024
const MOST_DICTIONARY_BYTES = 2 ** 20
/** The number of values that 16 bits tell apart. */
const MOST_ENTRIES = 2 ** 16
/** Approximate bytes of an entry of the dictionary in memory, beside those of its value. */
const ENTRY_SIZE = 96

/**
 * The values of a column for the next row group. They are encoded as they come: as objects they would take several times
 * the memory. Values that repeat are written once, in a dictionary, if that halves their bytes.
 */
export class ColumnBuffer {
  readonly #column: LeafColumn
  readonly #pool: BufferPool
  readonly #definitions: Levels
  readonly #repetitions: Levels
  #values: GrowingBytes
  /** Positions in the dictionary, while there is one; `#values` has the values of the dictionary then. */
  #indexes = NONE
  readonly #entries = new Map<TypedValue, number>()
  readonly #starts: number[] = []
  #hasDictionary: boolean
  /** Values that are not NULL, and their bytes without a dictionary. */
  #count = 0
  #plainBytes = 0
  #bounds = new Bounds()

  constructor(column: LeafColumn, pool: BufferPool) {
    this.#column = column
    this.#pool = pool
    this.#definitions = new Levels(pool)
    this.#repetitions = new Levels(pool)
    this.#values = new GrowingBytes(pool)
    this.#hasDictionary = column.element.type !== 'BOOLEAN'
  }

  /**
   * Adds a value, or a NULL if `definition` is below the maximum. Returns by how many bytes the column grew in memory,
   * approximately.
   */
  add(definition: number, repetition: number, value: TypedValue): number {
    this.#definitions.add(definition)
    if (this.#column.isRepeated) this.#repetitions.add(repetition)
    if (definition < this.#column.maxDefinition) return 1
    const before = this.#values.length
    if (!this.#hasDictionary) {
      this.#append(value)
      this.#count++
      if (this.#column.hasStatistics) this.#bounds.add(value as Bound)
      return 1 + this.#values.length - before
    }
    let index = this.#entries.get(value)
    let entrySize = 0
    if (index === undefined) {
      index = this.#entries.size
      this.#entries.set(value, index)
      this.#starts.push(before)
      this.#append(value)
      if (this.#column.hasStatistics) this.#bounds.add(value as Bound)
      entrySize = ENTRY_SIZE
    }
    if (this.#count === this.#indexes.length) this.#growIndexes()
    this.#indexes[this.#count++] = index
    this.#plainBytes += this.#end(index) - (this.#starts[index] as number)
    const size = 3 + entrySize + this.#values.length - before
    if (this.#count % SAMPLE > 0 && this.#hasRoom()) return size
    return this.#pays() ? size : size + this.#dropDictionary()
  }

  /** Writes the values as a column chunk with one page of data, and clears the buffer. */
  write(out: ParquetOutput): ColumnChunk {
    const { element, path } = this.#column
    if (this.#hasDictionary && !this.#pays()) this.#dropDictionary()
    const offset = BigInt(out.offset)
    let uncompressed = 0
    if (this.#hasDictionary) {
      const header = { num_values: this.#entries.size, encoding: 'PLAIN' } as const
      uncompressed += out.page(this.#values.bytes, {
        type: 'DICTIONARY_PAGE',
        dictionary_page_header: header,
      })
    }
    const dataOffset = BigInt(out.offset)
    const encoding: Encoding = this.#hasDictionary ? 'RLE_DICTIONARY' : 'PLAIN'
    const values = this.#definitions.length
    uncompressed += out.page(this.#page(out), {
      type: 'DATA_PAGE',
      data_page_header: {
        ...{ num_values: values, encoding },
        ...{ definition_level_encoding: 'RLE', repetition_level_encoding: 'RLE' },
      },
    } satisfies Partial<PageHeader>)
    const statistics = this.#column.hasStatistics && {
      null_count: BigInt(values - this.#count),
      ...this.#bounds.statistics,
    }
    const chunk: ColumnChunk = {
      file_offset: offset,
      meta_data: {
        type: element.type as NonNullable<SchemaElement['type']>,
        encodings: this.#hasDictionary ? ['PLAIN', 'RLE', encoding] : ['RLE', encoding],
        path_in_schema: path,
        codec: out.codec,
        num_values: BigInt(values),
        total_compressed_size: BigInt(out.offset) - offset,
        total_uncompressed_size: BigInt(uncompressed),
        data_page_offset: dataOffset,
        ...(this.#hasDictionary && { dictionary_page_offset: offset }),
        ...(statistics && { statistics }),
      },
    }
    this.#clear()
    return chunk
  }

  #append(value: TypedValue): void {
    const { type } = this.#column.element
    if (type === 'INT64') this.#values.addInteger(value as number | bigint)
    else if (type === 'BOOLEAN') this.#values.addByte(value ? 1 : 0)
    else this.#values.addText(value as string)
  }

  /** Whether the dictionary is small beside the values that it stands for. */
  #pays(): boolean {
    const { length } = this.#values
    return length > 0 && length * 2 <= this.#plainBytes && this.#hasRoom()
  }

  #hasRoom(): boolean {
    return this.#values.length < MOST_DICTIONARY_BYTES && this.#entries.size < MOST_ENTRIES
  }

  /** Where a value of the dictionary ends. */
  #end(index: number): number {
    return this.#starts[index + 1] ?? this.#values.length
  }

  /** Writes out the values in place of their positions. Returns by how many bytes the column grew. */
  #dropDictionary(): number {
    const before = this.#values.length + this.#count * 2 + this.#entries.size * ENTRY_SIZE
    const dictionary = this.#values
    const { bytes } = dictionary
    this.#values = new GrowingBytes(this.#pool)
    for (const index of this.#indexes.subarray(0, this.#count)) {
      this.#values.add(bytes.subarray(this.#starts[index], this.#starts[index + 1]))
    }
    dictionary.clear()
    this.#forgetDictionary()
    this.#hasDictionary = false
    return this.#values.length - before
  }

  /** The levels and values in the form of a page. */
  #page(out: ParquetOutput): Uint8Array {
    const { maxDefinition, isRepeated, element } = this.#column
    const page = out.beginPage()
    if (isRepeated) out.levels(this.#repetitions, 1)
    out.levels(this.#definitions, maxDefinition)
    if (this.#hasDictionary) {
      const width = bitsOf(this.#entries.size - 1)
      page.appendUint8(width)
      out.runs(this.#indexes.subarray(0, this.#count), width)
    } else if (element.type === 'BOOLEAN') page.appendBytes(packBits(this.#values.bytes))
    else page.appendBytes(this.#values.bytes)
    return page.getBytes()
  }

  #clear(): void {
    for (const part of [this.#definitions, this.#repetitions, this.#values]) part.clear()
    this.#forgetDictionary()
    this.#hasDictionary = this.#column.element.type !== 'BOOLEAN'
    this.#count = 0
    this.#bounds = new Bounds()
  }

  #forgetDictionary(): void {
    this.#entries.clear()
    this.#starts.length = 0
    this.#plainBytes = 0
    this.#pool.give(Buffer.from(this.#indexes.buffer))
    this.#indexes = NONE
  }

  #growIndexes(): void {
    const { buffer } = this.#pool.take(Math.max(1, this.#indexes.byteLength * 2))
    const larger = new Uint16Array(buffer as ArrayBuffer)
    larger.set(this.#indexes)
    this.#pool.give(Buffer.from(this.#indexes.buffer))
    this.#indexes = larger
  }
}

const NONE = new Uint16Array(0)

/** One bit for each byte, the lowest first. */
function packBits(flags: Uint8Array): Uint8Array {
  const packed = new Uint8Array(Math.ceil(flags.length / 8))
  for (let i = 0; i < flags.length; i++)
    packed[i >> 3] = (packed[i >> 3] as number) | ((flags[i] as number) << (i & 7))
  return packed
}
