import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalFacts } from '../../../src/records/canonical/read-canonical.ts'
import { RecordScanner } from '../../../src/records/canonical/scan-records.ts'
import type { JsonObject } from '../../../src/records/json/json.ts'
import { KINDS } from '../../../src/records/kinds/kinds.ts'
import { factsOf } from '../../../src/records/statistics/record-facts.ts'
import { writeRecords } from '../../../src/records/write-records.ts'
import { plainObjects } from '../../support/plain-objects.ts'

const print = (records: JsonObject[]) =>
  Buffer.concat([...writeRecords(records, { emptyArray: 'new' })])

/** The same, each byte of a text a character. */
const inBytes = (record: JsonObject): JsonObject =>
  JSON.parse(Buffer.from(JSON.stringify(record)).toString('latin1'))

const part = fc
  .string({ unit: fc.constantFrom('a', 'Z', '0', '-', '.', '[', '"', '\\', '\n', '%', 'é', '🦆') })
  .filter((text) => !text.includes('/'))
const urlOf = (...parts: fc.Arbitrary<string>[]) =>
  fc.tuple(...parts).map((parts) => ['https:', '', ...parts].join('/'))
const thread = urlOf(part, part, part, part, part)
const repository = urlOf(part, part, part)

const scanner = new RecordScanner()

/** Members that are looked at, as the host writes them. */
const URLS: Record<string, fc.Arbitrary<string>> = {
  user: fc.oneof(urlOf(part, part), urlOf(part, fc.constant('apps'), part)),
  repository,
  issue: thread,
  pull_request: thread,
}

describe.each(Object.entries(KINDS))('The facts of plain %s', (name, kind) => {
  test('are those that parsing finds', () => {
    let plain = 0
    const urls = name === 'repositories' ? { ...URLS, url: repository } : URLS
    const record = fc
      .tuple(plainObjects(kind), fc.record(urls))
      .map(([record, urls]): JsonObject => {
        const isUrl = (member: string) => typeof record[member] === 'string' && member in urls
        const members = Object.keys(record).filter(isUrl)
        return {
          ...record,
          ...Object.fromEntries(members.map((member) => [member, urls[member] as string])),
        }
      })
    fc.assert(
      fc.property(fc.array(record, { minLength: 1, maxLength: 5 }), (records) => {
        const scanned = scanner.scan(kind, print(records))
        if (!scanned) return
        plain++
        const found = [...canonicalFacts(name, scanned)]
        expect(found).toEqual(records.map((record) => factsOf(name, inBytes(record))))
      }),
      { numRuns: 20 },
    )
    expect(plain).toBeGreaterThan(5)
  })
})
