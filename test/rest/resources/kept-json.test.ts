import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JsonObject, JsonValue } from '../../../src/records/json/json.ts'
import { bytesOf, keepJson, wholeJson } from '../../../src/rest/resources/kept-json.ts'
import { toUser } from '../../../src/rest/resources/people.ts'
import { KETTLE, repository, user } from '../../support/rest-world.ts'
import { shareCatalog } from '../../support/serve-world.ts'
import { THOROUGH } from '../../support/thorough.ts'

const catalog = shareCatalog([{ repositories: [repository(KETTLE)], users: [user('ada')] }])

function renderingWithPeople() {
  const reader = catalog().read()
  const rendering = { reader, base: 'http://h', origin: 'http://h', viewer: undefined }
  const { host } = reader.repositories.findByName('forge/kettle') ?? { host: '' }
  // With a record, without one, and the ghost.
  const urls = [`https://${host}/ada`, `https://${host}/nobody`, `https://${host}/app[bot]`, null]
  return {
    rendering,
    people: urls.map((url) => toUser(rendering, reader.people.byUrl(url, host))),
  }
}

test('JSON that was kept without its people is the same bytes once they are back', THOROUGH, () => {
  const { rendering, people } = renderingWithPeople()
  const text = fc.oneof(
    fc.string(),
    fc.string({ unit: 'binary' }),
    fc.constantFrom('\0', '"\0"', 'said "\0', '\\u0000', '"\\u0000"', '\ud800'),
  )
  const member = fc.oneof(text, fc.integer(), fc.constant(null), fc.constantFrom(...people))
  const value = fc.dictionary(text, fc.oneof(member, fc.array(member)))
  fc.assert(
    fc.property(value, (object) => {
      const kept = keepJson(object as JsonObject)
      expect(bytesOf(wholeJson(rendering, kept))).toEqual(Buffer.from(JSON.stringify(object)))
    }),
  )
})

test('A person who is in it twice is kept apart from it', () => {
  const { rendering, people } = renderingWithPeople()
  const [ada] = people as [JsonValue]
  const { text } = keepJson({ user: ada, assignees: [ada], title: 'Ada' })
  expect(text).toBe('{"user":\0,"assignees":[\0],"title":"Ada"}')
  const kept = keepJson({ user: ada })
  rendering.reader.library.forget()
  expect(wholeJson(rendering, kept)).toBe(JSON.stringify({ user: ada }))
})
