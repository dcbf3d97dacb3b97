import { isUtf8 } from 'node:buffer'
import {
  type Cells,
  ESCAPED,
  INTEGER,
  JSON_TEXT,
  NONE,
  roomForCells,
  TEXT,
  viewOf,
} from '../cells.ts'
import { QUOTE } from '../json/end-of-plain.ts'
import { type Column, type Kind, perKind } from '../kinds/kind.ts'
import { type Prefix, prefixOf, startsWith } from './prefix.ts'
import { FALSE, NULL, RECORD_LEVEL, TRUE, ValueScanner } from './scan-value.ts'

/** The bytes that GitHub prints before, between and after the records of a file. */
const OPENING = prefixOf('[\n  ')
const BETWEEN = prefixOf(',\n  ')
const END_OF_RECORD = prefixOf('\n  }')
const CLOSING = [0x0a, 0x5d] as const

const LETTER_N = 0x6e

/** Zeros after a file: they end every value, and words that begin in the file can be read. */
const PADDING = 64

/** The records of a file. Column `i` of record `r` is the cell `r * columns + i`. */
export interface ScannedRecords extends Cells {
  readonly kind: Kind
  /** Bytes of the file, at the beginning of the memory. */
  readonly size: number
  readonly records: number
  readonly columns: number
  /** The bytes of each record in the memory. */
  readonly from: Int32Array
  readonly to: Int32Array
  /** 1 if the record has null in an optional member, which is unusual. */
  readonly hasNull: Uint8Array
  /** How the file prints empty arrays, if it has one. */
  readonly emptyArray: 'old' | 'new' | undefined
}

/**
 * Finds the values of canonical records without parsing them. In a canonical record every member has the type and position
 * that the kind describes, printed as GitHub prints it: to parse and print it gives the same bytes.
 */
export class RecordScanner implements ScannedRecords {
  kind!: Kind
  size = 0
  records = 0
  columns = 0
  memory = Buffer.alloc(0)
  view = viewOf(this.memory)
  what!: Uint8Array
  start!: Int32Array
  end!: Int32Array
  length!: Int32Array
  integer!: Float64Array
  from = new Int32Array(0)
  to = new Int32Array(0)
  hasNull = new Uint8Array(0)
  emptyArray: 'old' | 'new' | undefined

  constructor() {
    Object.assign(this, roomForCells(0))
  }

  /**
   * The records of a file, valid until the next call; undefined unless all of them are canonical records of the kind.
   */
  scan(kind: Kind, file: Uint8Array): ScannedRecords | undefined {
    if (file.length < OPENING.length || !isUtf8(file)) return undefined
    this.#hold(file)
    const shape = shapeOf(kind)
    this.kind = kind
    this.size = file.length
    this.records = 0
    this.columns = shape.members.length
    const { view } = this
    const values = new ValueScanner(view)
    if (!startsWith(view, 0, OPENING)) return undefined
    for (let at = OPENING.length; ; at += BETWEEN.length) {
      if (this.records === this.from.length || this.#isFull()) this.#grow()
      this.from[this.records] = at
      at = this.#scanRecord(values, shape, at)
      if (at < 0) return undefined
      this.to[this.records++] = at
      if (!startsWith(view, at, BETWEEN)) break
    }
    const end = this.to[this.records - 1] as number
    const isWhole = CLOSING.every((byte, i) => file[end + i] === byte)
    if (!isWhole || file.length !== end + CLOSING.length) return undefined
    this.emptyArray = values.emptyArray
    return this
  }

  #scanRecord(values: ValueScanner, { opening, members }: Shape, from: number): number {
    const { view, what, start, end, length, integer } = this
    const row = this.records * this.columns
    let hasNull = 0
    if (!startsWith(view, from, opening)) return -1
    let at = from + opening.length
    for (let i = 0; i < members.length; i++) {
      const { name, column, isUrl } = members[i] as Member
      const cell = row + i
      if (!startsWith(view, at, name)) {
        if (!column.optional) return -1
        what[cell] = NONE
        continue
      }
      at += name.length
      const first = at
      start[cell] = first
      const byte = view.getUint8(at)
      if (byte === LETTER_N && startsWith(view, at, NULL)) {
        // A record without a URL has no identity and must be reported.
        if (isUrl) return -1
        what[cell] = NONE
        at += NULL.length
        if (column.optional) hasNull = 1
        continue
      }
      switch (column.storage) {
        case 'flag': {
          const isTrue = startsWith(view, at, TRUE)
          if (!isTrue && !startsWith(view, at, FALSE)) return -1
          what[cell] = INTEGER
          integer[cell] = isTrue ? 1 : 0
          at += (isTrue ? TRUE : FALSE).length
          break
        }
        case 'integer':
          at = values.scanInteger(at)
          what[cell] = INTEGER
          integer[cell] = values.integer
          break
        case 'json':
          values.white = 0
          at = values.scanJson(at, column, RECORD_LEVEL)
          what[cell] = JSON_TEXT
          end[cell] = at
          length[cell] = at - first - values.white
          break
        default:
          if (byte !== QUOTE) return -1
          start[cell] = first + 1
          at = values.scanText(first + 1)
          what[cell] = values.escapes === 0 ? TEXT : ESCAPED
          end[cell] = at
          length[cell] = at - first - 1 - values.escapes
          at++
      }
      // -1, or 0 behind the quote that it would have had.
      if (at <= 0) return -1
    }
    this.hasNull[this.records] = hasNull
    return startsWith(view, at, END_OF_RECORD) ? at + END_OF_RECORD.length : -1
  }

  /** Copies the file, because what lies behind it in memory must not be read. */
  #hold(file: Uint8Array): void {
    if (this.memory.length < file.length + PADDING) {
      this.memory = Buffer.from(new ArrayBuffer(2 * file.length + PADDING))
      this.view = viewOf(this.memory)
    }
    this.memory.set(file)
    this.memory.fill(0, file.length, file.length + PADDING)
  }

  #isFull(): boolean {
    return (this.records + 1) * this.columns > this.what.length
  }

  #grow(): void {
    const records = Math.max(128, 2 * this.records, this.from.length)
    const cells = Math.max(records * this.columns, this.what.length)
    this.from = larger(this.from, new Int32Array(records))
    this.to = larger(this.to, new Int32Array(records))
    this.hasNull = larger(this.hasNull, new Uint8Array(records))
    Object.assign(this, roomForCells(cells, this))
  }
}

function larger<A extends { set(from: A): void }>(old: A, fresh: A): A {
  fresh.set(old)
  return fresh
}

interface Member {
  /** The name as it is printed, from the comma before it to the space behind its colon. */
  name: Prefix
  column: Column
  isUrl: boolean
}

interface Shape {
  opening: Prefix
  members: readonly Member[]
}

const shapeOf = perKind(
  (kind): Shape => ({
    opening: prefixOf(`{\n    "type": "${kind.type}"`),
    members: Object.entries(kind.columns).map(([name, column]) => ({
      name: prefixOf(`,\n    "${name}": `),
      column,
      isUrl: name === 'url',
    })),
  }),
)
