import { describe, expect, test } from 'vitest'
import { formatMediaType, parseAccept } from '../../src/interface/media-types.ts'

test.each([
  [null, true],
  ['', true],
  ['*/*', true],
  ['application/*;q=0.1', true],
  ['Application/JSON', true],
  ['application/vnd.github+json', true],
  ['application/vnd.anything', true],
  ['text/html', false],
  ['text/html, application/json', true],
  ['image/*', false],
])('Accept %j admits JSON: %s', (header, acceptsJson) => {
  expect(parseAccept(header).acceptsJson).toBe(acceptsJson)
})

describe('A preview', () => {
  test.each([
    'application/vnd.github.wyandotte-preview+json',
    'application/vnd.service.wyandotte-preview',
    'text/html, APPLICATION/VND.GITHUB.WYANDOTTE-PREVIEW.RAW+JSON; q=0.5',
  ])('is asked for by %s', (header) => {
    expect([...parseAccept(header).previews.keys()]).toEqual(['wyandotte'])
  })

  test('is found among others, with each brand that names it', () => {
    const header =
      'application/vnd.github.starfox-preview+json, application/vnd.service.starfox-preview+json, application/vnd.github.sailor-v-preview'
    expect([...parseAccept(header).previews]).toEqual([
      ['starfox', ['github', 'service']],
      ['sailor-v', ['github']],
    ])
  })

  test('that is unknown is ignored', () => {
    const { previews, isVersion3 } = parseAccept('application/vnd.github.luke-cage-preview+json')
    expect([[...previews], isVersion3]).toEqual([[], false])
  })
})

test.each([
  'application/vnd.github+json',
  'application/vnd.github.v3+json',
  'application/vnd.service.v3.full+json',
])('%s asks for version 3 itself', (header) => {
  expect(parseAccept(header).isVersion3).toBe(true)
})

test('The media type of an answer names the first preview that the endpoint knows', () => {
  const asked = parseAccept(
    'application/vnd.github.wyandotte-preview+json, application/vnd.github.sailor-v-preview+json',
  )
  expect(formatMediaType('github', asked, ['starfox', 'sailor-v'])).toBe(
    'github.sailor-v-preview; format=json',
  )
  expect(formatMediaType('service', asked)).toBe('service.v3; format=json')
})
