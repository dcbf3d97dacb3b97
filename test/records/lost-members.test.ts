import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Problem } from '../../src/base/errors.ts'
import { countMembers, countMembersAtMost } from '../../src/records/json/parse-lossless.ts'
import { readRecords } from '../../src/records/read-records.ts'
import { listOf } from '../support/entries.ts'
import { jsonArrayTexts } from '../support/json-texts.ts'
import { inPiecesOf } from '../support/pieces.ts'

const ENTRY = 'issues_000001.json'

/** The problems of a text that is read at once; reading it piece by piece must report the same. */
async function problemsOf(array: string, bytesAsText = false): Promise<Problem[]> {
  const json = `${array.slice(0, -1)}${',{"x":"and so on"}'.repeat(100)}]`
  const read = async (record: number) => {
    const problems: Problem[] = []
    const report = (problem: Problem) => void problems.push(problem)
    const options = { limits: { record }, report, bytesAsText }
    for await (const _ of readRecords(inPiecesOf(json, 7), ENTRY, options));
    return problems
  }
  const whole = await read(2 ** 20)
  expect(await read(json.length - 1)).toEqual(whole)
  return whole
}

describe('Members that an object cannot hold', () => {
  test('J5: of two with one name the first is reported with its content', async () => {
    expect(await problemsOf('[{"b":0},{"url":"a","b":1.0,"b":2}]')).toEqual([
      {
        code: 'member-repeated',
        place: { entry: ENTRY, record: 2, member: 'b' },
        message: '"b" occurs again later; the later value was kept',
        content: '{"b":1.0}',
      },
    ])
  })

  test.each([
    ['spaces before the colon', '{"a" :1,"a"\n:2}'],
    ['an escaped name', String.raw`{"a":1,"\u0061":2}`],
    ['__proto__', '{"__proto__":1,"__proto__":2}'],
    ['texts that look like members', String.raw`{"a":"\": ","a":":"}`],
  ])('J5: are found with %s', async (_title, record) => {
    const problems = await problemsOf(`[{},{},{},${record}]`)
    expect(problems.map(({ code, place }) => [code, place.record])).toEqual([
      ['member-repeated', 4],
    ])
  })

  test('J5: are distinguished from others by their place', async () => {
    const problems = await problemsOf('[{"a":{"x":[{},{"é":[1],"é":3}]},"b":{"x":1}}]', true)
    expect(problems).toMatchObject([{ place: { member: 'a.x[1].é' }, content: '{"é":[1]}' }])
  })

  test('J5: named like integers are put first, which is reported with their order', async () => {
    const problems = await problemsOf(
      '[{"b":1,"10":2,"9":3},{"m":{"x":0,"0":1}},{"1":1,"2":2,"a":0}]',
    )
    expect(problems).toMatchObject([
      { code: 'member-order', place: { record: 1 }, content: '["b","10","9"]' },
      { code: 'member-order', place: { record: 2, member: 'm' }, content: '["x","0"]' },
    ])
  })

  test('J5: with long names do not make long messages', async () => {
    const name = 'n'.repeat(10_000)
    const [problem] = await problemsOf(`[{"${name}":1,"${name}":2}]`)
    expect(problem?.message.length).toBeLessThan(200)
    expect(problem?.place.member?.length).toBeLessThan(200)
  })
})

test('Members are counted exactly, and never too low at first', () => {
  fc.assert(
    fc.property(jsonArrayTexts, (json) => {
      let members = 0
      JSON.parse(json, function (this: object, _name, value) {
        if (!Array.isArray(this)) members++
        return value
      })
      members-- // the root is a member of an object that is not there
      expect(countMembers(json)).toBeGreaterThanOrEqual(members)
      expect(countMembersAtMost(json)).toBeGreaterThanOrEqual(countMembers(json))
    }),
  )
  expect(countMembers(String.raw`{"a":"\\","b" : ["\":",":"],"c\"":{"":1}}`)).toBe(4)
})

test.each([
  [100_000, 'limit-record'],
  [400_000, undefined],
])(
  'J3: empty arrays count for more than their bytes, of which %i are allowed',
  async (record, code) => {
    const json = `[{"a":[${'[],'.repeat(10_000)}[]]},{"x":"${'x'.repeat(record)}"}]`
    // The second record makes the file too large to be read whole.
    const reading = listOf(
      readRecords(inPiecesOf(json, 500), ENTRY, { limits: { record: record + 1000 } }),
    )
    if (code) await expect(reading).rejects.toMatchObject({ code })
    else expect(await reading).toHaveLength(2)
  },
)

test('J3: so do escapes', async () => {
  const json = `[{"a":"${'\\n'.repeat(20_000)}"},{"x":"${'x'.repeat(100_000)}"}]`
  const reading = (record: number) =>
    listOf(readRecords(inPiecesOf(json, 500), ENTRY, { limits: { record } }))
  await expect(reading(110_000)).rejects.toMatchObject({ code: 'limit-record' })
  expect(await reading(400_000)).toHaveLength(2)
})
