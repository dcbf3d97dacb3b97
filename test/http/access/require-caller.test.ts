import { describe, expect, test } from 'vitest'
import { NO_ACCOUNTS } from '../../../src/http/access/accounts.ts'
import { requireCode } from '../../../src/http/access/require-caller.ts'
import { HttpError } from '../../../src/http/http-error.ts'

type Given = Parameters<typeof requireCode>

/** Asks for the code of an account whose right one is 123456; `asked` are the codes that were compared. */
function required(headers: Record<string, string>, delivery?: 'app' | 'SMS') {
  const asked: (string | undefined)[] = []
  const accounts: Given[2] = {
    ...NO_ACCOUNTS,
    verifyCode(_login, code) {
      asked.push(code)
      return code === '123456' ? 'right' : 'wrong'
    },
  }
  const account = delivery ? { twoFactor: { delivery } } : {}
  const caller = { login: 'ada', account } as unknown as Given[0]
  let refusal: unknown
  try {
    requireCode(caller, { get: (name) => headers[name] ?? null }, accounts)
  } catch (error) {
    refusal = error
  }
  return { asked, refusal }
}

describe('A caller with two factors', () => {
  test.each([
    { 'x-github-otp': '123456' },
    { 'x-service-otp': '123456' },
    { 'x-github-otp': ' 123456 ' },
  ])('passes with the right code in %j', (headers) => {
    expect(required(headers)).toEqual({ asked: ['123456'], refusal: undefined })
  })

  test.each([
    [{}, undefined],
    [{ 'x-github-otp': '' }, ''],
    [{ 'x-github-otp': '654321' }, '654321'],
    // The newer header counts where both are there.
    [{ 'x-service-otp': '654321', 'x-github-otp': '123456' }, '654321'],
  ])('is refused with %j', (headers, code) => {
    const { asked, refusal } = required(headers, 'SMS')
    expect(asked).toEqual([code])
    expect(refusal).toBeInstanceOf(HttpError)
    expect(refusal).toMatchObject({
      status: 401,
      headers: { 'X-GitHub-OTP': 'required; SMS', 'X-Service-OTP': 'required; SMS' },
    })
  })

  test('is told how the account receives its codes: by an app unless it says otherwise', () => {
    expect(required({}).refusal).toMatchObject({ headers: { 'X-GitHub-OTP': 'required; app' } })
  })
})
