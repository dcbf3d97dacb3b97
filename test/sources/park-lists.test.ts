import fc from 'fast-check'
import { expect, test } from 'vitest'
import { asBytes } from '../../src/base/streams.ts'
import type { JsonValue } from '../../src/records/json/json.ts'
import { parkLists } from '../../src/sources/park-lists.ts'

/** A file with this content, which comes in pieces of this many bytes. */
function fileOf(text: string, size = 64) {
  const bytes = Buffer.from(text)
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
    bytes.subarray(i * size, (i + 1) * size),
  )
  return {
    path: 'project.json',
    size: bytes.length,
    modifiedAt: new Date(0),
    mode: 0o644,
    content: asBytes(pieces),
  }
}

/** The object of a file with its lists put back, and the elements that were visited. */
async function parked(text: string, size?: number) {
  const visited: [string, JsonValue, number][] = []
  const found = await parkLists(
    fileOf(text, size),
    {},
    {
      isParked: (name) => name !== 'kept',
      visit: (...element) => visited.push(element),
    },
  )
  if (!found) return undefined
  const lists = [...found.lists].map(([name, { length, get }]) => {
    // In another order than they were written.
    const elements = Array.from({ length }, (_, i) => get(length - 1 - i)).reverse()
    return [name, elements] as const
  })
  found.close()
  return { whole: { ...found.rest, ...Object.fromEntries(lists) }, visited }
}

test('An object is the same as when it is parsed whole, in pieces of any size', async () => {
  const object = fc.dictionary(
    fc.oneof(fc.constantFrom('issues', 'kept', '__proto__', '"\\'), fc.string()),
    fc.oneof(fc.array(fc.jsonValue(), { maxLength: 4 }), fc.jsonValue()),
    { noNullPrototype: true },
  )
  await fc.assert(
    fc.asyncProperty(
      object,
      fc.integer({ min: 1, max: 40 }),
      fc.constantFrom(0, 2),
      async (value, size, indent) => {
        const text = JSON.stringify(value, null, indent)
        const expected = JSON.parse(text)
        const found = await parked(text, size)
        expect(found?.whole).toEqual(expected)
        const lists = Object.entries(expected).filter(
          ([name, list]) => name !== 'kept' && Array.isArray(list),
        )
        expect(found?.visited.length).toBe(
          lists.reduce((sum, [, list]) => sum + (list as JsonValue[]).length, 0),
        )
      },
    ),
  )
})

test('Elements that do not fit into memory come from a temporary file', async () => {
  const issues = Array.from({ length: 40 }, (_, id) => ({ id, text: String(id).repeat(50_000) }))
  const found = await parked(JSON.stringify({ issues }), 65_536)
  expect(found?.whole).toEqual({ issues })
})

test('Something else than an object has no lists', async () => {
  for (const text of ['', '[]', '1', ' "issues"']) expect(await parked(text)).toBeUndefined()
})

test.each([
  ['a cut list', '{"issues":[{"id":1}'],
  ['a cut text', '{"issues":["a'],
  ['a missing comma', '{"issues":[1 2]}'],
  ['a comma at the end', '{"issues":[1,]}'],
  ['a comma at the beginning', '{"issues":[,1]}'],
  ['a missing colon', '{"issues" []}'],
  ['no name', '{1:[]}'],
  ['another bracket', '{"issues":[1}'],
  ['something after it', '{"issues":[]} {}'],
  ['no value', '{"kept":}'],
])('json-damaged: %s', async (_, text) => {
  await expect(parked(text)).rejects.toMatchObject({ code: 'json-damaged' })
})

test('limit-depth: an element may be nested as deeply as any record', async () => {
  const deep = `{"issues":[${'['.repeat(600)}${']'.repeat(600)}]}`
  await expect(parked(deep)).rejects.toMatchObject({ code: 'limit-depth' })
})
