import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src/records/json.ts'
import type { Kind } from '../../src/records/kind.ts'
import { KINDS } from '../../src/records/kinds.ts'
import { plainTexts } from '../../src/records/plain-texts.ts'
import { SURVEYED } from '../../src/records/survey-records.ts'
import { writeRecords } from '../../src/records/write-records.ts'
import { plainObjects } from '../support/plain-objects.ts'

const print = (records: JsonObject[]) =>
  Buffer.concat([...writeRecords(records, { emptyArray: 'new' })])

/** What a survey looks at, each byte of a text a character. */
function surveyed(kind: Kind, record: JsonObject): JsonObject {
  const texts = SURVEYED.map((name) => {
    const value = name in kind.columns ? record[name] : null
    return [name, typeof value === 'string' ? Buffer.from(value).toString('latin1') : null]
  })
  return Object.fromEntries(texts)
}

describe.each(Object.entries(KINDS))('plain texts of %s', (_name, kind) => {
  test('are those that parsing finds', () => {
    let plain = 0
    const records = fc.array(plainObjects(kind), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(records, (records) => {
        const found = plainTexts(kind, print(records))
        if (!found) return
        plain++
        expect(found).toEqual(records.map((record) => surveyed(kind, record)))
      }),
      { numRuns: 20 },
    )
    expect(plain).toBeGreaterThan(5)
  })
})

test('no text is found in a file of which one record is not plain', () => {
  const columns = Object.keys(KINDS.milestones.columns).map((name) => [name, null])
  const record = { type: 'milestone', ...Object.fromEntries(columns), url: 'u' }
  expect(plainTexts(KINDS.milestones, print([record]))).toMatchObject([{ url: 'u' }])
  expect(plainTexts(KINDS.milestones, print([record, { ...record, more: 1 }]))).toBeUndefined()
})
