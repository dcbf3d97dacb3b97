import fc from 'fast-check'
import { expect } from 'vitest'
import { quoteName } from '../../src/database/quote.ts'
import { deriveValues } from '../../src/exporters/derive-value.ts'
import type { JsonObject } from '../../src/records/json/json.ts'
import { KINDS, type KindName } from '../../src/records/kinds/kinds.ts'
import { sharedTablesWith } from '../support/tables.ts'
import { everyDay } from '../support/thorough.ts'

const H = 'https://github.example'
const urls = fc.oneof(
  fc.constantFrom(
    '',
    '/',
    '//',
    'x',
    '12',
    'o/r',
    H,
    `${H}/`,
    `${H}/o/r`,
    `${H}/o/r/issues/12`,
    '-7',
    'r8',
    `${H}/o/r/issues/1#issuecomment-5`,
    `${H}/o/r/pull/3/files#r8`,
    `${H}/o/r/pull/3/FILES`,
    `${H}/${'9'.repeat(30)}`,
    `${H}/o/r//issues//4/`,
    'é/١',
    `${H}/${'a'.repeat(3000)}/7`,
    `${H}/9007199254740993`,
    `${H}/renovate[bot]`,
    `${H}/👩‍💻/r/issues/1`,
  ),
  fc
    .array(fc.constantFrom('/', '#', '1', '٣', 'a', 'r', '-', 'files', '😀'), { maxLength: 12 })
    .map((parts) => parts.join('')),
)
const values = fc.oneof(
  urls,
  fc.constantFrom(null, 1, 30, 40, 41, 50),
  fc.record({ ref: fc.oneof(urls, fc.constantFrom(null, true)), sha: urls }),
)

/** Records of a kind with members that its derived columns look at, mostly. */
const recordsOf = (name: KindName): fc.Arbitrary<JsonObject> =>
  fc
    .array(fc.tuple(fc.constantFrom('type', ...Object.keys(KINDS[name].columns)), values), {
      maxLength: 12,
    })
    .map(Object.fromEntries)

everyDay(1)(Object.keys(KINDS) as KindName[])(
  'Derived columns of %s are what the database computes',
  (name) => {
    const columns = [...Object.keys(KINDS[name].derived), 'type'].map(quoteName)
    const sample = fc.sample(recordsOf(name), { numRuns: 100, seed: 7 })
    const records = sample.map(({ url: _, ...record }, i) =>
      // Each url is there once.
      typeof sample[i]?.url === 'string' ? { ...record, url: `${sample[i]?.url}` } : record,
    )
    const known = new Set<unknown>()
    const distinct = records.filter(({ url }: JsonObject) => {
      if (url === undefined || !known.has(url)) return Boolean(known.add(url))
      return false
    }) as JsonObject[]
    const database = sharedTablesWith({ [name]: distinct })
    const select = database.prepare(`SELECT ${columns} FROM ${name} ORDER BY rowid`)
    const rows = select.raw().safeIntegers().all() as unknown[][]
    const plain = (value: unknown) => (typeof value === 'number' ? BigInt(value) : value)
    const derived = distinct.map((record) => deriveValues(KINDS[name], record).map(plain))
    expect(derived).toEqual(rows)
  },
)
