import Sqlite from 'better-sqlite3'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openCanonicalInserter } from '../../../src/database/rows/insert-canonical.ts'
import { openRowInserter } from '../../../src/database/rows/insert-row.ts'
import { toRow } from '../../../src/database/rows/to-row.ts'
import { BOOKKEEPING, kindTable } from '../../../src/database/schema/kind-table.ts'
import { createStatement } from '../../../src/database/schema/relation.ts'
import {
  type CanonicalBatch,
  canonicalBatches,
} from '../../../src/records/canonical/canonical-batches.ts'
import type { JsonObject } from '../../../src/records/json/json.ts'
import { parseLossless } from '../../../src/records/json/parse-lossless.ts'
import type { Kind } from '../../../src/records/kinds/kind.ts'
import { KINDS } from '../../../src/records/kinds/kinds.ts'
import { type JsonForm, writeRecords } from '../../../src/records/write-records.ts'
import { plainObjects } from '../../support/plain-objects.ts'

/** All rows that `fill` puts into the table of a kind, with the types that SQLite gave to their values. */
function rowsAfter(kind: Kind, fill: (database: Sqlite.Database) => void): unknown[] {
  const database = new Sqlite(':memory:')
  database.exec(createStatement(kindTable('things', kind)))
  fill(database)
  const columns = [...Object.keys(kind.columns), ...BOOKKEEPING.map(({ name }) => name)]
  const values = columns.map((name) => `"${name}", typeof("${name}")`)
  const rows = database.prepare(`SELECT ${values} FROM things`).raw().all()
  database.close()
  return rows
}

const rowsOfRuns = (kind: Kind, runs: CanonicalBatch[]) =>
  rowsAfter(kind, (database) => {
    const insert = openCanonicalInserter(database, 'things', kind, 7)
    for (const run of runs) insert('things_000001.json', run)
  })

/** The rows of the table after each record was parsed and inserted. */
const rowsOfRecords = (kind: Kind, text: string) =>
  rowsAfter(kind, (database) => {
    const stored = [...Object.keys(kind.columns), ...BOOKKEEPING.map(({ name }) => name)]
    const columns = stored.filter((name) => name !== '_archive')
    const insert = openRowInserter(database, 'things', columns, { _archive: 7 })
    const records = parseLossless(text) as JsonObject[]
    records.forEach((record, i) => {
      insert([...toRow(kind, record), 'things_000001.json', i + 1])
    })
  })

const print = (records: JsonObject[], emptyArray: JsonForm['emptyArray'] = 'new') =>
  Buffer.concat([...writeRecords(records, { emptyArray })])

describe.each(Object.entries(KINDS))('plain records of %s', (_name, kind) => {
  test('become the same rows as records that were parsed', () => {
    let plain = 0
    fc.assert(
      fc.property(
        fc.array(plainObjects(kind), { minLength: 1, maxLength: 5 }),
        fc.constantFrom('new' as const, 'old' as const),
        (records, form) => {
          const bytes = print(records, form)
          const runs = canonicalBatches(kind, bytes)
          if (runs === undefined) return
          plain++
          expect(rowsOfRuns(kind, runs)).toEqual(rowsOfRecords(kind, bytes.toString()))
        },
      ),
      { numRuns: 30 },
    )
    expect(plain).toBeGreaterThan(10)
  })

  test('are only texts that JSON has, whatever byte is changed, inserted or removed', () => {
    const text = fc.array(plainObjects(kind), { minLength: 1, maxLength: 2 }).map((r) => print(r))
    const place = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true })
    const byte = fc.oneof(fc.constantFrom(...Buffer.from('"\\,:{}[]\n \t0-1.eEu/tfn')), fc.nat(255))
    fc.assert(
      fc.property(text, place, byte, fc.nat(1), fc.nat(1), (bytes, place, byte, out, more) => {
        const at = Math.floor(place * bytes.length)
        const put = Buffer.from(more ? [byte] : [])
        const changed = Buffer.concat([bytes.subarray(0, at), put, bytes.subarray(at + out)])
        const runs = canonicalBatches(kind, changed)
        if (!runs) return
        expect(rowsOfRuns(kind, runs)).toEqual(rowsOfRecords(kind, changed.toString()))
      }),
      { numRuns: 50 },
    )
  })
})
