import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Bytes } from '../../../src/base/streams.ts'
import { parseLossless } from '../../../src/records/json/parse-lossless.ts'
import { readElements } from '../../../src/records/json/read-elements.ts'
import { jsonArrayTexts } from '../../support/json-texts.ts'
import { fedEveryWay, inPiecesOf, watched } from '../../support/pieces.ts'
import { runs } from '../../support/property-runs.ts'
import { THOROUGH } from '../../support/thorough.ts'

const LIMITS = { depth: 512, record: 2 ** 20 }

/** The elements, printed, so that the text of numbers counts. */
async function elementsOf(bytes: Bytes, limits = LIMITS): Promise<string[]> {
  const elements: string[] = []
  for await (const found of readElements(bytes, limits)) {
    if ('lost' in found) throw new TypeError('nothing was to be salvaged')
    elements.push(...found.values.map((element) => JSON.stringify(element)))
  }
  return elements
}

const LIMITS_OF_PARTS = { depth: 10, record: 80_000 }

describe('readElements', () => {
  test('gives the elements of an array', async () => {
    const json = '[{"a":1.0},[],"x",-0,null,true,{"a":{"b":[1,2]}}]'
    const expected = ['{"a":1.0}', '[]', '"x"', '-0', 'null', 'true', '{"a":{"b":[1,2]}}']
    expect(await fedEveryWay(json, elementsOf)).toEqual(expected)
  })

  test('gives the same as parseLossless, whatever the array and the pieces', THOROUGH, async () => {
    const size = fc.integer({ min: 1, max: 40 })
    await fc.assert(
      fc.asyncProperty(jsonArrayTexts, size, async (json, size) => {
        const elements = await elementsOf(inPiecesOf(json, size))
        expect(`[${elements.join(',')}]`).toBe(JSON.stringify(parseLossless(json)))
      }),
      { numRuns: runs(300) },
    )
  })

  test.each(['[]', '[\n\n    ]', ' [ ] \n'])('gives nothing of %j', async (json) => {
    expect(await fedEveryWay(json, elementsOf)).toEqual([])
  })

  test('joins characters cut in two by the pieces', async () => {
    expect(await fedEveryWay('["ä€😀"]', elementsOf)).toEqual(['"ä€😀"'])
  })

  test('J5: keeps members called __proto__', async () => {
    const json = '{"__proto__":{"x":1},"valueOf":1}'
    expect(await fedEveryWay(`[${json}]`, elementsOf)).toEqual([json])
  })

  test.each(['', '[', '[1', '[1,', '[1,]', '[{"a":1}', '["x', '[1 2]', '[1] 2', '[1][2]', '[nul]'])(
    'refuses %j',
    async (json) => {
      await expect(fedEveryWay(json, elementsOf)).rejects.toThrow(SyntaxError)
    },
  )

  test.each(['{"a":1}', '1', '"x"', 'null'])('wants an array, not %s', async (json) => {
    const error = { code: 'json-not-array' }
    await expect(fedEveryWay(json, elementsOf)).rejects.toMatchObject(error)
  })

  test('allows each element the given number of levels', async () => {
    const limits = { ...LIMITS, depth: 2 }
    const read = (bytes: Bytes) => elementsOf(bytes, limits)
    expect(await fedEveryWay('[{"a":[]}]', read)).toEqual(['{"a":[]}'])
    const error = { code: 'limit-depth' }
    await expect(fedEveryWay('[{"a":[[]]}]', read)).rejects.toMatchObject(error)
  })

  test('refuses an element larger than the limit', async () => {
    const json = `[{"a":"${'x'.repeat(2000)}"}]`
    const read = (record: number) => elementsOf(inPiecesOf(json, 100), { ...LIMITS, record })
    await expect(read(1000)).rejects.toMatchObject({ code: 'limit-record' })
    expect(await read(3000)).toHaveLength(1)
  })

  test('J3: says of an element of many small values, or of many escapes, that these are too many', async () => {
    const read = (element: string) => elementsOf(inPiecesOf(`[${element}]`, 1000), LIMITS_OF_PARTS)
    await expect(read(`{"a":[${'{},'.repeat(10_000)}{}]}`)).rejects.toMatchObject({
      code: 'limit-record',
      message: 'a record with more than 10000 brackets, names and values',
    })
    await expect(read(`{"a":"${'\\n'.repeat(20_000)}"}`)).rejects.toMatchObject({
      code: 'limit-record',
      message: 'a record with more than 10000 escapes in its texts',
    })
  })

  test('parses an element too large for one string piece by piece, with the same result', async () => {
    await fc.assert(
      fc.asyncProperty(jsonArrayTexts, async (json) => {
        const elements: string[] = []
        const limits = { ...LIMITS, holdable: 0 }
        for await (const found of readElements(inPiecesOf(json, 7), limits)) {
          if ('values' in found)
            elements.push(...found.values.map((value) => JSON.stringify(value)))
        }
        expect(`[${elements.join(',')}]`).toBe(JSON.stringify(parseLossless(json)))
      }),
      { numRuns: runs(100) },
    )
  })

  test('refuses white space without end', async () => {
    const read = (bytes: Bytes) => elementsOf(bytes, { ...LIMITS, record: 1000 })
    const json = `[1,${' '.repeat(2000)}2]`
    await expect(fedEveryWay(json, read)).rejects.toMatchObject({ code: 'limit-record' })
  })

  test('holds no more than a piece completes', async () => {
    const source = watched(inPiecesOf(`[${'{"a":1},'.repeat(1000)}{}]`, 80))
    const batches = readElements(source.bytes, LIMITS)
    const { value } = await batches.next()
    expect(value.values.length).toBeLessThanOrEqual(10)
    expect(source.asked).toBe(1)
    await batches.return(undefined)
    expect(source.closed).toBe(true)
  })
})
