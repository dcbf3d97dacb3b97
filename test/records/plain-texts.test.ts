import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src/records/json.ts'
import type { Kind } from '../../src/records/kind.ts'
import { KINDS } from '../../src/records/kinds.ts'
import { openPlainTexts } from '../../src/records/plain-texts.ts'
import { SURVEYED } from '../../src/records/survey-records.ts'
import { writeRecords } from '../../src/records/write-records.ts'
import { plainObjects } from '../support/plain-objects.ts'

const print = (records: JsonObject[]) =>
  Buffer.concat([...writeRecords(records, { emptyArray: 'new' })])

/** The members that are texts, each byte a character, but for the type, which is the kind's. */
function textsOf(kind: Kind, record: JsonObject): JsonObject {
  const texts = SURVEYED.filter((name) => name in kind.columns).map((name) => [name, record[name]])
  const found = texts.filter((pair): pair is [string, string] => typeof pair[1] === 'string')
  return Object.fromEntries(
    found.map(([name, text]) => [name, Buffer.from(text).toString('latin1')]),
  )
}

const plainTexts = openPlainTexts(SURVEYED)

describe.each(Object.entries(KINDS))('plain texts of %s', (_name, kind) => {
  test('are those that parsing finds', () => {
    let plain = 0
    const records = fc.array(plainObjects(kind), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(records, (records) => {
        const found = plainTexts(kind, print(records))
        if (!found) return
        plain++
        expect(found).toEqual(records.map((record) => textsOf(kind, record)))
      }),
      { numRuns: 30 },
    )
    expect(plain).toBeGreaterThan(5)
  })
})

test('no text is found in a file of which one record is not plain', () => {
  const columns = Object.keys(KINDS.milestones.columns).map((name) => [name, null])
  const record = { type: 'milestone', ...Object.fromEntries(columns), url: 'u' }
  expect(plainTexts(KINDS.milestones, print([record]))).toEqual([{ url: 'u' }])
  expect(plainTexts(KINDS.milestones, print([record, { ...record, more: 1 }]))).toBeUndefined()
})
