import { type Cells, INTEGER, NONE, viewOf } from '../../records/cells.ts'
import { PAGE, type PageFile } from './page-file.ts'
import { BYTES_OF, putInteger, putVarint, serialType, varintLength } from './put-integers.ts'
import { putText, type Target } from './put-text.ts'

// The file format, section 1.6.
const [LEAF, INTERIOR] = [0x0d, 0x05]
const [LEAF_HEADER, INTERIOR_HEADER] = [8, 12]
/** Bytes of a payload in its leaf. A payload of at most `MOST_LOCAL` is there as a whole, a longer one with `LEAST_LOCAL` or more. */
const MOST_LOCAL = PAGE - 35
const LEAST_LOCAL = Math.floor(((PAGE - 12) * 32) / 255) - 23
/** Bytes of payload in an overflow page. */
const OVERFLOW = PAGE - 4

/** The most bytes that a cell of an interior page takes with its pointer. */
const WIDEST_CHILD = 4 + 9 + 2
const MOST_CHILDREN = Math.floor((PAGE - INTERIOR_HEADER) / WIDEST_CHILD)

/** The longest row that SQLite reads. */
const LONGEST_ROW = 1_000_000_000

/** Bytes that are kept for the next long row; memory for a longer one is released with its row. */
const KEPT = 2 ** 20

/** The last values of a row: where its record was. */
export interface Place {
  archive: number
  entry: Buffer
  record: number
}

/** Pages of one level of the tree, each with the last rowid in it and below it. */
interface Level {
  pages: number[]
  lasts: number[]
}

/** Writes the B-tree of a table, from the first row to the last, and from the leaves to the root. */
export class TableWriter {
  rows = 0
  readonly #file: PageFile
  /** Columns before those of the place. */
  readonly #columns: number
  readonly #leaf = targetOf(PAGE)
  /** Cells in the leaf, and where the content of the last one begins. */
  #cells = 0
  #content = PAGE
  readonly #leaves: Level = { pages: [], lasts: [] }
  /** A row that is too long for a leaf. */
  #long = targetOf(0)

  constructor(file: PageFile, columns: number) {
    this.#file = file
    this.#columns = columns
  }

  /** Adds a row of `count` cells, beginning with the cell `first`. Further columns are NULL. */
  add(cells: Cells, first: number, count: number, place: Place): void {
    const { header, body } = this.#measure(cells, first, count, place)
    const payload = header + body
    if (payload > LONGEST_ROW) throw new RangeError('string or blob too big')
    const rowid = this.rows + 1
    const local = localBytes(payload)
    const isWhole = local === payload
    const size = varintLength(payload) + varintLength(rowid) + local + (isWhole ? 0 : 4)
    if (LEAF_HEADER + 2 * (this.#cells + 1) + size > this.#content) this.#endLeaf()
    this.#content -= size
    const { bytes, view } = this.#leaf
    let at = putVarint(bytes, this.#content, payload)
    at = putVarint(bytes, at, rowid)
    if (isWhole) this.#put(this.#leaf, at, header, cells, first, count, place)
    else {
      if (payload > this.#long.bytes.length) this.#long = targetOf(payload)
      this.#put(this.#long, 0, header, cells, first, count, place)
      this.#long.bytes.copy(bytes, at, 0, local)
      view.setUint32(at + local, this.#overflow(local, payload))
      if (payload > KEPT) this.#long = targetOf(0)
    }
    view.setUint16(LEAF_HEADER + 2 * this.#cells++, this.#content)
    this.rows = rowid
  }

  /** Writes all pages but the root. Returns the content of the root. */
  finish(): Uint8Array {
    if (this.#leaves.pages.length === 0) return this.#completeLeaf()
    this.#endLeaf()
    let level = this.#leaves
    while (level.pages.length > MOST_CHILDREN) level = this.#levelAbove(level)
    return interiorPage(level)
  }

  #levelAbove({ pages, lasts }: Level): Level {
    const above: Level = { pages: [], lasts: [] }
    const count = Math.ceil(pages.length / MOST_CHILDREN)
    for (let i = 0; i < count; i++) {
      const [from, to] = [i, i + 1].map((n) => Math.floor((n * pages.length) / count))
      const children = { pages: pages.slice(from, to), lasts: lasts.slice(from, to) }
      const page = this.#file.allocate()
      this.#file.write(page, interiorPage(children))
      above.pages.push(page)
      above.lasts.push(children.lasts.at(-1) as number)
    }
    return above
  }

  /** Returns the bytes of a row (section 2.1): those of its header with the serial types, and those of its values. */
  #measure(cells: Cells, first: number, count: number, { archive, entry, record }: Place) {
    let header = this.#columns - count
    let body = 0
    for (let cell = first; cell < first + count; cell++) {
      const what = cells.what[cell]
      if (what === NONE) header++
      else if (what === INTEGER) {
        header++
        body += BYTES_OF[serialType(cells.integer[cell] as number)] as number
      } else {
        const length = cells.length[cell] as number
        header += varintLength(2 * length + 13)
        body += length
      }
    }
    header += 2 + varintLength(2 * entry.length + 13)
    body += entry.length
    body += BYTES_OF[serialType(archive)] as number
    body += BYTES_OF[serialType(record)] as number
    // The header begins with its own length.
    return { header: header + (header < 0x7f ? 1 : 2), body }
  }

  #put(
    target: Target,
    at: number,
    header: number,
    cells: Cells,
    first: number,
    count: number,
    { archive, entry, record }: Place,
  ): void {
    const { bytes } = target
    let p = putVarint(bytes, at, header)
    let q = at + header
    for (let cell = first; cell < first + count; cell++) {
      const what = cells.what[cell]
      if (what === NONE) bytes[p++] = 0
      else if (what === INTEGER) {
        const integer = cells.integer[cell] as number
        const type = serialType(integer)
        bytes[p++] = type
        q = putInteger(bytes, q, integer, BYTES_OF[type] as number)
      } else {
        p = putVarint(bytes, p, 2 * (cells.length[cell] as number) + 13)
        q = putText(target, q, cells, cell)
      }
    }
    for (let i = count; i < this.#columns; i++) bytes[p++] = 0
    p = putVarint(bytes, putType(bytes, p, archive), 2 * entry.length + 13)
    putType(bytes, p, record)
    q = putInteger(bytes, q, archive, BYTES_OF[serialType(archive)] as number)
    q += entry.copy(bytes, q)
    putInteger(bytes, q, record, BYTES_OF[serialType(record)] as number)
  }

  /** Writes the rest of a long row, which its leaf does not hold. Returns the first page. */
  #overflow(from: number, to: number): number {
    const first = this.#file.allocate()
    let page = first
    for (let at = from; at < to; at += OVERFLOW) {
      const content = Buffer.alloc(PAGE)
      const next = at + OVERFLOW < to ? this.#file.allocate() : 0
      content.writeUInt32BE(next, 0)
      this.#long.bytes.copy(content, 4, at, Math.min(to, at + OVERFLOW))
      this.#file.write(page, content)
      page = next
    }
    return first
  }

  #endLeaf(): void {
    const page = this.#file.allocate()
    this.#file.write(page, this.#completeLeaf())
    this.#leaves.pages.push(page)
    this.#leaves.lasts.push(this.rows)
    this.#cells = 0
    this.#content = PAGE
  }

  #completeLeaf(): Uint8Array {
    const { bytes } = this.#leaf
    putPageHeader(bytes, LEAF, this.#cells, this.#content)
    // The previous leaf may have left bytes there.
    bytes.fill(0, LEAF_HEADER + 2 * this.#cells, this.#content)
    return bytes
  }
}

function localBytes(payload: number): number {
  if (payload <= MOST_LOCAL) return payload
  const some = LEAST_LOCAL + ((payload - LEAST_LOCAL) % OVERFLOW)
  return some <= MOST_LOCAL ? some : LEAST_LOCAL
}

/** The last page has no cell: the header points to it, as the rightmost child. */
function interiorPage({ pages, lasts }: Level): Buffer {
  const bytes = Buffer.alloc(PAGE)
  let content = PAGE
  const cells = pages.length - 1
  for (let i = 0; i < cells; i++) {
    const last = lasts[i] as number
    content -= 4 + varintLength(last)
    bytes.writeUInt32BE(pages[i] as number, content)
    putVarint(bytes, content + 4, last)
    bytes.writeUInt16BE(content, INTERIOR_HEADER + 2 * i)
  }
  putPageHeader(bytes, INTERIOR, cells, content)
  bytes.writeUInt32BE(pages[cells] as number, 8)
  return bytes
}

function putPageHeader(bytes: Buffer, type: number, cells: number, content: number): void {
  bytes[0] = type
  bytes.writeUInt16BE(0, 1)
  bytes.writeUInt16BE(cells, 3)
  bytes.writeUInt16BE(content, 5)
  bytes[7] = 0
}

function putType(bytes: Buffer, at: number, integer: number): number {
  bytes[at] = serialType(integer)
  return at + 1
}

function targetOf(length: number): Target {
  const bytes = Buffer.from(new ArrayBuffer(length))
  return { bytes, view: viewOf(bytes) }
}
