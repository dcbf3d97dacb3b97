import type { ColumnChunk, Encoding, PageHeader, SchemaElement } from 'hyparquet'
import type { Cells } from '../../../records/cells.ts'
import type { TypedValue } from '../../to-typed.ts'
import { type Bounds, boundsOfIntegers, boundsOfTexts } from './bounds.ts'
import { Dictionary } from './dictionary.ts'
import { type BufferPool, GrowingBytes, NO_BLOCK, packBits, USUAL } from './growing-bytes.ts'
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

/**
 * The values of a column for the next row group. They are encoded as they come: as objects they would take several times
 * the memory. Values that repeat are written once, in a dictionary, if that halves their bytes.
 */
export class ColumnBuffer {
  readonly #column: LeafColumn
  readonly #pool: BufferPool
  readonly #definitions: Levels
  readonly #repetitions: Levels
  readonly #dictionary: Dictionary
  /** Whether the values are in the dictionary. */
  #hasDictionary: boolean
  /** Positions in the dictionary, while there is one. */
  #positions = NO_BLOCK
  /** The values that are not in a dictionary. */
  readonly #plain: GrowingBytes
  /** Values that are not NULL, and their bytes without a dictionary. */
  #count = 0
  #plainBytes = 0
  #allBytes = 0
  /** The last value that was added as such, and its position: many columns repeat it. */
  #last: TypedValue | undefined
  #lastPosition = 0

  constructor(column: LeafColumn, pool: BufferPool) {
    this.#column = column
    this.#pool = pool
    this.#definitions = new Levels(pool)
    this.#repetitions = new Levels(pool)
    this.#dictionary = new Dictionary(pool)
    this.#plain = new GrowingBytes(pool, USUAL)
    this.#hasDictionary = column.element.type !== 'BOOLEAN'
  }

  /** Bytes of all values that were added, without a dictionary. */
  get plainBytes(): number {
    return this.#allBytes
  }

  /**
   * Adds a value, or a NULL if `definition` is below the maximum. Returns by how many bytes the column grew in memory,
   * approximately.
   */
  add(definition: number, repetition: number, value: TypedValue): number {
    if (this.#column.isRepeated) this.#repetitions.add(repetition)
    if (definition < this.#column.maxDefinition) {
      this.#definitions.add(definition)
      return 1
    }
    return this.#addValue(value)
  }

  /** The same for a column that is not in a list or struct. */
  addFlat(value: TypedValue): number {
    if (value !== null) return this.#addValue(value)
    this.#definitions.add(0)
    return 1
  }

  #addValue(value: TypedValue): number {
    this.#definitions.add(this.#column.maxDefinition)
    if (value === this.#last && this.#hasDictionary) return this.#notePosition(this.#lastPosition)
    this.#last = value
    const values = this.#values
    const before = values.length
    const { type } = this.#column.element
    if (type === 'INT64') values.addInteger(value as number | bigint)
    else if (type === 'BOOLEAN') values.addByte(value ? 1 : 0)
    else values.addText(value as string)
    return this.#note(before)
  }

  /** Adds the text of a cell, in a column that is not in a list or struct. Returns what `add` returns. */
  addCell(cells: Cells, cell: number): number {
    this.#definitions.add(this.#column.maxDefinition)
    this.#last = undefined
    const before = this.#values.length
    this.#values.addCell(cells, cell)
    return this.#note(before)
  }

  /** Writes the values as a column chunk with one page of data, and clears the buffer. */
  write(out: ParquetOutput): ColumnChunk {
    const { element, path } = this.#column
    if (this.#hasDictionary && !this.#pays()) this.#dropDictionary()
    const offset = BigInt(out.offset)
    let uncompressed = 0
    if (this.#hasDictionary) {
      const header = { num_values: this.#dictionary.size, encoding: 'PLAIN' } as const
      uncompressed += out.page(this.#dictionary.values.bytes, {
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
        num_values: values,
        encoding,
        definition_level_encoding: 'RLE',
        repetition_level_encoding: 'RLE',
      },
    } satisfies Partial<PageHeader>)
    const statistics = this.#column.hasStatistics && {
      null_count: BigInt(values - this.#count),
      ...this.#bounds(),
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

  get #values(): GrowingBytes {
    return this.#hasDictionary ? this.#dictionary.values : this.#plain
  }

  /** Takes the value that was added behind the others, which began at `start`, into the dictionary if there is one. */
  #note(start: number): number {
    const size = this.#values.length - start
    if (!this.#hasDictionary) {
      this.#count++
      this.#allBytes += size
      return 1 + size
    }
    const dictionary = this.#dictionary
    const before = dictionary.memory - size
    const position = dictionary.positionOf(start)
    const grown = dictionary.memory - before
    return grown + this.#notePosition(position)
  }

  #notePosition(position: number): number {
    const dictionary = this.#dictionary
    if (this.#count === this.#positions.shorts.length) {
      this.#positions = this.#pool.enlarge(this.#positions, this.#count * 4)
    }
    this.#positions.shorts[this.#count++] = position
    this.#lastPosition = position
    const size = dictionary.endOf(position) - dictionary.startOf(position)
    this.#plainBytes += size
    this.#allBytes += size
    if (this.#count % SAMPLE > 0 && dictionary.hasRoom) return 3
    return this.#pays() ? 3 : 3 + this.#dropDictionary()
  }

  /** Whether the dictionary is much smaller than the values that it replaces. */
  #pays(): boolean {
    const { values, hasRoom } = this.#dictionary
    return values.length > 0 && values.length * 2 <= this.#plainBytes && hasRoom
  }

  /** The positions of all values in the dictionary. */
  get #indexes(): Uint16Array {
    return this.#positions.shorts.subarray(0, this.#count)
  }

  /** Writes out the values in place of their positions. Returns by how many bytes the column grew. */
  #dropDictionary(): number {
    const dictionary = this.#dictionary
    const before = dictionary.memory + this.#count * 2
    const { bytes } = dictionary.values
    for (const position of this.#indexes) {
      this.#plain.add(bytes.subarray(dictionary.startOf(position), dictionary.endOf(position)))
    }
    this.#forgetDictionary()
    this.#hasDictionary = false
    return this.#plain.length - before
  }

  /** The levels and values in the form of a page. */
  #page(out: ParquetOutput): Uint8Array {
    const { maxDefinition, isRepeated, element } = this.#column
    const page = out.beginPage()
    if (isRepeated) out.levels(this.#repetitions, 1)
    out.levels(this.#definitions, maxDefinition)
    if (this.#hasDictionary) {
      const width = bitsOf(this.#dictionary.size - 1)
      page.appendUint8(width)
      out.runs(this.#indexes, width)
    } else if (element.type === 'BOOLEAN') page.appendBytes(packBits(this.#plain))
    else
      for (const { block, length } of this.#plain.parts)
        page.appendBytes(block.bytes.subarray(0, length))
    return page.getBytes()
  }

  /** The bounds of the values; if there is a dictionary, only the different ones are looked at. */
  #bounds(): Bounds {
    const { parts } = this.#values
    const { type } = this.#column.element
    if (type === 'BOOLEAN') return {}
    return type === 'INT64' ? boundsOfIntegers(parts) : boundsOfTexts(parts)
  }

  #clear(): void {
    for (const part of [this.#definitions, this.#repetitions, this.#plain]) part.clear()
    this.#forgetDictionary()
    this.#hasDictionary = this.#column.element.type !== 'BOOLEAN'
    this.#count = 0
  }

  #forgetDictionary(): void {
    this.#dictionary.clear()
    this.#last = undefined
    this.#plainBytes = 0
    this.#pool.give(this.#positions)
    this.#positions = NO_BLOCK
  }
}
