import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { describe, expect, test } from 'vitest'
import { type ExportType, typeOf } from '../../src/exporters/column-types.ts'
import { folderName } from '../../src/exporters/dataset/partition-name.ts'
import {
  EXPORT_FORMATS,
  FOLDER_FORMATS,
  type FolderFormat,
} from '../../src/exporters/export-options.ts'
import { EXPORTERS } from '../../src/exporters/exporters.ts'
import { openFolderTarget } from '../../src/exporters/targets/folder.ts'
import type { TypedValue } from '../../src/exporters/to-typed.ts'
import { exportData, verifyExport } from '../../src/index.ts'
import {
  isObject,
  isRawNumber,
  type JsonObject,
  type JsonValue,
} from '../../src/records/json/json.ts'
import { parseLossless } from '../../src/records/json/parse-lossless.ts'
import type { Kind } from '../../src/records/kinds/kind.ts'
import { smallArchive } from '../support/archives.ts'
import { folderOf } from '../support/folder.ts'
import { fromExport } from '../support/from-export.ts'
import { firstOfEach, THOROUGH } from '../support/thorough.ts'
import { differencesIn } from '../support/verified.ts'
import { keepsThePromises } from './exporter-contract.ts'

test('Every format has its target', () => {
  expect(Object.keys(EXPORTERS)).toEqual(EXPORT_FORMATS)
})

test('A partition of each format is as its source, and under its name', THOROUGH, async () => {
  const folder = await folderOf({ 'it.tar.gz': smallArchive() })
  const archive = join(folder, 'it.tar.gz')
  for (const as of FOLDER_FORMATS) {
    const lake = join(folder, `lake-${as}`)
    await exportData(archive, lake, { format: as, as })
    expect(differencesIn(await verifyExport(archive, lake, { format: as, as }))).toEqual({
      [as]: [],
      rest: [],
    })
    expect(await openFolderTarget(lake, { existing: true }).names()).toEqual([as])
  }
})

test.each(['_marc', '_marc/archives', 'kind=issues', 'kind=issues/archive=it'])(
  'M4: A link in place of %s is refused, and nothing is written or removed where it leads',
  async (name) => {
    const folder = await folderOf({ 'it.tar.gz': smallArchive(), 'elsewhere/data.parquet': 'kept' })
    const [archive, lake, elsewhere] = ['it.tar.gz', 'lake', 'elsewhere'].map((part) =>
      join(folder, part),
    ) as [string, string, string]
    await exportData(archive, lake, { format: 'parquet' })
    cpSync(join(lake, name), elsewhere, { recursive: true, force: false })
    rmSync(join(lake, name), { recursive: true })
    symlinkSync(elsewhere, join(lake, name))
    const before = readdirSync(elsewhere, { recursive: true }).sort()
    const refusal = { code: 'output-refused', place: { archive: join(lake, name) } }
    writeFileSync(archive, smallArchive({ 'more.txt': 'another archive' }))
    await expect(exportData(archive, lake, { format: 'parquet' })).rejects.toMatchObject(refusal)
    expect(readdirSync(elsewhere, { recursive: true }).sort()).toEqual(before)
    expect(readFileSync(join(elsewhere, 'data.parquet'), 'utf8')).toBe('kept')
  },
)

const READERS: Readonly<Record<FolderFormat, (bytes: Buffer) => Promise<string[]>>> = {
  async parquet({ buffer, byteOffset, length }) {
    const file = buffer.slice(byteOffset, byteOffset + length) as ArrayBuffer
    const rows = await parquetReadObjects({ file, compressors, columns: ['title'] })
    return rows.map(({ title }) => title as string)
  },
  ndjson: async (bytes) => linesOf(bytes).map(({ title }) => title as string),
  csv: async (bytes) => rowsOf(bytes).map(({ title }) => title as string),
}

const linesOf = (bytes: Buffer): JsonObject[] =>
  bytes
    .toString()
    .split('\n')
    .filter(Boolean)
    .map((line) => parseLossless(line, ANY_DEPTH) as JsonObject)

/** An empty field is NULL; an empty text is quoted. */
const rowsOf = (bytes: Buffer): Record<string, string | null>[] =>
  parse(bytes, {
    columns: true,
    cast: (value, { quoting, header }) => (value === '' && !quoting && !header ? null : value),
  })

const ANY_DEPTH = { maxDepth: Number.POSITIVE_INFINITY }

/** The records of a table, if its files are of text. */
const RECORDS: Partial<Record<FolderFormat, (bytes: Buffer, kind: Kind) => JsonObject[]>> = {
  ndjson: linesOf,
  csv: (bytes, kind) =>
    rowsOf(bytes).map((row) =>
      fromExport(kind, {
        values: Object.entries(kind.columns).map(([name, column]) =>
          typedFrom(typeOf(column), row[name] ?? null),
        ),
        extra: row._extra ?? null,
        memberOrder: row._member_order ? JSON.parse(row._member_order) : null,
      }),
    ),
}

/** A value of a CSV file, whose lists and objects are JSON. */
function typedFrom(type: ExportType, text: string | null): TypedValue {
  if (text === null) return null
  if (type.is === 'flag') return text === 'true'
  const isNested = type.is === 'list' || type.is === 'struct'
  return isNested ? nested(type, parseLossless(text, ANY_DEPTH)) : text
}

/** A nested value: of its parts, those of any shape are texts of JSON. */
function nested(type: ExportType, value: JsonValue): TypedValue {
  if (value === null) return null
  if (type.is === 'json') return JSON.stringify(value)
  if (Array.isArray(value)) {
    return type.is === 'list' ? value.map((each) => nested(type.element, each)) : null
  }
  if (isRawNumber(value)) return BigInt(value.rawJSON)
  if (!isObject(value)) return value as TypedValue
  const members = type.is === 'struct' ? type.members : []
  return Object.fromEntries(
    members.map((each) => [each.name, nested(each.type, value[each.name] ?? null)]),
  )
}

const testFormat = (format: FolderFormat) => {
  const records = RECORDS[format]
  keepsThePromises({
    format,
    place: () => folderOf(),
    async titles(place, partition) {
      const path = join(place, `kind=issues/archive=${folderName(partition)}/data.${format}`)
      return existsSync(path) ? (await READERS[format](readFileSync(path))).sort() : []
    },
    ...(records && {
      records: async (place, table, kind) =>
        records(readFileSync(join(place, `kind=${table}/archive=any/data.${format}`)), kind),
    }),
  })
}

// All write to folders in the same way; of one the promises are kept every day.
const [[everyDay], [others]] = firstOfEach(FOLDER_FORMATS.toReversed(), () => 'folder')
describe.each(everyDay)('A dataset of %s', testFormat)
describe.each(others)('A dataset of %s', THOROUGH, testFormat)
