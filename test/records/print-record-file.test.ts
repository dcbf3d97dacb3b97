import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JsonValue } from '../../src/records/json/json.ts'
import { hasLevel, printRecordFile } from '../../src/records/print-record-file.ts'
import { printRecord, writeRecords } from '../../src/records/write-records.ts'
import { jsonObjects } from '../support/json-objects.ts'

test('A file is that of writeRecords, and each record is where it is said to be', () => {
  fc.assert(
    fc.property(fc.array(jsonObjects, { minLength: 1, maxLength: 5 }), (records) => {
      const { memory, from, to } = printRecordFile(records)
      const written = Buffer.concat([...writeRecords(records, { emptyArray: 'new' })])
      expect(memory.toString()).toBe(written.toString())
      for (const [i, record] of records.entries()) {
        const printed = printRecord(record, { emptyArray: 'new' }).toString()
        expect(memory.toString('utf8', from[i], to[i])).toBe(printed)
      }
    }),
  )
})

test.each([
  ['an object', (value: JsonValue): JsonValue => ({ a: value })],
  ['a list', (value: JsonValue): JsonValue => [value]],
])('What is in %s is one level below it', (_, around) => {
  let value: JsonValue = `\n${' '.repeat(100)}`
  for (let level = 1; level < 6; level++) {
    const printed = printRecordFile([{}, { value }])
    expect(hasLevel(printed, level)).toBe(true)
    expect(hasLevel(printed, level + 1)).toBe(false)
    value = around(value)
  }
})
