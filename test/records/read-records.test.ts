import { describe, expect, test } from 'vitest'
import type { Problem } from '../../src/base/errors.ts'
import type { Bytes } from '../../src/base/streams.ts'
import {
  type ReadRecordsOptions,
  readRecordBatches,
  readRecords,
} from '../../src/records/read-records.ts'
import { listOf } from '../support/entries.ts'
import { failingAfter, fedEveryWay, inPiecesOf, watched } from '../support/pieces.ts'
import { THOROUGH } from '../support/thorough.ts'

const ENTRY = 'issues_000001.json'

/** The records as JSON, each with its place, and what was reported. */
async function read(bytes: Bytes, limits: ReadRecordsOptions['limits'] = {}) {
  const problems: Problem[] = []
  const report = (problem: Problem) => void problems.push(problem)
  const records: [index: number, json: string][] = []
  for await (const { record, index } of readRecords(bytes, ENTRY, { limits, report })) {
    records.push([index, JSON.stringify(record)])
  }
  return { records, problems }
}

// A file larger than the limit for one record is read piece by piece, however small that limit is.
const LARGE = { record: 250 }
const FILLERS = 100

/**
 * Both ways to read a file. Where it is to be large, a hundred empty records stand before those of the
 * test, so that `first` is the index of the first of these.
 */
const WAYS = [
  { way: 'at once', filler: '', first: 1, readIt: (bytes: Bytes) => read(bytes) },
  {
    way: 'piece by piece',
    filler: '{},'.repeat(FILLERS),
    first: FILLERS + 1,
    readIt: (bytes: Bytes) => read(bytes, LARGE),
  },
]

describe.each(WAYS)('readRecords, $way,', ({ filler, first, readIt }) => {
  /** The records read from an array of these elements. */
  async function readElements(elements: string) {
    const { records, problems } = await fedEveryWay(`[${filler}${elements}]`, readIt)
    return { records: records.slice(first - 1), problems }
  }

  test('gives the records of an array with their places', async () => {
    const { records, problems } = await readElements('{"a":1},{"a":2}')
    expect(records).toEqual([
      [first, '{"a":1}'],
      [first + 1, '{"a":2}'],
    ])
    expect(problems).toEqual([])
  })

  test('does not mind white space', async () => {
    const { records } = await readElements('\n  {\n    "a": 1.0\n  },\r\n\t{ "a" : -0 }\n\n')
    expect(records.map(([, json]) => json)).toEqual(['{"a":1.0}', '{"a":-0}'])
  })

  test('skips and reports elements that are not objects, with place and content', async () => {
    const { records, problems } = await readElements('{},1.0,"x",null,[1],true,{}')
    expect(records).toEqual([
      [first, '{}'],
      [first + 6, '{}'],
    ])
    const found = ['a number', 'a string', 'null', 'an array', 'a boolean']
    const contents = ['1.0', '"x"', 'null', '[1]', 'true']
    expect(problems).toEqual(
      found.map((name, i) => ({
        code: 'record-not-object',
        place: { entry: ENTRY, record: first + 1 + i },
        message: `expected an object, found ${name}`,
        content: contents[i],
      })),
    )
  })

  test('J1: reports a byte order mark and leaves it out', async () => {
    const json = `\ufeff[${filler}{"a":1}]`
    const { records, problems } = await fedEveryWay(json, readIt)
    expect(records.at(-1)).toEqual([first, '{"a":1}'])
    expect(problems).toMatchObject([{ code: 'text-bom', place: { entry: ENTRY } }])
  })

  test('J6: reports bytes that are not UTF-8 once and replaces them', async () => {
    for (const bad of ['\xff', '\xc3', '\xe2\x82', '\xf0\x9f\x98', '\xed\xa0\x80', '\xc0\xaf']) {
      const json = Buffer.from(`[${filler}{"a":"x${bad}y${bad}"}]`, 'latin1')
      const { records, problems } = await fedEveryWay(json, readIt)
      expect(records.at(-1)?.[1]).toMatch(/^\{"a":"x\ufffd+y\ufffd+"\}$/)
      expect(problems).toMatchObject([{ code: 'text-not-utf8', place: { entry: ENTRY } }])
    }
  })

  test('takes U+FFFD in a text for what it is', async () => {
    const { records, problems } = await readElements('{"a":"\ufffd"}')
    expect(records).toEqual([[first, '{"a":"\ufffd"}']])
    expect(problems).toEqual([])
  })

  test('J5: keeps a member called __proto__', async () => {
    const json = '{"__proto__":{"a":1},"constructor":"x"}'
    expect((await readElements(json)).records).toEqual([[first, json]])
  })

  test.each([
    ['cut in a string', '{"a":"x', ''],
    ['cut in a character', '{"a":"\xc3', ''],
    ['cut between records', '{"a":1},', ''],
    ['cut before the last bracket', '{"a":1}', ''],
    ['with a comma too many', '{"a":1},', ']'],
    ['with something behind it', '{"a":1}', '] []'],
    ['with a word that is no JSON', '{"a":NaN}', ']'],
  ])('J1: refuses a file %s', async (_, elements, end) => {
    const json = Buffer.from(`[${filler}${elements}${end}`, 'latin1')
    await expect(fedEveryWay(json, readIt)).rejects.toMatchObject({
      code: 'json-damaged',
      place: { entry: ENTRY },
    })
  })

  test('J1: wants an array, not an object', async () => {
    await expect(fedEveryWay(`{"a":[${filler}0]}`, readIt)).rejects.toMatchObject({
      code: 'json-not-array',
      place: { entry: ENTRY },
    })
  })

  test('J2: refuses records nested too deeply', async () => {
    const deep = `[${filler}{"a":${'['.repeat(200_000)}`
    const closed = `${deep}${']'.repeat(200_000)}}]`
    const limits = filler === '' ? {} : { record: 2 ** 17 }
    for (const json of filler === '' ? [closed] : [closed, deep]) {
      await expect(read(inPiecesOf(json, 1000), limits)).rejects.toMatchObject({
        code: 'limit-depth',
        place: { entry: ENTRY },
      })
    }
  })

  test('allows a record as many levels as the limit', async () => {
    const json = `[${filler}{"a":[[]]}]`
    const reading = (depth: number) => read(inPiecesOf(json), { record: LARGE.record, depth })
    expect((await reading(3)).records.at(-1)).toEqual([first, '{"a":[[]]}'])
    await expect(reading(2)).rejects.toMatchObject({ code: 'limit-depth' })
  })

  test('hands on what the source throws', async () => {
    const error = new Error('unplugged')
    await expect(readIt(failingAfter(`[${filler}{"a":1}`, error))).rejects.toBe(error)
  })
})

describe('readRecords', () => {
  test.each(['[]', '[\n\n    ]'])('gives nothing of %j', async (json) => {
    expect(await fedEveryWay(json, read)).toEqual({ records: [], problems: [] })
  })

  test.each(['', ' \n\n'])('J1: refuses an empty file such as %j', async (json) => {
    await expect(fedEveryWay(json, read)).rejects.toMatchObject({
      code: 'json-damaged',
      message: 'expected an array of records, found an empty file',
    })
  })

  test('J1: refuses UTF-16, and says that it is not UTF-8', async () => {
    const problems: Problem[] = []
    const bytes = inPiecesOf(Buffer.from('\ufeff[{"a":1}]', 'utf16le'))
    const report = (problem: Problem) => void problems.push(problem)
    const reading = listOf(readRecords(bytes, ENTRY, { report }))
    await expect(reading).rejects.toMatchObject({ code: 'json-damaged' })
    expect(problems).toMatchObject([{ code: 'text-not-utf8' }])
  })

  test('J1: refuses one object a line', async () => {
    const reading = fedEveryWay('{"a":1}\n{"a":2}\n', read)
    await expect(reading).rejects.toMatchObject({
      code: 'json-not-array',
      message: 'expected an array of records, found an object',
    })
  })

  test.each([
    ['{}', 'an object'],
    ['1.0', 'a number'],
    ['"x"', 'a string'],
    ['null', 'null'],
  ])('says of %s that it is %s', async (json, found) => {
    await expect(fedEveryWay(json, read)).rejects.toMatchObject({
      code: 'json-not-array',
      message: `expected an array of records, found ${found}`,
    })
  })

  test('gives the same at once and piece by piece', async () => {
    const elements = Array.from({ length: 50 }, (_, id) => ({ id, body: 'ä'.repeat(id), n: [id] }))
    const json = JSON.stringify(elements, null, 2).replaceAll('7', '7.0')
    const atOnce = await fedEveryWay(json, read)
    expect(await fedEveryWay(json, (bytes) => read(bytes, LARGE))).toEqual(atOnce)
    expect(atOnce.records).toHaveLength(50)
  })

  test('J3: accepts no record of more than 16 MiB by default', THOROUGH, async () => {
    const endless = async function* () {
      yield Buffer.from('[{"a":"')
      for (const piece = Buffer.alloc(2 ** 20, 'x'); ; ) yield piece
    }
    const error = { code: 'limit-record', message: 'a record of more than 16777216 bytes' }
    await expect(read(endless())).rejects.toMatchObject(error)
  })

  test('J3: accepts a larger record where the limit allows it', THOROUGH, async () => {
    const json = `[{"a":"${'x'.repeat(17 * 2 ** 20)}"}]`
    const allowed = await read(inPiecesOf(json, 2 ** 18), { record: 2 ** 25 })
    expect(allowed.records).toHaveLength(1)
  })

  test('J3: refuses a record larger than the limit', async () => {
    const json = `[{},{"a":"${'x'.repeat(2000)}"}]`
    await expect(read(inPiecesOf(json, 100), LARGE)).rejects.toMatchObject({
      code: 'limit-record',
      place: { entry: ENTRY },
    })
  })

  test('J3: reads a record of many members', async () => {
    const members = Array.from({ length: 20_000 }, (_, i) => `"m${i}":${i}`)
    const { records } = await read(inPiecesOf(`[{${members.join(',')}}]`, 5000))
    expect(records).toEqual([[1, `{${members.join(',')}}`]])
  })

  test('yields the records before the damage of a large file', async () => {
    const seen: number[] = []
    const bytes = inPiecesOf(`[${'{"a":1},'.repeat(100)}oops`, 80)
    const reading = (async () => {
      for await (const { index } of readRecords(bytes, ENTRY, { limits: LARGE })) seen.push(index)
    })()
    await expect(reading).rejects.toMatchObject({ code: 'json-damaged' })
    expect(seen.length).toBeGreaterThan(90)
  })

  test('closes the source of a large file when the reader stops early', async () => {
    const source = watched(inPiecesOf(`[${'{"a":1},'.repeat(1000)}{}]`, 80))
    for await (const _ of readRecords(source.bytes, ENTRY, { limits: LARGE })) break
    expect(source.closed).toBe(true)
    expect(source.asked).toBeLessThan(10)
  })

  test('J3: holds no more of a large file than it needs', async () => {
    const record = JSON.stringify({ body: 'x'.repeat(10_000) })
    const pieces = async function* () {
      yield Buffer.from('[')
      for (let i = 0; i < 300; i++) yield Buffer.from(`${record},`)
      yield Buffer.from('{}]')
    }
    let count = 0
    let held = 0
    const limits = { record: 20_000 }
    for await (const batch of readRecordBatches(pieces(), ENTRY, { limits })) {
      count += batch.length
      held = Math.max(held, batch.length)
    }
    expect(count).toBe(301)
    expect(held).toBeLessThanOrEqual(2)
  })
})
