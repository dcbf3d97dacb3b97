import type { SchemaElement } from 'hyparquet'
import type { PageIndexes } from 'hyparquet-writer/src/types.js'
import type { Cells } from '../../../records/cells.ts'
import type { TypedValue } from '../../to-typed.ts'
import { BloomFilter } from './bloom-filter.ts'
import { type Bounds, boundsOfIntegers, boundsOfTexts } from './bounds.ts'
import { PendingChunk } from './column-chunk.ts'
import { Dictionary } from './dictionary.ts'
import { type BufferPool, GrowingBytes, NO_BLOCK, packBits, USUAL } from './growing-bytes.ts'
import { Levels } from './levels.ts'
import type { PageStore } from './page-store.ts'
import { bitsOf, type ParquetLibrary, type ParquetOutput } from './parquet-output.ts'

/** A column of the schema that has values: each other one is a list or a struct of such columns. */
export interface LeafColumn {
  readonly element: SchemaElement
  /** The names from the top. */
  readonly path: string[]
  /** The definition level of a value that is not NULL. */
  readonly maxDefinition: number
  readonly isRepeated: boolean
  /** Whether to write the minimum and the maximum, by which readers skip row groups and pages. */
  readonly hasStatistics: boolean
  /** Whether to write a bloom filter, by which readers skip row groups. Only a column of text may have one. */
  readonly hasBloomFilter: boolean
}

/** The number of values of a page after which it shows whether they repeat. */
const SAMPLE = 1024

/**
 * The values of a column for the next row group. They are encoded as they come: as objects they would take several times
 * the memory. Values that repeat are written once, in a dictionary, if that halves their bytes.
 */
export class ColumnBuffer {
  readonly #column: LeafColumn
  readonly #pool: BufferPool
  readonly #chunk: PendingChunk
  readonly #filter: BloomFilter | undefined
  readonly #dictionary: Dictionary
  /** Whether the values of the page are in the dictionary. */
  #hasDictionary: boolean
  /** Bytes of the values that are in the dictionary, each as often as it was added. */
  #replaced = 0
  #allBytes = 0
  /** Of the page: the number of its first row, its levels, and how many of its values are not NULL. */
  #firstRow = 0
  readonly #definitions: Levels
  readonly #repetitions: Levels
  #count = 0
  /** The values of the page, or their positions in the dictionary. */
  readonly #plain: GrowingBytes
  #positions = NO_BLOCK
  /** The last value that was added as such, and its position: many columns repeat it. */
  #last: TypedValue | undefined
  #lastPosition = 0

  constructor(column: LeafColumn, library: ParquetLibrary, store: PageStore) {
    const { pool } = library
    this.#column = column
    this.#pool = pool
    this.#chunk = new PendingChunk(column, store)
    this.#filter = column.hasBloomFilter ? new BloomFilter(library) : undefined
    this.#definitions = new Levels(pool)
    this.#repetitions = new Levels(pool)
    this.#dictionary = new Dictionary(pool)
    this.#plain = new GrowingBytes(pool, USUAL)
    this.#hasDictionary = this.#mayHaveDictionary
  }

  /** Bytes of all values that were added, without a dictionary. */
  get plainBytes(): number {
    return this.#allBytes
  }

  /** Approximate bytes in memory of the values since the last page, without the dictionary. */
  get pageMemory(): number {
    return (
      this.#plain.length +
      this.#positions.bytes.length +
      this.#definitions.memory +
      this.#repetitions.memory
    )
  }

  /** Adds a value, or a NULL if `definition` is below the maximum. Returns its bytes without a dictionary. */
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

  /** Encodes the values since the last page as one. The next one begins with the row `nextRow` of the row group. */
  endPage(out: ParquetOutput, nextRow: number): void {
    const values = this.#definitions.length
    if (values === 0) return
    const isInDictionary = this.#hasDictionary && this.#count > 0 && this.#pays()
    const isTried = isInDictionary || (this.#hasDictionary && this.#count < SAMPLE)
    if (!isInDictionary) this.#dropDictionary()
    const bounds = this.#column.hasStatistics ? this.#bounds() : undefined
    if (!isInDictionary) this.#filter?.add(this.#plain)
    const encoding = isInDictionary ? 'RLE_DICTIONARY' : 'PLAIN'
    const page = out.encodePage(this.#page(out), {
      type: 'DATA_PAGE',
      data_page_header: {
        num_values: values,
        encoding,
        definition_level_encoding: 'RLE',
        repetition_level_encoding: 'RLE',
      },
    })
    const nulls = values - this.#count
    this.#chunk.add({ ...page, encoding, values, nulls, firstRow: this.#firstRow, bounds })
    this.#clearPage()
    this.#firstRow = nextRow
    this.#hasDictionary = isTried
  }

  /** Writes the `rows` of the row group as a column chunk, and clears the buffer. */
  write(out: ParquetOutput, rows: number): PageIndexes {
    this.endPage(out, rows)
    const { values, size } = this.#dictionary
    const dictionary = this.#chunk.hasDictionary
      ? out.encodePage(values.bytes, {
          type: 'DICTIONARY_PAGE',
          dictionary_page_header: { num_values: size, encoding: 'PLAIN' },
        })
      : undefined
    if (dictionary) this.#filter?.add(values)
    const written = this.#chunk.write(out, dictionary)
    const bloomFilter = this.#filter?.finish()
    this.#forgetDictionary()
    this.#hasDictionary = this.#mayHaveDictionary
    this.#firstRow = 0
    return { ...written, ...(bloomFilter && { bloomFilter }) }
  }

  get #mayHaveDictionary(): boolean {
    return this.#column.element.type !== 'BOOLEAN'
  }

  get #values(): GrowingBytes {
    return this.#hasDictionary ? this.#dictionary.values : this.#plain
  }

  /** Takes the value that was added behind the others, which began at `start`, into the dictionary if there is one. */
  #note(start: number): number {
    if (this.#hasDictionary) return this.#notePosition(this.#dictionary.positionOf(start))
    const size = this.#values.length - start
    this.#count++
    this.#allBytes += size
    return 1 + size
  }

  #notePosition(position: number): number {
    const dictionary = this.#dictionary
    if (this.#count === this.#positions.shorts.length) {
      this.#positions = this.#pool.enlarge(this.#positions, this.#count * 4)
    }
    this.#positions.shorts[this.#count++] = position
    this.#lastPosition = position
    const size = dictionary.endOf(position) - dictionary.startOf(position)
    this.#replaced += size
    this.#allBytes += size
    if (!dictionary.hasRoom || (this.#count === SAMPLE && !this.#repeats())) this.#dropDictionary()
    return 1 + size
  }

  /** Whether at least every 32nd value is a repetition. */
  #repeats(): boolean {
    return this.#dictionary.values.length * 32 <= this.#replaced * 31
  }

  /** Whether the dictionary is much smaller than the values that it replaces. */
  #pays(): boolean {
    return this.#dictionary.values.length * 2 <= this.#replaced
  }

  /** The positions of all values of the page in the dictionary. */
  get #indexes(): Uint16Array {
    return this.#positions.shorts.subarray(0, this.#count)
  }

  /** Writes out the values of the page in place of their positions. The dictionary stays if other pages have it. */
  #dropDictionary(): void {
    if (!this.#hasDictionary) return
    const dictionary = this.#dictionary
    const { bytes } = dictionary.values
    for (const position of this.#indexes) {
      this.#plain.add(bytes.subarray(dictionary.startOf(position), dictionary.endOf(position)))
    }
    this.#replaced -= this.#plain.length
    if (!this.#chunk.hasDictionary) this.#forgetDictionary()
    this.#givePositions()
    this.#hasDictionary = false
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

  /** The bounds of the values of the page; if there is a dictionary, only the different ones are looked at. */
  #bounds(): Bounds | undefined {
    const { parts } = this.#values
    const { type } = this.#column.element
    if (type === 'BOOLEAN') return undefined
    const isUsed = this.#hasDictionary ? new Uint8Array(this.#dictionary.size) : undefined
    if (isUsed) for (const position of this.#indexes) isUsed[position] = 1
    return type === 'INT64' ? boundsOfIntegers(parts, isUsed) : boundsOfTexts(parts, isUsed)
  }

  #clearPage(): void {
    for (const part of [this.#definitions, this.#repetitions, this.#plain]) part.clear()
    this.#givePositions()
    this.#count = 0
  }

  #givePositions(): void {
    this.#pool.give(this.#positions)
    this.#positions = NO_BLOCK
  }

  #forgetDictionary(): void {
    this.#dictionary.clear()
    this.#last = undefined
    this.#replaced = 0
  }
}
