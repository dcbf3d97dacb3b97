import {
  closeSync,
  ftruncateSync,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { openBulkLoad } from '../../../src/database/bulk/bulk-load.ts'
import { PAGE } from '../../../src/database/bulk/page-file.ts'
import { toRow } from '../../../src/database/rows/to-row.ts'
import type { Row } from '../../../src/database/schema/row-layout.ts'
import { RecordScanner } from '../../../src/records/canonical/read-canonical.ts'
import type { JsonObject } from '../../../src/records/json/json.ts'
import { parseLossless } from '../../../src/records/json/parse-lossless.ts'
import { KINDS } from '../../../src/records/kinds/kinds.ts'
import { writeRecords } from '../../../src/records/write-records.ts'
import { plainObjects } from '../../support/plain-objects.ts'
import { runs } from '../../support/property-runs.ts'
import { everyDay, fewKinds, THOROUGH } from '../../support/thorough.ts'

const folder = mkdtempSync(join(tmpdir(), 'bulk-load-'))
afterAll(() => rmSync(folder, { recursive: true }))
let made = 0

/** A new database in which a load has begun, with tables of so many columns before those of the place. */
function begin(tables: Record<string, number>, form = '') {
  const path = join(folder, `${made++}.db`)
  const database = new Sqlite(path)
  database.pragma(`page_size = ${PAGE}`)
  database.exec(form)
  database.pragma('synchronous = OFF')
  database.exec('BEGIN')
  for (const [name, columns] of Object.entries(tables)) {
    const names = Array.from({ length: columns }, (_, i) => `c${i}`)
    database.exec(`CREATE TABLE ${name} (${[...names, 'archive', 'entry', 'number'].join(', ')})`)
  }
  return { database, path, bulk: openBulkLoad(database, path) }
}

const place = (record: number) => ({ archive: 3, entry: Buffer.from('é_000001.json'), record })

const rowsOf = (database: Sqlite.Database, table: string) =>
  database.prepare(`SELECT rowid, * FROM ${table}`).raw().all()

const check = (database: Sqlite.Database) => database.pragma('integrity_check', { simple: true })

/** Adds rows to a table and expects SQLite to find them, whole and in order. */
function expectRows(rows: Row[], columns: number) {
  const { database, bulk } = begin({ things: columns })
  const table = bulk.openTable('things', columns)
  for (const [i, row] of rows.entries()) table.addRow(row, place(i + 1))
  bulk.finish()
  expect(check(database)).toBe('ok')
  const expected = rows.map((row, i) => [i + 1, ...row, 3, 'é_000001.json', i + 1])
  expect(rowsOf(database, 'things')).toEqual(expected)
  return database
}

const EDGES = [7, 8, 15, 16, 23, 24, 31, 32, 47, 48].flatMap((bits) => [
  2 ** bits - 1,
  2 ** bits,
  -(2 ** bits),
  -(2 ** bits) - 1,
])
const integers = fc.oneof(fc.constantFrom(0, 1, -1, ...EDGES), fc.maxSafeInteger())
/** Lengths at which a header, a leaf or an overflow page is just full, and others. */
const lengths = fc.oneof(
  fc.constantFrom(0, 57, 58, 8185, 8186, 16_300, 16_349, 16_350, 16_380, 32_760),
  fc.nat(40_000),
  fc.nat(30),
)
const texts = fc.tuple(fc.constantFrom('a', 'é', '🦆'), lengths).map(([c, n]) => c.repeat(n))
const values = fc.oneof(fc.constant(null), integers, texts)

describe('A bulk load', () => {
  test('leaves rows that SQLite reads and changes as its own', () => {
    const rows = fc.integer({ min: 1, max: 150 }).chain((columns) =>
      fc.array(fc.array(values, { minLength: columns, maxLength: columns }), {
        maxLength: Math.ceil(60 / columns),
      }),
    )
    fc.assert(
      fc.property(rows, (rows) => {
        const database = expectRows(rows, rows[0]?.length ?? 1)
        database.exec(`
          INSERT INTO things (c0) VALUES (zeroblob(50000)), (1);
          DELETE FROM things WHERE rowid % 3 = 0;
          CREATE INDEX by_c0 ON things (c0);
          UPDATE things SET c0 = c0 || 'x' WHERE rowid % 2;
          COMMIT`)
        expect(check(database)).toBe('ok')
        database.exec('VACUUM')
        expect(check(database)).toBe('ok')
        database.close()
      }),
      { numRuns: runs(60) },
    )
  })

  everyDay(2)([0, 1, 60_000])('writes a table of %i rows', (count) => {
    expectRows(
      Array.from({ length: count }, (_, i) => [i, 'x'.repeat(i % 50)]),
      2,
    ).close()
  })

  test('writes a tree of three levels', THOROUGH, () => {
    // A row fills a leaf, and an interior page has about a thousand children.
    const text = 'x'.repeat(16_000)
    expectRows(Array(1200).fill([text]), 1).close()
  })

  test('writes a row of a mebibyte', () => {
    expectRows([['a'], ['é'.repeat(2 ** 19)], ['b']], 1).close()
  })

  // Bytes of a row that its leaf can hold at most, and that it holds at least if overflow pages of so many hold the rest.
  const [MOST, LEAST, OVERFLOW] = [PAGE - 35, 2031, PAGE - 4]
  /** Bytes of a row with one text of more than 8 KiB, besides the text. */
  const BESIDES = 1 + 3 + 3 + 16

  everyDay(1)([
    ['a leaf', [MOST]],
    ['overflow pages, and leaves least in its leaf', [1, 2, 63].map((n) => LEAST + n * OVERFLOW)],
    ['overflow pages, and leaves most in its leaf', [1, 2, 63].map((n) => MOST + n * OVERFLOW)],
  ])('writes a row that just fills %s, where SQLite would', (_what, sizes) => {
    const around = sizes.flatMap((size) => [-2, -1, 0, 1, 2].map((more) => size + more))
    const rows = around.map((size, i) => [String.fromCharCode(97 + i).repeat(size - BESIDES)])
    const database = expectRows(rows, 1)
    database.exec('CREATE TABLE same AS SELECT * FROM things')
    const parts = database
      .prepare('SELECT pagetype, sum(ncell), sum(payload) FROM dbstat WHERE name = ? GROUP BY 1')
      .raw()
    expect(parts.all('things')).toEqual(parts.all('same'))
    expect(parts.get('things')).toContain('internal')
    database.close()
  })

  test('fills leaves to the last byte', () => {
    // Two rows are together as long as a leaf, some bytes shorter, or some longer.
    const rows = Array.from({ length: 100 }, (_, i) => ['a'.repeat(i % 2 ? 8100 + i : 8150)])
    expectRows(rows, 1).close()
  })

  test.each([
    ['bytes of a page', 'PRAGMA page_size = 4096'],
    ['format for writing', 'PRAGMA journal_mode = WAL'],
    ['page for auto-vacuum', 'PRAGMA auto_vacuum = INCREMENTAL'],
    ['encoding', "PRAGMA encoding = 'UTF-16le'"],
  ])('refuses a database with another %s', (what, form) => {
    const { database, bulk } = begin({ things: 1 }, form)
    const table = bulk.openTable('things', 1)
    const add = () => {
      for (let i = 1; i < 5000; i++) table.addRow(['x'], place(i))
    }
    expect(add).toThrow(what)
    bulk.close()
    database.close()
  })

  test('writes several tables while SQLite writes others, and leaves no page unused for long', () => {
    const { database, path, bulk } = begin({ one: 1, two: 2 })
    database.exec('CREATE TABLE notes (note)')
    const [one, two] = [bulk.openTable('one', 1), bulk.openTable('two', 2)]
    const insert = database.prepare('INSERT INTO notes VALUES (?)')
    for (let i = 1; i <= 3000; i++) {
      one.addRow(['a'.repeat(i % 700)], place(i))
      two.addRow([i, null], place(i))
      if (i % 100 === 0) insert.run('n'.repeat(i * 10))
    }
    // A kind that is met late has its table late.
    database.exec('CREATE TABLE late (c0, archive, entry, number)')
    bulk.openTable('late', 1).addRow(['last'], place(1))
    bulk.finish()
    expect(check(database)).toBe('ok')
    const count = (table: string) => database.prepare(`SELECT count(*) FROM ${table}`).pluck().get()
    expect(['one', 'two', 'notes', 'late'].map(count)).toEqual([3000, 3000, 30, 1])
    const pages = Number(database.pragma('page_count', { simple: true }))
    expect(database.pragma('freelist_count', { simple: true })).toBeLessThan(pages / 7)
    database.exec('COMMIT')
    expect(statSync(path).size).toBe(pages * PAGE)
    database.close()
  })

  test('passes over the page of the locks, behind a gibibyte', THOROUGH, () => {
    const { database, path, bulk } = begin({ things: 1 })
    const table = bulk.openTable('things', 1)
    const filled = 2 ** 30 / PAGE - 20
    database.exec('COMMIT')
    pretendPages(path, filled)
    database.exec('BEGIN')
    for (let i = 1; i <= 60; i++) table.addRow(['x'.repeat(16_000)], place(i))
    table.addRow(['y'.repeat(400_000)], place(61))
    bulk.finish()
    const faults = String(database.pragma('integrity_check(100000)', { simple: true })).split('\n')
    const others = faults.filter((fault) => {
      const [, page = '0'] = /^Page (\d+): never used$/.exec(fault) ?? []
      return !fault.startsWith('***') && !(Number(page) > 1 && Number(page) <= filled)
    })
    expect(faults.length).toBeGreaterThan(60_000)
    expect(others).toEqual([])
    expect(rowsOf(database, 'things')).toHaveLength(61)
    database.close()
  })
})

/** Makes a file, sparse, look as if it had this many pages. */
function pretendPages(path: string, pages: number) {
  const file = openSync(path, 'r+')
  const header = Buffer.alloc(100)
  readSync(file, header)
  header.writeUInt32BE(pages, 28)
  for (const at of [24, 92]) header.writeUInt32BE(header.readUInt32BE(at) + 1, at)
  ftruncateSync(file, pages * PAGE)
  writeSync(file, header, 0, 100, 0)
  closeSync(file)
}

const scanner = new RecordScanner()

for (const [rows, suite] of fewKinds(Object.entries(KINDS))) {
  describe.each(rows)('Canonical records of %s', suite, (_name, kind) => {
    test('become the rows of records that were parsed', () => {
      const columns = Object.keys(kind.columns).length + 2
      let canonical = 0
      const file = fc.record({
        records: fc.array(plainObjects(kind), { minLength: 1, maxLength: 5 }),
        emptyArray: fc.constantFrom('new' as const, 'old' as const),
      })
      const types = Array.from({ length: columns }, (_, i) => `typeof(c${i})`)
      fc.assert(
        // Several files into one database, which takes more time than their records.
        fc.property(fc.array(file, { minLength: 6, maxLength: 6 }), (files) => {
          const { database, bulk } = begin({ scanned: columns, parsed: columns })
          const [one, other] = [
            bulk.openTable('scanned', columns),
            bulk.openTable('parsed', columns),
          ]
          for (const { records, emptyArray } of files) {
            const bytes = Buffer.concat([...writeRecords(records, { emptyArray })])
            const scanned = scanner.scan(kind, bytes)
            if (!scanned || scanned.hasNull.subarray(0, scanned.records).includes(1)) continue
            canonical++
            for (let i = 0; i < scanned.records; i++) one.addScanned(scanned, i, place(i + 1))
            const parsed = parseLossless(bytes.toString()) as JsonObject[]
            for (const [i, record] of parsed.entries()) {
              other.addRow(toRow(kind, record), place(i + 1))
            }
          }
          bulk.finish()
          const rows = (table: string) =>
            database.prepare(`SELECT *, ${types} FROM ${table}`).raw().all()
          expect(rows('scanned')).toEqual(rows('parsed'))
          database.close()
        }),
        { numRuns: runs(8) },
      )
      expect(canonical).toBeGreaterThan(1)
    })
  })
}
