import { type Cells, INTEGER, NONE, roomForCells, TEXT, viewOf } from '../../records/cells.ts'
import type { SqlValue } from '../rows/row-layout.ts'

/** Memory up to this size is kept for the next row. */
const KEPT = 2 ** 20

/** Turns rows of values into cells, one row at a time. */
export class RowCells implements Cells {
  memory = Buffer.from(new ArrayBuffer(4096))
  view = viewOf(this.memory)
  what!: Uint8Array
  start!: Int32Array
  end!: Int32Array
  length!: Int32Array
  integer!: Float64Array

  constructor(columns: number) {
    Object.assign(this, roomForCells(columns))
  }

  /** @param row texts, safe integers and null */
  set(row: readonly SqlValue[]): this {
    this.#hold(row.reduce<number>((bytes, value) => bytes + bytesOf(value), 0))
    let at = 0
    for (const [i, value] of row.entries()) {
      if (value === null) this.what[i] = NONE
      else if (typeof value === 'string') {
        this.what[i] = TEXT
        this.start[i] = at
        at += this.memory.write(value, at)
        this.end[i] = at
        this.length[i] = at - (this.start[i] as number)
      } else {
        if (!Number.isSafeInteger(value)) throw new TypeError(`no value of a record: ${value}`)
        this.what[i] = INTEGER
        this.integer[i] = value as number
      }
    }
    return this
  }

  #hold(bytes: number): void {
    const isHeld = bytes <= this.memory.length && (this.memory.length <= KEPT || bytes > KEPT)
    if (isHeld) return
    this.memory = Buffer.from(
      new ArrayBuffer(bytes <= KEPT / 2 ? Math.max(4096, 2 * bytes) : bytes),
    )
    this.view = viewOf(this.memory)
  }
}

const bytesOf = (value: SqlValue) => (typeof value === 'string' ? Buffer.byteLength(value) : 0)
