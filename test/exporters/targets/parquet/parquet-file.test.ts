import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import fc from 'fast-check'
import { parquetMetadata, parquetReadObjects, type SchemaElement } from 'hyparquet'
import { hashParquetValue, readBloomFilter, sbbfContains } from 'hyparquet/src/bloom.js'
import { DEFAULT_PARSERS } from 'hyparquet/src/convert.js'
import { readColumnIndex, readOffsetIndex } from 'hyparquet/src/indexes.js'
import { compressors } from 'hyparquet-compressors'
import { describe, expect, test } from 'vitest'
import { unknownKind } from '../../../../src/database/schema/unknown-kind.ts'
import {
  type ExportColumn,
  type ExportType,
  typeOf,
} from '../../../../src/exporters/column-types.ts'
import { COMPRESSIONS, type Compression } from '../../../../src/exporters/export-options.ts'
import { type ExportTable, tableOfKind } from '../../../../src/exporters/table.ts'
import { createParquetFile } from '../../../../src/exporters/targets/parquet/parquet-file.ts'
import { loadLibrary } from '../../../../src/exporters/targets/parquet/parquet-output.ts'
import { type TypedValue, toTyped } from '../../../../src/exporters/to-typed.ts'
import type { JsonObject } from '../../../../src/records/json/json.ts'
import type { Kind } from '../../../../src/records/kinds/kind.ts'
import { KINDS } from '../../../../src/records/kinds/kinds.ts'
import { codePoint } from '../../../support/code-point.ts'
import { fromExport } from '../../../support/from-export.ts'
import { jsonObjects } from '../../../support/json-objects.ts'
import { plainObjects } from '../../../support/plain-objects.ts'
import { runs } from '../../../support/property-runs.ts'
import { shareFolder } from '../../../support/run-command.ts'
import { everyDay, firstOfEach, THOROUGH } from '../../../support/thorough.ts'

shareFolder({})
const library = await loadLibrary()
let files = 0

/** Its own decoder drops a byte order mark at the beginning of a text, and its numbers in JSON are rounded. */
const stringFromBytes = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString()
const parsers = { ...DEFAULT_PARSERS, stringFromBytes, jsonFromBytes: stringFromBytes }

/** Writes records of a kind and reads them back with another library. */
async function throughFile(
  name: string,
  kind: Kind,
  records: readonly JsonObject[],
  compression: Compression = 'zstd',
) {
  const table = tableOfKind(name, kind, {})
  const path = `${files++}.parquet`
  const file = createParquetFile(library, path, table.columns, compression)
  records.forEach((record, i) => {
    const { values, derived, extra, memberOrder } = toTyped(kind, record)
    file.add([...values, ...derived, extra, memberOrder, 'issues_000001.json', i + 1, 'a'])
    // Row groups of different sizes.
    if (i % 7 === 6) file.flush()
  })
  const summary = file.finish()
  const bytes = readFileSync(path)
  const buffer = bytes.buffer.slice(
    bytes.byteOffset,
    bytes.byteOffset + bytes.length,
  ) as ArrayBuffer
  const rows = await parquetReadObjects({ file: buffer, compressors, utf8: false, parsers })
  return { table, path, summary, bytes, rows, buffer }
}

/** The record of a row as the reader gives it: bytes for JSON, dates for times, bigints for integers. */
function recordOf(kind: Kind, { columns }: ExportTable, row: Record<string, unknown>): JsonObject {
  const plain = (value: unknown): TypedValue => {
    if (value instanceof Date) return value.getTime()
    if (value instanceof Uint8Array) return Buffer.from(value).toString()
    if (Array.isArray(value)) return value.map(plain)
    if (typeof value !== 'object' || value === null) return (value ?? null) as TypedValue
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, plain(part)]))
  }
  const value = (name: string) => plain(row[name])
  return fromExport(kind, {
    values: columns.slice(0, Object.keys(kind.columns).length).map(({ name }) => value(name)),
    extra: value('_extra') as string | null,
    memberOrder: value('_member_order') as string[] | null,
  })
}

const kinds: [string, Kind][] = [...Object.entries(KINDS), ['gadgets', unknownKind('gadgets')]]

/** Kinds whose columns are of the same types are alike. */
const typesOf = ({ columns }: Kind) =>
  [...new Set(Object.values(columns).map((column) => typeOf(column).is))].sort().join()
const [[everyDayKinds], [others]] = firstOfEach(kinds, ([, kind]) => typesOf(kind))

const testKind = (name: string, kind: Kind) => {
  test('gives back any records', THOROUGH, async () => {
    const arbitrary = fc.array(fc.oneof(plainObjects(kind), jsonObjects), { maxLength: 30 })
    await fc.assert(
      fc.asyncProperty(arbitrary, async (records) => {
        const { table, rows, summary } = await throughFile(name, kind, records)
        expect(summary.rows).toBe(records.length)
        const read = rows.map((row) => JSON.stringify(recordOf(kind, table, row)))
        expect(read).toEqual(records.map((record) => JSON.stringify(record)))
      }),
      { numRuns: runs(12) },
    )
  })
}
describe.each(everyDayKinds)('A Parquet file of %s', testKind)
describe.each(others)('A Parquet file of %s', THOROUGH, testKind)

everyDay(1)(COMPRESSIONS)('A Parquet file is compressed with %s', async (compression) => {
  const records = Array.from({ length: 50 }, (_, i) => ({ type: 'issue', title: `Issue ${i % 5}` }))
  const { rows, buffer } = await throughFile('issues', KINDS.issues, records, compression)
  expect(rows.map(({ title }) => title)).toEqual(records.map(({ title }) => title))
  const codecs = { zstd: 'ZSTD', snappy: 'SNAPPY', gzip: 'GZIP', none: 'UNCOMPRESSED' }
  const [group] = parquetMetadata(buffer).row_groups
  expect(group?.columns[0]?.meta_data?.codec).toBe(codecs[compression])
})

test('A Parquet file says how many bytes it has, and their SHA-256', async () => {
  const { path, summary, bytes } = await throughFile('issues', KINDS.issues, [{ type: 'issue' }])
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  expect(summary).toEqual({ rows: 1, bytes: statSync(path).size, sha256 })
})

test('A column of JSON is declared in the two ways that readers know', async () => {
  const { buffer } = await throughFile('organizations', KINDS.organizations, [
    { type: 'organization', webhooks: [] },
  ])
  const webhooks = parquetMetadata(buffer).schema.find(({ name }) => name === 'webhooks')
  expect(webhooks).toMatchObject({ converted_type: 'JSON', logical_type: { type: 'JSON' } })
})

describe('A column', () => {
  const column = (type: ExportType['is']): ExportColumn => ({
    name: 'url',
    description: '',
    type: { is: type } as ExportType,
  })

  /** Writes the values of one column and reads them back. */
  async function throughColumn(type: ExportType['is'], values: TypedValue[]) {
    const path = `${files++}.parquet`
    const file = createParquetFile(library, path, [column(type)], 'zstd')
    for (const value of values) file.add([value])
    file.finish()
    const { buffer } = new Uint8Array(readFileSync(path))
    const rows = await parquetReadObjects({ file: buffer, compressors, parsers })
    const { row_groups: groups } = parquetMetadata(buffer)
    return { read: rows.map(({ url }) => url), groups, buffer }
  }

  /** What the file says of the pages of the first row group. */
  function pagesOf({ groups, buffer }: Awaited<ReturnType<typeof throughColumn>>) {
    const chunk = groups[0]?.columns[0]
    const at = (offset: bigint | undefined) => ({
      view: new DataView(buffer),
      offset: Number(offset),
    })
    const element = parquetMetadata(buffer).schema[1] as SchemaElement
    const { page_locations: locations } = readOffsetIndex(at(chunk?.offset_index_offset))
    return {
      firstRows: locations.map(({ first_row_index: row }) => Number(row)),
      ...readColumnIndex(at(chunk?.column_index_offset), element),
    }
  }

  everyDay(4)([1, 2, 255, 256, 257, 1023, 1024, 5000, 70_000])(
    'gives back %i different texts, each twice',
    async (count) => {
      const values = Array.from({ length: count * 2 }, (_, i) => `text ${i % count}`)
      expect((await throughColumn('text', values)).read).toEqual(values)
    },
  )

  test('writes values that repeat once, in a dictionary', async () => {
    const values = Array.from({ length: 3000 }, (_, i) => (i % 7 ? `person ${i % 5}` : null))
    const { read, groups } = await throughColumn('text', values)
    expect(read).toEqual(values)
    expect(groups[0]?.columns[0]?.meta_data?.encodings).toContain('RLE_DICTIONARY')
  })

  test('gives a dictionary up as soon as it does not pay', async () => {
    const values = Array.from({ length: 5000 }, (_, i) => (i < 1500 ? `same ${i % 3}` : `own ${i}`))
    const { read, groups } = await throughColumn('text', values)
    expect(read).toEqual(values)
    expect(groups[0]?.columns[0]?.meta_data?.encodings).not.toContain('RLE_DICTIONARY')
  })

  test('holds integers of 64 bits', async () => {
    const values = [
      0,
      -1,
      7,
      2 ** 31,
      -(2 ** 31) - 1,
      2 ** 53 - 1,
      1 - 2 ** 53,
      2n ** 63n - 1n,
      -(2n ** 63n),
    ]
    const { read, groups } = await throughColumn('integer', values)
    expect(read).toEqual(values.map(BigInt))
    const statistics = groups[0]?.columns[0]?.meta_data?.statistics
    expect([statistics?.min_value, statistics?.max_value]).toEqual([-(2n ** 63n), 2n ** 63n - 1n])
  })

  test('holds flags', async () => {
    const values = Array.from({ length: 21 }, (_, i) => (i % 5 ? i % 3 === 0 : null))
    expect((await throughColumn('flag', values)).read).toEqual(values)
  })

  test('counts a text beyond its row group only once', THOROUGH, async () => {
    const values = ['a', 'x'.repeat(65 * 2 ** 20), 'b', null, 'é'.repeat(33 * 2 ** 20), 'c']
    const { read, groups } = await throughColumn('text', values)
    expect(read).toEqual(values)
    expect(groups.map(({ num_rows: rows }) => Number(rows))).toEqual([2, 3, 1])
  })

  test('has 100,000 rows in a row group', THOROUGH, async () => {
    const { groups } = await throughColumn(
      'integer',
      Array.from({ length: 100_001 }, (_, i) => i),
    )
    expect(groups.map(({ num_rows: rows }) => Number(rows))).toEqual([100_000, 1])
  })

  /** Some pages: without values, with few different ones, with different ones, and with few again. */
  const several = Array.from({ length: 70_000 }, (_, i) => {
    if (i < 20_000) return null
    return i < 36_000 || i > 60_000 ? `person ${i % 9}` : `text ${i}`
  })

  test('gives back pages that need a dictionary and pages that do not', THOROUGH, async () => {
    const { read, groups } = await throughColumn('text', several)
    expect(read).toEqual(several)
    expect(groups).toHaveLength(1)
    expect(groups[0]?.columns[0]?.meta_data?.encodings).toEqual(['RLE', 'PLAIN', 'RLE_DICTIONARY'])
  })

  test('gives back any rows by the places of their pages', THOROUGH, async () => {
    const { buffer } = await throughColumn('text', several)
    const range = fc.tuple(fc.nat(several.length), fc.nat(several.length)).map((ends) => {
      const [rowStart = 0, rowEnd = 0] = ends.sort((a, b) => a - b)
      return { rowStart, rowEnd: rowEnd + 1 }
    })
    await fc.assert(
      fc.asyncProperty(range, async (rows) => {
        const options = { file: buffer, compressors, parsers, useOffsetIndex: true }
        const read = await parquetReadObjects({ ...options, ...rows })
        expect(read.map(({ url }) => url)).toEqual(several.slice(rows.rowStart, rows.rowEnd))
      }),
      { numRuns: runs(5) },
    )
  })

  test.each([
    ['text', several],
    // hyparquet cannot read the index of a page of times without values.
    ['time', several.map((_, i) => (i % 3 ? i : null))],
  ] as const)('says of each page of %s what is in it', async (type, values) => {
    const { firstRows, null_pages, null_counts, min_values, max_values } = pagesOf(
      await throughColumn(type, [...values]),
    )
    expect(firstRows.length).toBeGreaterThan(3)
    firstRows.forEach((first, page) => {
      const found = values.slice(first, firstRows[page + 1]).filter((value) => value !== null)
      const nulls = (firstRows[page + 1] ?? values.length) - first - found.length
      expect(Number(null_counts?.[page])).toBe(nulls)
      expect(null_pages[page]).toBe(found.length === 0)
      if (found.length === 0) return
      const sorted = found.sort((a, b) => ((a ?? 0) < (b ?? 0) ? -1 : 1))
      const bounds = [min_values[page], max_values[page]].map((bound) =>
        bound instanceof Date ? bound.getTime() : bound,
      )
      expect(bounds).toEqual([sorted[0], sorted.at(-1)])
    })
  })

  test('has a filter that knows all of its texts, and few others', THOROUGH, async () => {
    const { groups, buffer } = await throughColumn('text', several)
    const offset = Number(groups[0]?.columns[0]?.meta_data?.bloom_filter_offset)
    const blocks = readBloomFilter({ view: new DataView(buffer), offset })?.blocks as Uint32Array
    const element = parquetMetadata(buffer).schema[1] as SchemaElement
    const has = (text: string) => sbbfContains(blocks, hashParquetValue(text, element) as bigint)
    expect(several.filter((text) => text !== null && !has(text))).toEqual([])
    const others = Array.from({ length: 1000 }, (_, i) => `other ${i}`)
    expect(others.filter(has).length).toBeLessThan(50)
  })

  test('compares texts as their bytes are compared', async () => {
    const texts = fc.array(
      fc.oneof(
        fc.string({
          unit: fc.constantFrom('a', '\u{1f375}', '\uffff', '\ue000', '\ud800', '\udfff'),
        }),
        fc.string({ unit: codePoint }),
      ),
      { minLength: 1, maxLength: 6 },
    )
    await fc.assert(
      fc.asyncProperty(texts, async (values) => {
        const { groups } = await throughColumn('text', values)
        const sorted = values.map((text) => Buffer.from(text)).sort(Buffer.compare)
        const statistics = groups[0]?.columns[0]?.meta_data?.statistics
        expect(statistics?.min_value).toBe(sorted[0]?.toString())
        expect(statistics?.max_value).toBe(sorted.at(-1)?.toString())
      }),
      { numRuns: runs(20) },
    )
  })
})

test('Columns that people filter by have statistics, and texts have none', async () => {
  const { buffer } = await throughFile('issues', KINDS.issues, [
    {
      type: 'issue',
      url: 'https://H/o/r/issues/7',
      body: 'long',
      closed_at: '2024-01-31T23:59:59Z',
    },
  ])
  const columns = parquetMetadata(buffer).row_groups[0]?.columns ?? []
  const has = (name: string) =>
    columns.find(({ meta_data }) => meta_data?.path_in_schema[0] === name)?.meta_data?.statistics
  expect(has('number')?.min_value).toBe(7n)
  expect(has('closed_at')?.min_value).toEqual(new Date('2024-01-31T23:59:59Z'))
  expect(has('state')?.max_value).toBe('closed')
  expect(has('_archive')?.min_value).toBe('a')
  expect(has('body')).toBeUndefined()
})
