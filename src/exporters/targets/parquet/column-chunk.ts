import type { ColumnChunk, Encoding, SchemaElement } from 'hyparquet'
import type { PageIndexes } from 'hyparquet-writer/src/types.js'
import { type Bounds, compareBounds, joinBounds } from './bounds.ts'
import type { PageStore, StoredPage } from './page-store.ts'
import type { EncodedPage, ParquetOutput } from './parquet-output.ts'

/** A page of data, and what the indexes say of it. */
export interface DataPage extends EncodedPage {
  readonly encoding: Encoding
  /** Values with NULLs, and NULLs. */
  readonly values: number
  readonly nulls: number
  /** The number of its first row in the row group, from 0. */
  readonly firstRow: number
  readonly bounds: Bounds | undefined
}

type WaitingPage = Omit<DataPage, 'pieces'> & { readonly stored: StoredPage; readonly size: number }

/** What a row group says of a column. */
interface ChunkColumn {
  readonly element: SchemaElement
  readonly path: string[]
  readonly hasStatistics: boolean
}

/** The pages of a column in a row group. They wait until the row group is written. */
export class PendingChunk {
  readonly #column: ChunkColumn
  readonly #store: PageStore
  #pages: WaitingPage[] = []

  constructor(column: ChunkColumn, store: PageStore) {
    this.#column = column
    this.#store = store
  }

  /** Whether a page has positions in the dictionary. */
  get hasDictionary(): boolean {
    return this.#pages.some(({ encoding }) => encoding === 'RLE_DICTIONARY')
  }

  add({ pieces, ...page }: DataPage): void {
    const stored = this.#store.keep(pieces)
    this.#pages.push({ ...page, stored, size: stored.length })
  }

  /** Writes the pages, behind that of the dictionary if there is one, and forgets them. */
  write(out: ParquetOutput, dictionary: EncodedPage | undefined): PageIndexes {
    const pages = this.#pages
    this.#pages = []
    const { element, path, hasStatistics } = this.#column
    const begin = BigInt(out.offset)
    for (const piece of dictionary?.pieces ?? []) out.append(piece)
    const dataOffset = BigInt(out.offset)
    const locations = pages.map(({ stored, size, firstRow }) => {
      const offset = BigInt(out.offset)
      for (const piece of this.#store.read(stored)) out.append(piece)
      return { offset, compressed_page_size: size, first_row_index: BigInt(firstRow) }
    })
    const encodings = new Set(pages.map(({ encoding }) => encoding))
    if (dictionary) encodings.add('PLAIN')
    const sum = (count: (page: WaitingPage) => number) =>
      pages.reduce((all, page) => all + count(page), 0)
    const chunk: ColumnChunk = {
      file_offset: begin,
      meta_data: {
        type: element.type as NonNullable<SchemaElement['type']>,
        encodings: ['RLE', ...encodings],
        path_in_schema: path,
        codec: out.codec,
        num_values: BigInt(sum(({ values }) => values)),
        total_compressed_size: BigInt(out.offset) - begin,
        total_uncompressed_size: BigInt(
          sum(({ uncompressed }) => uncompressed) + (dictionary?.uncompressed ?? 0),
        ),
        data_page_offset: dataOffset,
        ...(dictionary && { dictionary_page_offset: begin }),
        ...(hasStatistics && { statistics: statisticsOf(pages) }),
      },
    }
    const columnIndex = hasStatistics ? indexOf(pages, element, out) : undefined
    return {
      chunk,
      ...(columnIndex && { columnIndex }),
      offsetIndex: { page_locations: locations },
    }
  }
}

function statisticsOf(pages: readonly WaitingPage[]) {
  const bounds = joinBounds(pages.flatMap((page) => page.bounds ?? []))
  const nulls = pages.reduce((sum, page) => sum + page.nulls, 0)
  return {
    null_count: BigInt(nulls),
    ...(bounds && { min_value: bounds.least, max_value: bounds.greatest }),
  }
}

/** The bounds of each page, by which readers skip pages. Flags have none. */
function indexOf(
  pages: readonly WaitingPage[],
  element: SchemaElement,
  out: ParquetOutput,
): PageIndexes['columnIndex'] {
  const found = pages.flatMap(({ bounds }) => bounds ?? [])
  if (pages.some(({ bounds, values, nulls }) => !bounds && values > nulls)) return undefined
  const nothing = new Uint8Array()
  const boundBytesOf = (page: WaitingPage, end: keyof Bounds) =>
    page.bounds ? out.boundBytes(page.bounds[end], element, end === 'greatest') : nothing
  return {
    null_pages: pages.map(({ bounds }) => bounds === undefined),
    min_values: pages.map((page) => boundBytesOf(page, 'least')),
    max_values: pages.map((page) => boundBytesOf(page, 'greatest')),
    boundary_order: isAscending(found) ? 'ASCENDING' : 'UNORDERED',
    null_counts: pages.map(({ nulls }) => BigInt(nulls)),
  }
}

const isAscending = (bounds: readonly Bounds[]): boolean =>
  bounds.every((next, i) => {
    const before = bounds[i - 1]
    return (
      before === undefined ||
      (compareBounds(before.least, next.least) <= 0 &&
        compareBounds(before.greatest, next.greatest) <= 0)
    )
  })
