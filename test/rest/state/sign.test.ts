import { expect, test } from 'vitest'
import {
  isAddressSigned,
  signAddress,
  signAuthorizationRequest,
  verifyAuthorizationRequest,
} from '../../../src/rest/state/sign.ts'

const KEY = Buffer.alloc(32, 1)
const GUID = '0b989ba4-242f-8e5b-81e1-000000000000'
const ARCHIVE = { purpose: 'archive', name: GUID } as const
const isSigned = (query: string, { guid = GUID, key = KEY, now = 999_000 } = {}) =>
  isAddressSigned(key, { ...ARCHIVE, name: guid }, new URLSearchParams(query), now)

test('A signed address is good until it expires', () => {
  const query = signAddress(KEY, ARCHIVE, 1000)
  expect(query).toMatch(/^expires=1000&signature=[0-9a-f]{64}$/)
  expect(isSigned(query)).toBe(true)
  expect(isSigned(query, { now: 1_000_000 })).toBe(false)
})

test.each([
  ['another archive', { guid: GUID.replace('0b', '0c') }, (query: string) => query],
  ['another key', { key: Buffer.alloc(32, 2) }, (query: string) => query],
  ['another time', {}, (query: string) => query.replace('1000', '2000')],
  ['zeros before the time', {}, (query: string) => query.replace('1000', '01000')],
  ['a short signature', {}, (query: string) => query.slice(0, -1)],
  ['a long signature', {}, (query: string) => `${query}0`],
  ['another digit', {}, (query: string) => query.replace(/.$/, (c) => (c === '0' ? '1' : '0'))],
  ['capitals', {}, (query: string) => query.replace(/[a-f]/g, (c) => c.toUpperCase())],
  ['no signature', {}, () => 'expires=1000'],
  ['no time', {}, (query: string) => query.replace('expires', 'expired')],
  ['a time twice', {}, (query: string) => `${query}&expires=1000`],
])('An address with %s is not signed', (_, options, change) => {
  expect(isSigned(change(signAddress(KEY, ARCHIVE, 1000)), options)).toBe(false)
})

test('A request to authorize a token comes back until it expires, and only as it was made', () => {
  const request = {
    tokenSha256: 'a'.repeat(64),
    tokenLastEight: '12345678',
    organization: 'forge',
    expires: 1000,
  }
  const text = signAuthorizationRequest(KEY, request)
  expect(text).toMatch(/^[A-Za-z0-9._-]+$/)
  expect(verifyAuthorizationRequest(KEY, text, 999_999)).toEqual(request)
  expect(verifyAuthorizationRequest(KEY, text, 1_000_000)).toBeUndefined()
  expect(verifyAuthorizationRequest(Buffer.alloc(32), text, 0)).toBeUndefined()
  const other = signAuthorizationRequest(KEY, { ...request, organization: 'other' })
  const mixed = `${other.split('.')[0]}.${text.split('.')[1]}`
  for (const wrong of [
    '',
    '.',
    mixed,
    text.slice(0, -1),
    `${text}A`,
    `x${text}`,
    text.replace('.', ''),
  ]) {
    expect(verifyAuthorizationRequest(KEY, wrong, 0), wrong).toBeUndefined()
  }
})
