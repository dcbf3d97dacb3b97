import { describe, expect, test } from 'vitest'
import { parseCredentials } from '../../../src/server/access/credentials.ts'

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`

test.each([
  ['token abc', 'abc'],
  ['TOKEN abc', 'abc'],
  ['bearer  abc ', 'abc'],
])('%j carries a token', (header, token) => {
  expect(parseCredentials(header)).toEqual({ kind: 'token', token })
})

test.each([
  ['ada:secret', 'ada', 'secret'],
  ['ada:se:cr:et', 'ada', 'se:cr:et'],
  ['abc:', 'abc', ''],
  [':abc', '', 'abc'],
  ['ada:pässword', 'ada', 'pässword'],
])('Basic credentials %j are split at the first colon', (text, user, password) => {
  expect(parseCredentials(basic(text))).toEqual({ kind: 'basic', user, password })
})

describe('A stranger sends', () => {
  test.each([null, undefined, '', '  ', 'Basic Og=='])('%j', (header) => {
    expect(parseCredentials(header)).toEqual({ kind: 'none' })
  })
})

describe('Credentials are unreadable if they are', () => {
  test.each([
    'token',
    'token a b',
    'token ä',
    'Digest abc',
    'abc',
    'Basic',
    'Basic $$$',
    basic('no colon'),
  ])('%j', (header) => {
    expect(parseCredentials(header)).toEqual({ kind: 'unreadable' })
  })
})
