import { expect, test } from 'vitest'
import { createRemovedSearch } from '../../../../src/transform/redact/proof/find-removed.ts'
import type { RemovedValue } from '../../../../src/transform/redact/removed-values.ts'

const VALUES: readonly RemovedValue[] = [
  { type: 'email', value: 'Grace.H@navy.example' },
  { type: 'name', value: 'Grace Hopper' },
  { type: 'name', value: 'Zoë Käthe' },
  { type: 'name', value: 'Вера Павлова' },
  { type: 'login', value: '@gracehopper' },
  { type: 'ip', value: '93.184.216.34' },
  { type: 'ip', value: '2a02:8071::17' },
  { type: 'secret', value: 'ghx_4Kq9/x+B7pZ"w2' },
  { type: 'own', value: 'bluebird' },
  // From a text that was cut within the name of a picture.
  { type: 'email', value: 'icon@2x.pn' },
]
const { search } = createRemovedSearch(VALUES, { keep: new Set(['m.grace.h@navy.example']) })

function foundIn(bytes: Buffer | string): string[] {
  const found = new Set<string>()
  search(Buffer.from(bytes as string), ({ value }) => {
    found.add(value)
    return false
  })
  return [...found]
}

test.each([
  ['foo_ghx_4Kq9/x+B7pZ"w2_bar', 'ghx_4Kq9/x+B7pZ"w2'],
  ['xgrace.h@navy.examplex', 'Grace.H@navy.example'],
  ['_Grace Hopper_', 'Grace Hopper'],
  ["Grace Hopper's", 'Grace Hopper'],
  ['report-Grace Hopper-1', 'Grace Hopper'],
  ['?q=Grace+Hopper', 'Grace Hopper'],
  ['a \\x1b[31mGrace Hopper\\x1b[0m', 'Grace Hopper'],
  ['log_93.184.216.34_x', '93.184.216.34'],
  ['report-@gracehopper', '@gracehopper'],
  ['host:93.184.216.34.', '93.184.216.34'],
  ['a\\n93.184.216.34', '93.184.216.34'],
  ['icon@2x.pn', 'icon@2x.pn'],
])('%s has it', (text, value) => {
  expect(foundIn(text)).toEqual([value])
})

test.each([
  'icon@2x.png',
  '193.184.216.34',
  '93.184.216.345',
  '1.93.184.216.34',
  '93.184.216.34.5',
  'a2a02:8071::17',
  '2a02:8071::17:1',
  'Grace Hopperson',
  '@gracehopper2',
  'to@gracehopper',
  'bluebirds',
  'm.grace.h@navy.example',
  '@grace.h@navy.example',
  'https://grace.h@navy.example/x',
  '"[redacted bluebird00]"',
  '',
])('%s has none', (text) => {
  expect(foundIn(text)).toEqual([])
  expect(foundIn(Buffer.from(text, 'utf16le'))).toEqual([])
  expect(foundIn(`- ${Buffer.from(` ${text} `).toString('base64')}`)).toEqual([])
})
