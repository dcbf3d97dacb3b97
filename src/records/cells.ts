/** The content of a cell: nothing, a text, a text with escapes, a list or an object with white space, or an integer. */
export const [NONE, TEXT, ESCAPED, JSON_TEXT, INTEGER] = [0, 1, 2, 3, 4] as const

/** Values as bytes of one memory. The arrays have an element for each cell. */
export interface Cells {
  readonly memory: Buffer
  readonly view: DataView
  /** One of the numbers above. */
  readonly what: Uint8Array
  /** The bytes of a value; of a text without its quotes. */
  readonly start: Int32Array
  readonly end: Int32Array
  /** Bytes of a text without escapes, or of a list or object without white space. */
  readonly length: Int32Array
  /** An integer, or 1 and 0 for true and false. */
  readonly integer: Float64Array
}

/** Arrays for so many cells, with the values of others that become too small. */
export function roomForCells(cells: number, old?: Cells): Omit<Cells, 'memory' | 'view'> {
  const room = {
    what: new Uint8Array(cells),
    start: new Int32Array(cells),
    end: new Int32Array(cells),
    length: new Int32Array(cells),
    integer: new Float64Array(cells),
  }
  if (old) {
    room.what.set(old.what)
    room.start.set(old.start)
    room.end.set(old.end)
    room.length.set(old.length)
    room.integer.set(old.integer)
  }
  return room
}

/** A view of the same memory, which reads several bytes at once. */
export const viewOf = ({ buffer, byteOffset, length }: Buffer): DataView =>
  new DataView(buffer, byteOffset, length)
