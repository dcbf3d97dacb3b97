import { crc32 } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { canonicalBatches } from '../../../src/records/canonical/canonical-batches.ts'
import type { JsonObject } from '../../../src/records/json/json.ts'
import { KINDS } from '../../../src/records/kinds/kinds.ts'
import { writeRecords } from '../../../src/records/write-records.ts'

const print = (records: JsonObject[]) =>
  Buffer.concat([...writeRecords(records, { emptyArray: 'new' })])

const milestone = (others: JsonObject = {}): JsonObject => ({
  ...Object.fromEntries(Object.keys(KINDS.milestones.columns).map((name) => [name, null])),
  ...{ type: 'milestone', url: 'https://forge.example/o/r/milestones/1', ...others },
})

// `type` must stand first.
const inOrder = ({ type, ...record }: JsonObject): JsonObject => ({ type: type ?? null, ...record })
const milestones = (...records: JsonObject[]) =>
  canonicalBatches(KINDS.milestones, print(records.map(inOrder)))

const { issue_comments } = KINDS

/** The CRC-32 of each of these records as it is printed in a file. */
const sumsOf = (...records: JsonObject[]) => {
  const sums = Buffer.alloc(4 * records.length)
  records.forEach((record, i) => {
    sums.writeUInt32BE(crc32(print([record]).subarray(4, -2)), 4 * i)
  })
  return new Uint8Array(sums)
}

const comment = (others: JsonObject): JsonObject => ({
  ...{ type: 'issue_comment', url: 'https://forge.example/o/r/issues/1#issuecomment-1' },
  ...others,
  ...{ user: null, body: 'Yes.', formatter: 'markdown', reactions: [], created_at: null },
})

describe('canonicalBatches', () => {
  test('takes a file as one run, with its bytes as they are', () => {
    const bytes = print([milestone(), milestone()].map(inOrder))
    const [run, ...others] = canonicalBatches(KINDS.milestones, bytes) ?? []
    const checksums = sumsOf(inOrder(milestone()), inOrder(milestone()))
    const known = { records: 2, index: 1, present: [], hasNull: false, checksums }
    expect(run).toEqual({ json: bytes, ...known })
    expect(run?.json).toBe(bytes)
    expect(others).toEqual([])
  })

  test('separates records with null in a member that is usually absent', () => {
    const records = [
      comment({ issue: 'a' }),
      comment({ pull_request: 'b' }),
      comment({ issue: 'a', pull_request: null }),
      comment({ pull_request: 'b' }),
    ]
    const runs = canonicalBatches(issue_comments, print(records)) ?? []
    const found = runs.map(({ json, ...run }) => ({ ...run, of: JSON.parse(json.toString()) }))
    expect(found).toEqual([
      {
        ...{ records: 2, index: 1, present: ['issue', 'pull_request'], hasNull: false },
        ...{ of: records.slice(0, 2), checksums: sumsOf(...records.slice(0, 2)) },
      },
      {
        ...{ records: 1, index: 3, present: ['issue'], hasNull: true },
        ...{ of: [records[2]], checksums: sumsOf(records[2] as JsonObject) },
      },
      {
        ...{ records: 1, index: 4, present: ['pull_request'], hasNull: false },
        ...{ of: [records[3]], checksums: sumsOf(records[3] as JsonObject) },
      },
    ])
  })

  test('takes records longer than the part that it looks at', () => {
    const body = 'long '.repeat(100_000)
    const runs = milestones(milestone(), milestone({ description: body }), milestone())
    expect(runs).toMatchObject([{ records: 3 }])
  })

  test('takes two million bytes of escapes, or of elements of a list', () => {
    expect(milestones(milestone({ description: '\n'.repeat(10 ** 6) }))).toHaveLength(1)
    const labels = Array(10 ** 5).fill('a\nb')
    const issue = Object.keys(KINDS.issues.columns).map((name): [string, null] => [name, null])
    const record = { type: 'issue', ...Object.fromEntries(issue), url: 'u', labels }
    const { reactions, ...plain } = record as JsonObject
    expect(canonicalBatches(KINDS.issues, print([plain]))).toHaveLength(1)
  })

  test.each([
    ['an empty file', ''],
    ['an empty array', '[]'],
    ['a record alone', print([milestone()].map(inOrder)).toString().slice(2, -2)],
    ['an array without end', print([milestone()].map(inOrder)).toString().slice(0, -2)],
    ['something after the array', `${print([milestone()].map(inOrder))}\n`],
    ['records in another form', JSON.stringify([inOrder(milestone())])],
    ['a byte order mark', `\ufeff${print([milestone()].map(inOrder))}`],
  ])('leaves alone %s', (_what, text) => {
    expect(canonicalBatches(KINDS.milestones, Buffer.from(text))).toBeUndefined()
  })

  test.each<[string, JsonObject]>([
    ['of another type', { type: 'issue' }],
    ['without a url', { url: null }],
    ['with a member that is not known', { colour: 'red' }],
    ['with a number where a text is foreseen', { title: 1 }],
    ['with a character that SQLite would end the text at', { title: 'a\0b' }],
    ['with a lone surrogate', { title: '\ud800' }],
  ])('leaves a file alone that has a record %s', (_what, others) => {
    expect(milestones(milestone(), milestone())).toHaveLength(1)
    expect(milestones(milestone(), milestone(others))).toBeUndefined()
  })

  test('leaves a file alone with bytes that are not UTF-8', () => {
    const bytes = print([inOrder(milestone({ title: 'é' }))])
    expect(canonicalBatches(KINDS.milestones, bytes)).toHaveLength(1)
    bytes[bytes.indexOf(0xc3)] = 0xff
    expect(canonicalBatches(KINDS.milestones, bytes)).toBeUndefined()
  })

  test('gives up on hostile text as soon as it was looked at once', () => {
    const record = print([inOrder(milestone({ title: 'a\n'.repeat(500_000) }))])
    const labels = print([{ type: 'issue', labels: Array(10 ** 5).fill('a\nb') }])
    for (const bytes of [record.subarray(0, -9), labels]) {
      expect(canonicalBatches(KINDS.milestones, bytes)).toBeUndefined()
      expect(canonicalBatches(KINDS.issues, bytes)).toBeUndefined()
    }
  })
})
