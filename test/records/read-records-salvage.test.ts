import { describe, expect, test } from 'vitest'
import type { Problem } from '../../src/base/errors.ts'
import { readRecords } from '../../src/records/read-records.ts'
import { fedEveryWay, inPiecesOf } from '../support/pieces.ts'
import { THOROUGH } from '../support/thorough.ts'

interface Read {
  urls: unknown[]
  places: number[]
  lost: Problem[]
}

/** The records salvaged from a file; the same for pieces of any size. */
const salvage = (text: string | Uint8Array, limits = {}): Promise<Read> =>
  fedEveryWay(text, async (bytes) => {
    const lost: Problem[] = []
    const read: Read = { urls: [], places: [], lost }
    const report = (problem: Problem) => void lost.push(problem)
    const options = { salvage: true, report, limits }
    for await (const { record, index } of readRecords(bytes, 'x.json', options)) {
      read.urls.push(record.url)
      read.places.push(index)
    }
    return read
  })

const issue = (url: string, more: object = {}) => ({ type: 'issue', url, ...more })
const three = [issue('a', { body: 'x "{\\" y' }), issue('b', { n: [{ o: 1 }] }), issue('c')]

const FORMS: [form: string, text: string][] = [
  ['compact', JSON.stringify(three)],
  ['printed', JSON.stringify(three, null, 2)],
]

describe.each(FORMS)('Of a %s file of records', (_form, text) => {
  test('all is read where nothing is wrong', async () => {
    const { urls, lost } = await salvage(text)
    expect({ urls, lost }).toEqual({ urls: ['a', 'b', 'c'], lost: [] })
  })

  test('a record with a wrong byte is skipped and reported with its place and text', async () => {
    const at = text.indexOf('"b"') + 2
    const broken = `${text.slice(0, at)}\x01${text.slice(at + 1)}`
    const { urls, places, lost } = await salvage(broken)
    expect({ urls, places }).toEqual({ urls: ['a', 'c'], places: [1, 3] })
    expect(lost).toEqual([
      {
        code: 'record-lost',
        place: { entry: 'x.json', record: 2 },
        message: expect.stringMatching(/bytes \d+ to \d+/),
        content: expect.any(String),
      },
    ])
    const [, from, to] = /bytes (\d+) to (\d+)/.exec(lost[0]?.message ?? '') ?? []
    const part = broken.slice(Number(from), Number(to) + 1)
    expect(JSON.parse(lost[0]?.content ?? '')).toBe(part)
    expect(part).toMatch(/^\{\s*"type"[\s\S]+\},\s*$/)
  })

  test.each([
    ['a quote', '"b"', '"b '],
    ['a brace that opens', '{"type":"issue","url":"b"'.slice(0, 1), '('],
    ['a bracket that closes', ']}', ' }'],
    ['a colon', '"b"', '"b":'],
    ['a comma between records', '},', '} '],
  ])('no more than one is lost for %s', async (_what, from, to) => {
    const { urls, lost } = await salvage(text.replace(from, to))
    expect(urls.length).toBeGreaterThanOrEqual(2)
    expect(urls).toContain('c')
    expect(lost.length).toBeLessThanOrEqual(1)
  })

  test('the records before a cut are kept, wherever it is', THOROUGH, async () => {
    const ends = [...text.matchAll(/\}(?=,(?:\n {2})?\{|\n?\]$)/g)].map(({ index }) => index + 1)
    expect(ends.length).toBe(3)
    for (let length = 0; length < text.length; length += 7) {
      const { urls, lost } = await salvage(text.slice(0, length))
      const whole = three.filter((_, i) => (ends[i] as number) <= length)
      expect(urls, `${length} bytes`).toEqual(whole.map(({ url }) => url))
      expect(lost.length, `${length} bytes`).toBe(1)
    }
  })
})

test.each([
  ['an empty file', '', []],
  ['a web page', '<html>{"type": "issue"}</html>', []],
  ['an object', '{"url":"a"}', []],
  ['something after the array', '[{"url":"a"}] {"url":"b"}', ['a', 'b']],
  ['a comma too many', '[{"url":"a"},]', ['a']],
  ['text between records', '[{"url":"a"}, oops, {"url":"b"}]', ['a', 'b']],
])('Salvages what is in %s, and says that something is wrong', async (_what, text, expected) => {
  const { urls, lost } = await salvage(text)
  expect(urls).toEqual(expected)
  expect(lost.map(({ code }) => code)).toContain('record-lost')
})

test('Takes no object within a damaged record for a record', async () => {
  const record = { url: 'r', owner: 'o', labels: [{ url: 'l', name: 'n', color: 'c' }] }
  const text = JSON.stringify([record, { ...record, url: 's' }, { ...record, url: 't' }])
  const { urls } = await salvage(text.replace('"s"', '"s'))
  expect(urls).toEqual(['r', 't'])
})

test('Leaves out a record that passes a limit, and goes on', async () => {
  const long = issue('b', { body: 'x'.repeat(5000) })
  const deep = issue('c', { n: [[[[[[1]]]]]] })
  const text = JSON.stringify([issue('a'), long, deep, issue('d')])
  const { urls, lost } = await salvage(text, { record: 1000, depth: 4 })
  expect(urls).toEqual(['a', 'd'])
  expect(lost.map(({ place }) => place.record)).toEqual([2, 3])
})

test('Reads a file that is damaged everywhere only so often', async () => {
  // Each of these looks like the beginning of a record that would reach to the end of the file.
  const text = `[${'{"url":1,"list":['.repeat(20_000)}`
  const lost: Problem[] = []
  const options = { salvage: true, report: (problem: Problem) => void lost.push(problem) }
  for await (const _ of readRecords(inPiecesOf(text), 'x.json', options));
  expect(lost.length).toBeLessThan(100)
})

test('J3: a record of many small values is left out, as it is refused where nothing is salvaged', async () => {
  const many = `{"type":"issue","url":"a","n":[${'{},'.repeat(60_000)}[0, -1.5e3, true, "x"]]}`
  // No file that is parsed at once.
  const text = `[${many}, {"type":"issue","url":"b","body":"${'x'.repeat(790_000)}"}]`
  const lost: Problem[] = []
  const report = (problem: Problem) => void lost.push(problem)
  const options = { salvage: true, report, limits: { record: 100_000 * 8 } }
  const urls: unknown[] = []
  for await (const { record } of readRecords(inPiecesOf(text, 50_000), 'x.json', options)) {
    urls.push(record.url)
  }
  const message = expect.stringMatching(/^a record with more than 100000 brackets, names/)
  expect({ urls, lost }).toMatchObject({ urls: ['b'], lost: [{ code: 'record-lost', message }] })
})

describe('Of a file without an array', () => {
  const found = 'expected an array of records, found an object'
  test.each([
    ['one record', JSON.stringify(three[0], null, 2), ['a'], []],
    [
      'a record on each line',
      three.map((one) => JSON.stringify(one)).join('\n'),
      ['a', 'b', 'c'],
      [],
    ],
    [
      'records in an object',
      JSON.stringify({ issues: three }, null, 2),
      ['a', 'b', 'c'],
      [`${found}; bytes 0 to 19 of the file were skipped`],
    ],
    [
      'records in an object that has more',
      JSON.stringify({ issues: three, total: 3 }),
      ['a', 'b', 'c'],
      [
        expect.stringContaining(found),
        expect.stringMatching(/; bytes \d+ to \d+ of the file were skipped$/),
      ],
    ],
    [
      'a message',
      '{"message":"Not Found"}',
      [],
      [`${found}; bytes 0 to 22 of the file were skipped`],
    ],
    [
      'a cut line',
      `${JSON.stringify(three[0])}\n{"type":"issue","url":"b`,
      ['a'],
      [expect.stringContaining('the file ends inside it')],
    ],
    ['nothing', ' ', [], ['expected an array of records, found an empty file']],
  ])('%s: what is lost is said once', async (_what, text, urls, messages) => {
    const read = await salvage(text)
    expect([read.urls, read.lost.map(({ message }) => message)]).toEqual([urls, messages])
  })
})
