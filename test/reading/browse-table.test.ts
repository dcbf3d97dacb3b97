import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openTemporary } from '../../src/database/connection.ts'
import type { Relation } from '../../src/database/schema/relation.ts'
import { countValues, facetsOf, PAGE_ROWS, selectRows } from '../../src/reading/browse-table.ts'
import { runs } from '../support/property-runs.ts'

const column = (name: string) => ({ name, type: '', description: '' })
const TABLE: Relation = {
  name: 'odd "table"',
  type: 'table',
  summary: '',
  columns: [column('a "b"'), column('kind')],
}

type Row = [a: number | string | null, kind: string | null]

/** Asks a table of these rows. */
function withRows<T>(
  rows: readonly Row[],
  work: (all: (sql: string, parameters: object) => unknown[][]) => T,
): T {
  const database = openTemporary()
  try {
    database.exec('CREATE TABLE "odd ""table""" ("a ""b""", kind)')
    const insert = database.prepare('INSERT INTO "odd ""table""" VALUES (?, ?)')
    // A number is bound as a real one.
    for (const [a, kind] of rows) insert.run(typeof a === 'number' ? BigInt(a) : a, kind)
    return work((sql, parameters) => database.prepare(sql).raw().all(parameters) as unknown[][])
  } finally {
    database.close()
  }
}

const value = fc.oneof(
  fc.constant(null),
  fc.integer({ min: 0, max: 3 }),
  fc.constantFrom('', 'A', 'b'),
)
const kind = fc.constantFrom(null, 'x', 'Y')

describe('The pages of a table', () => {
  test.each([false, true])('have each row once, in order, descending: %s', (isDescending) => {
    fc.assert(
      fc.property(fc.array(fc.tuple(value, kind), { maxLength: 350 }), (rows) => {
        withRows(rows, (all) => {
          const sort = { column: 'a "b"', isDescending }
          const seen: unknown[][] = []
          let after: number | undefined
          for (;;) {
            const { sql, parameters } = selectRows(TABLE, { sort, filters: new Map(), after }, true)
            const found = all(sql, parameters)
            seen.push(...found.slice(0, PAGE_ROWS))
            if (found.length <= PAGE_ROWS) break
            after = Number(found[PAGE_ROWS - 1]?.[0])
          }
          const direction = isDescending ? 'DESC' : ''
          const whole = all(
            `SELECT rowid, * FROM "odd ""table""" ORDER BY "a ""b""" IS NULL, "a ""b""" ${direction}, rowid ${direction}`,
            {},
          )
          expect(seen).toEqual(whole)
        })
      }),
      { numRuns: runs(5) },
    )
  })
})

describe('A filter of a column', () => {
  const rows: Row[] = [
    [1, 'Boil'],
    [21, 'boiler'],
    ['=1', null],
    [null, '100 %'],
  ]
  test.each([
    ['kind', 'BOIL', ['Boil', 'boiler']],
    ['kind', '=boiler', ['boiler']],
    ['kind', '=', [null]],
    ['kind', '%', ['100 %']],
    ['a "b"', '1', ['Boil', 'boiler', null]],
    ['a "b"', '=1', ['Boil']],
    ['a "b"', '==1', [null]],
    ['a "b"', "' OR 1", []],
  ])('%s: %s', (name, wanted, kinds) => {
    withRows(rows, (all) => {
      const { sql, parameters } = selectRows(TABLE, { filters: new Map([[name, wanted]]) }, true)
      expect(all(sql, parameters).map((row) => row[2])).toEqual(kinds)
    })
  })
})

test('Values are counted for columns that have few, most often first', () => {
  const rows = Array.from(
    { length: 40 },
    (_, i): Row => [i, i % 4 === 0 ? 'x' : i % 4 === 1 ? null : 'y'],
  )
  withRows(rows, (all) => {
    const { sql, parameters } = countValues(TABLE, new Map())
    expect(facetsOf(TABLE, all(sql, parameters) as never)).toEqual([
      {
        column: 'kind',
        values: [
          { value: 'y', count: 20 },
          { value: null, count: 10 },
          { value: 'x', count: 10 },
        ],
      },
    ])
  })
})
