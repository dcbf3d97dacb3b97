import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { RecordScanner } from '../../../src/records/canonical/scan-records.ts'
import type { JsonObject } from '../../../src/records/json/json.ts'
import { parseLossless } from '../../../src/records/json/parse-lossless.ts'
import { KINDS } from '../../../src/records/kinds/kinds.ts'
import { type JsonForm, writeRecords } from '../../../src/records/write-records.ts'
import { plainObjects } from '../../support/plain-objects.ts'
import { fewKinds } from '../../support/thorough.ts'

const print = (records: JsonObject[], emptyArray: JsonForm['emptyArray'] = 'new') =>
  Buffer.concat([...writeRecords(records, { emptyArray })])

const milestone = (others: JsonObject = {}): JsonObject => ({
  type: 'milestone',
  ...Object.fromEntries(Object.keys(KINDS.milestones.columns).map((name) => [name, null])),
  url: 'https://forge.example/o/r/milestones/1',
  ...others,
})

const scanner = new RecordScanner()
const milestones = (...records: JsonObject[]) => scanner.scan(KINDS.milestones, print(records))

const comment = (others: JsonObject): JsonObject => ({
  type: 'issue_comment',
  url: 'https://forge.example/o/r/issues/1#issuecomment-1',
  ...others,
  user: null,
  body: 'Yes.',
  formatter: 'markdown',
  reactions: [],
  created_at: null,
})

/** Where an issue has all of its members, most of them null. */
const issue = (others: JsonObject): JsonObject => {
  const names = Object.keys(KINDS.issues.columns)
  const { reactions, ...record } = Object.fromEntries(names.map((name) => [name, null]))
  return { type: 'issue', ...record, url: 'u', ...others }
}

describe('A scanner', () => {
  test('finds the records of a file, and the bytes of each', () => {
    const records = [milestone(), milestone({ title: 'Two' })]
    const found = milestones(...records)
    const texts = records.map((_, i) => found?.memory.toString('utf8', found.from[i], found.to[i]))
    expect(texts.map((text) => JSON.parse(text as string))).toEqual(records)
    expect(found).toMatchObject({ records: 2, size: print(records).length })
  })

  test('marks records with null in a member that is usually absent', () => {
    const records = [comment({ issue: 'a' }), comment({ issue: 'a', pull_request: null })]
    const found = scanner.scan(KINDS.issue_comments, print(records))
    expect([...(found?.hasNull ?? [])].slice(0, 2)).toEqual([0, 1])
  })

  test('finds values of any length, in files with many records', () => {
    const long = { description: 'long \n'.repeat(100_000) }
    expect(milestones(milestone(), milestone(long), milestone())?.records).toBe(3)
    expect(milestones(...Array(700).fill(milestone()))?.records).toBe(700)
    const labels = Array(10 ** 5).fill('a\nb')
    expect(scanner.scan(KINDS.issues, print([issue({ labels })]))?.records).toBe(1)
  })

  test.each([
    ['an empty file', ''],
    ['an empty array', '[]'],
    ['a record alone', print([milestone()]).toString().slice(4, -2)],
    ['an array without end', print([milestone()]).toString().slice(0, -2)],
    ['something after the array', `${print([milestone()])}\n`],
    ['records in another form', JSON.stringify([milestone()])],
    ['a byte order mark', `\ufeff${print([milestone()])}`],
  ])('leaves alone %s', (_what, text) => {
    expect(milestones(milestone())).toBeDefined()
    expect(scanner.scan(KINDS.milestones, Buffer.from(text))).toBeUndefined()
  })

  test.each<[string, JsonObject]>([
    ['of another type', { type: 'issue' }],
    ['without a url', { url: null }],
    ['with an unknown member', { colour: 'red' }],
    ['with a number where a text is foreseen', { title: 1 }],
    ['with a character at which SQLite would end the text', { title: 'a\0b' }],
    ['with a lone surrogate', { title: '\ud800' }],
  ])('leaves a file alone that has a record %s', (_what, others) => {
    expect(milestones(milestone(), milestone())?.records).toBe(2)
    expect(milestones(milestone(), milestone(others))).toBeUndefined()
  })

  test('leaves a file alone with bytes that are not UTF-8', () => {
    const bytes = print([milestone({ title: 'é' })])
    expect(scanner.scan(KINDS.milestones, bytes)?.records).toBe(1)
    bytes[bytes.indexOf(0xc3)] = 0xff
    expect(scanner.scan(KINDS.milestones, bytes)).toBeUndefined()
  })

  test.each(['0', '-1', '999999999999999', '00', '-0', '01', '1000000000000000', '1.0', '1e3'])(
    'finds the number %s only where it is printed as JavaScript prints it',
    (number) => {
      const comment = Object.keys(KINDS.commit_comments.columns).map((name) => [name, null])
      const record = { type: 'commit_comment', ...Object.fromEntries(comment), url: 'u' }
      const text = print([{ ...record, position: 7 }]).toString()
      const bytes = Buffer.from(text.replace('"position": 7', `"position": ${number}`))
      const found = scanner.scan(KINDS.commit_comments, bytes)
      if (found)
        expect(found.integer[Object.keys(KINDS.commit_comments.columns).indexOf('position')]).toBe(
          Number(number),
        )
      expect(found !== undefined).toBe(/^(?:0|-?[1-9]\d{0,14})$/.test(number))
    },
  )

  test('tells how the file prints empty arrays, and leaves it alone if it does so in two ways', () => {
    const [old, fresh] = ['old', 'new'] as const
    const records = [issue({ labels: [] }), issue({ labels: [] })]
    const inForm = (form: JsonForm['emptyArray']) => print(records, form)
    expect(scanner.scan(KINDS.issues, inForm(old))?.emptyArray).toBe('old')
    expect(scanner.scan(KINDS.issues, inForm(fresh))?.emptyArray).toBe('new')
    expect(milestones(milestone())?.emptyArray).toBeUndefined()
    const mixed = inForm(fresh).toString().replace('[]', '[\n\n    ]')
    expect(scanner.scan(KINDS.issues, Buffer.from(mixed))).toBeUndefined()
  })

  test('gives up a hostile text after one look at it', () => {
    const title = print([milestone({ title: 'a\n'.repeat(500_000) })])
    const labels = print([{ type: 'issue', labels: Array(10 ** 5).fill('a\nb') }])
    for (const bytes of [title.subarray(0, -9), labels]) {
      expect(scanner.scan(KINDS.milestones, bytes)).toBeUndefined()
      expect(scanner.scan(KINDS.issues, bytes)).toBeUndefined()
    }
  })
})

for (const [rows, suite] of fewKinds(Object.entries(KINDS))) {
  describe.each(rows)('Canonical records of %s', suite, (_name, kind) => {
    const files = fc
      .tuple(
        fc.array(plainObjects(kind), { minLength: 1, maxLength: 3 }),
        fc.constantFrom('new' as const, 'old' as const),
      )
      .map(([records, form]) => print(records, form))
    const place = fc.nat(2 ** 30 - 1).map((n) => n / 2 ** 30)
    const byte = fc.oneof(fc.constantFrom(...Buffer.from('"\\,:{}[]\n \t0-1.eEu/tfn')), fc.nat(255))

    test('are printed with the same bytes after parsing, whatever byte was changed, inserted or removed', () => {
      let found = 0
      fc.assert(
        fc.property(files, place, byte, fc.nat(1), fc.nat(1), (bytes, place, byte, out, more) => {
          const at = Math.floor(place * bytes.length)
          const put = Buffer.from(more ? [byte] : [])
          const changed = Buffer.concat([bytes.subarray(0, at), put, bytes.subarray(at + out)])
          for (const file of [bytes, changed]) {
            const scanned = scanner.scan(kind, file)
            if (!scanned) continue
            found++
            const records = parseLossless(file.toString()) as JsonObject[]
            expect(scanned.records).toBe(records.length)
            expect(print(records, scanned.emptyArray ?? 'new').equals(file)).toBe(true)
          }
        }),
        { numRuns: 30 },
      )
      expect(found).toBeGreaterThan(5)
    })
  })
}
