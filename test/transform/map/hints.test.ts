import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createMapHints } from '../../../src/transform/map/hints.ts'
import { createLookup } from '../../../src/transform/map/identity-map.ts'
import { createTextMapper } from '../../../src/transform/map/map-texts.ts'
import { createUrlMapper } from '../../../src/transform/map/map-urls.ts'

const at = (old: string, now: string) => ({ old, new: now, place: 'here' })
const lookup = createLookup({
  hosts: [at('https://old.example', 'https://forge.example')],
  logins: [at('ada', 'grace'), at('k2', 'linus'), at('x[bot]', 'y[bot]')],
  repositories: [at('acme/kettle', 'acme/pot')],
})
const hints = createMapHints(lookup)
const notes = { respelt: 0, taken: 0 }
const urls = createUrlMapper(lookup, new Set(['old.example', 'kept.example']), notes)
const mapText = createTextMapper(urls, lookup, { mentions: 'code', isOrganization: () => false })

const PARTS = [
  'https://old.example',
  'http://OLD.example/x',
  'https://www.old.example',
  'https://kept.example',
  '/ada',
  '/Ada',
  '/%61da',
  '/k2',
  '/\u212a2',
  '/x%5Bbot%5D',
  '/x[bot]',
  '/acme/kettle',
  '/orgs/ada',
  '@ada',
  '@ADA',
  'ada/pot#1',
  'acme/kettle@c0ffee1',
  '@grace',
  '@ada’s',
  '\n',
  '@linus',
  'https://forge.example',
  ' ',
  '.',
  '/',
  'tarball://root/repositories/ada/x.git',
]

const hasHint = (text: string) => hints(Buffer.from(text)).length > 0

test('A text in which a name is replaced or noted has a hint, also within JSON', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...PARTS), { maxLength: 4 }), (parts) => {
      const text = parts.join('')
      const before = { ...notes }
      const isChanged =
        mapText(text) !== text || urls.mapUrl(text) !== text || urls.mapPath(text) !== text
      if (!isChanged && notes.taken === before.taken && notes.respelt === before.respelt) return
      expect(hasHint(text), text).toBe(true)
      expect(hasHint(JSON.stringify(text)), text).toBe(true)
      expect(hasHint(JSON.stringify(text).replaceAll('/', '\\/')), text).toBe(true)
    }),
  )
})

test('A text without names has none', () => {
  expect(
    hasHint('https://kept.example/adam/kettle/labels/good%20first, thanks @adele: ada, and /adam'),
  ).toBe(false)
})

test('A name of one letter has hints, and one before a letter beyond ASCII', () => {
  const short = createLookup({ hosts: [], logins: [at('a', 'ada')], repositories: [] })
  const find = createMapHints(short)
  expect(find(Buffer.from('x @a’s /a? a a/b')).length).toBe(3)
})
