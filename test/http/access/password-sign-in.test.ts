import { Secret, TOTP } from 'otpauth'
import { describe, expect, it, test } from 'vitest'
import {
  hashPassword,
  isPasswordHash,
  NO_PASSWORD,
  verifyPassword,
} from '../../../src/http/access/password-hash.ts'
import {
  createOtpSecret,
  createPasswordSignIn,
  otpAddress,
} from '../../../src/http/access/password-sign-in.ts'
import { cheapHash } from '../../support/cheap-hash.ts'
import { THOROUGH } from '../../support/thorough.ts'

const ada = cheapHash('café')

/** The hash of `pässword` with a salt of sixteen bytes of 7. */
const HASHED = [
  'scrypt$32768$8$1$BwcHBwcHBwcHBwcHBwcHBw==$',
  'bJRwHhboJ9eZjgyPeRtv/Hc0mecIDcPeIUeZJtGbzlXx',
  '4uZiNj/KIB0/WrNAM6MXI6Mscmcu9boA0Yl7+kErOg==',
].join('')

test('The same password and salt give the same hash, which has the form of an accounts file', async () => {
  const hashed = await hashPassword('pässword', Buffer.alloc(16, 7))
  expect(hashed).toBe(HASHED)
  expect(isPasswordHash(hashed)).toBe(true)
})

test('A password is verified with the cost that its hash names', async () => {
  expect(await verifyPassword('café', ada)).toBe(true)
  expect(await verifyPassword('cafe', ada)).toBe(false)
  expect(await verifyPassword('', 'scrypt$3$8$1$AA==$AA==')).toBe(false)
})

describe('A password', () => {
  it('is right, wrong, or has an unknown login', THOROUGH, async () => {
    const { verifyPassword: verify } = createPasswordSignIn()
    expect(await verify('ada', 'café', ada)).toBe('right')
    expect(await verify('ada', 'cafe', ada)).toBe('wrong')
    expect(await verify('eve', '', undefined)).toBe('wrong')
  })

  it('is refused after ten failures until the minute is over, also if it is right', async () => {
    let now = 0
    const { verifyPassword: verify, verifyCode } = createPasswordSignIn({ monotonic: () => now })
    const factor = { delivery: 'app', code: '123456' } as const
    for (let i = 0; i < 10; i++) expect(verifyCode('ada', factor, '000000')).toBe('wrong')
    expect(verifyCode('ada', factor, undefined)).toBe('missing')
    expect(await verify('ADA', 'café', ada)).toBe('throttled')
    now = 59_999
    expect(await verify('ada', 'café', ada)).toBe('throttled')
    now = 60_000
    expect(await verify('ada', 'café', ada)).toBe('right')
  })

  it('is tested together with one other at most, and at most sixteen wait', async () => {
    const { verifyPassword: verify } = createPasswordSignIn()
    const cheap = NO_PASSWORD.replace('32768', '2')
    const outcomes = Array.from({ length: 20 }, (_, i) => verify(`user${i}`, '', cheap))
    const counts = Map.groupBy(await Promise.all(outcomes), (outcome) => outcome)
    expect([counts.get('wrong')?.length, counts.get('busy')?.length]).toEqual([18, 2])
  })
})

describe('A one-time password', () => {
  const secret = createOtpSecret()
  const codeAt = (time: number) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: time })
  const factor = { delivery: 'app', secret } as const
  const NOW = 1_700_000_010_000

  const signIn = () => createPasswordSignIn({ machineTime: () => NOW })

  it.each([-30_000, 0, 30_000])('of %i milliseconds from now is right, once', (distance) => {
    const { verifyCode } = signIn()
    expect(verifyCode('ada', factor, codeAt(NOW + distance))).toBe('right')
    expect(verifyCode('ada', factor, codeAt(NOW + distance))).toBe('wrong')
  })

  it('of another step is wrong', () => {
    for (const distance of [-60_000, 60_000]) {
      expect(signIn().verifyCode('ada', factor, codeAt(NOW + distance))).toBe('wrong')
    }
  })

  it('that is fixed is right as often as it is sent', () => {
    const { verifyCode } = signIn()
    const fixed = { delivery: 'SMS', code: '123456' } as const
    expect(['123456', '123456', '12345', ''].map((code) => verifyCode('bob', fixed, code))).toEqual(
      ['right', 'right', 'wrong', 'missing'],
    )
  })

  it('is not asked of an account without a second factor', () => {
    expect(signIn().verifyCode('bob', undefined, undefined)).toBe('right')
  })

  it('is set up with an address that authenticators read', () => {
    expect(otpAddress('ada', secret)).toBe(
      `otpauth://totp/migration-archive:ada?issuer=migration-archive&secret=${secret}&algorithm=SHA1&digits=6&period=30`,
    )
  })
})
