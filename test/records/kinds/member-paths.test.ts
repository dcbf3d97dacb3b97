import { expect, test } from 'vitest'
import type { JsonObject, JsonValue } from '../../../src/records/json/json.ts'
import { KINDS } from '../../../src/records/kinds/kinds.ts'
import { eachValue, memberPaths } from '../../../src/records/kinds/member-paths.ts'

test('Members are found however deep they are', () => {
  const texts = memberPaths(KINDS.pull_requests).map(({ text }) => text)
  expect(texts).toEqual(
    expect.arrayContaining(['url', 'base', 'base.sha', 'labels', 'labels[]', 'reactions[].user']),
  )
  expect(memberPaths(KINDS.repositories).map(({ text }) => text)).toContain(
    'webhooks[].event_types[]',
  )
})

test.each([
  ['url', { url: 'x' }, [['x', 'url']]],
  ['base.sha', { base: { sha: null } }, [[null, 'base.sha']]],
  [
    'labels[]',
    { labels: ['a', 'b'] },
    [
      ['a', 'labels[0]'],
      ['b', 'labels[1]'],
    ],
  ],
  ['reactions[].user', { reactions: [{}, { user: 1 }, 'odd'] }, [[1, 'reactions[1].user']]],
  ['labels[]', { labels: 'odd' }, []],
  ['base.sha', { base: null }, []],
  ['url', {}, []],
  ['url', { url: undefined }, []],
] as [string, JsonObject, [JsonValue, string][]][])('%s of %j', (text, record, expected) => {
  const path = memberPaths(KINDS.pull_requests).find((each) => each.text === text)
  const found: [JsonValue, string][] = []
  if (path) eachValue(record, path, (value, place) => found.push([value, place]))
  expect(found).toEqual(expected)
})
