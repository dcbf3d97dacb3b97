import {
  aFlag,
  anyOf,
  aText,
  is,
  listOf,
  objectOf,
  oneOf,
  type Shape,
} from '../../base/check-arguments.ts'
import { closestMatch } from '../../base/closest-match.ts'
import { isPasswordHash } from './password-hash.ts'

const matches = (expected: string, pattern: RegExp): Shape =>
  is(expected, (value) => typeof value === 'string' && pattern.test(value))

const aLogin = matches('a login', /^[A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,98}[A-Za-z0-9_])?(?:\[bot\])?$/)
const anId = is('a positive integer', (value) => Number.isSafeInteger(value) && Number(value) > 0)
const aHash = matches('64 lowercase hexadecimal digits', /^[0-9a-f]{64}$/)
const aWord = matches('1 to 255 printable ASCII characters', /^[\x21-\x7e]{1,255}$/)
const anAddress = matches('an e-mail address', /^[^\s@\p{Cc}]{1,255}@[^\s@\p{Cc}]{1,255}$/u)
const aTime = is(
  'a time such as 2024-01-31T23:59:59Z',
  (value) =>
    typeof value === 'string' &&
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(value) &&
    !Number.isNaN(Date.parse(value)),
)
const aHashedPassword = is(
  'a hashed password, such as marc accounts user --password writes',
  (value) => typeof value === 'string' && isPasswordHash(value),
)
const orNull = (shape: Shape): Shape =>
  anyOf(
    'another value',
    is('null', (v) => v === null),
    shape,
  )

/** An object without other members. */
const exactly =
  (shapes: Readonly<Record<string, Shape>>, required: readonly string[]): Shape =>
  (value) => {
    const mismatch = objectOf(shapes, required)(value)
    if (mismatch) return mismatch
    const strange = Object.keys(value as object).find((name) => !Object.hasOwn(shapes, name))
    if (strange === undefined) return undefined
    const meant = closestMatch(strange, Object.keys(shapes))
    const expected = meant ? `a known member (did you mean ${meant}?)` : 'a known member'
    return { at: `.${strange}`, expected, found: undefined }
  }

const aTwoFactor: Shape = (value) => {
  const shapes = {
    delivery: oneOf('app', 'SMS'),
    secret: matches('16 or more characters of base32', /^[A-Z2-7]{16,128}$/),
    code: matches('six digits', /^\d{6}$/),
  }
  const mismatch = exactly(shapes, ['delivery'])(value)
  if (mismatch) return mismatch
  const { secret, code } = value as Record<string, unknown>
  if ((secret === undefined) !== (code === undefined)) return undefined
  return { at: '', expected: 'either a secret or a code', found: undefined }
}

/** The shape of an accounts file. It does not find duplicate logins, tokens and addresses. */
export const anAccountsFile: Shape = exactly(
  {
    version: is('version 1', (value) => value === 1),
    accounts: listOf(
      exactly(
        {
          login: aLogin,
          id: anId,
          emails: listOf(anAddress),
          site_admin: aFlag,
          password: aHashedPassword,
          two_factor: aTwoFactor,
        },
        ['login'],
      ),
    ),
    applications: listOf(
      exactly({ client_id: aWord, secret_sha256: aHash, name: aText, url: aText, native: aFlag }, [
        'client_id',
        'name',
      ]),
    ),
    organizations: listOf(
      exactly(
        {
          login: aLogin,
          id: anId,
          sso: aFlag,
          members: listOf(
            exactly({ login: aLogin, role: oneOf('admin', 'member') }, ['login', 'role']),
          ),
        },
        ['login'],
      ),
    ),
    tokens: listOf(
      exactly(
        {
          login: aLogin,
          sha256: aHash,
          last_eight: aWord,
          scopes: listOf(aWord),
          note: orNull(aText),
          client_id: orNull(aWord),
          sso: listOf(aLogin),
          expires_at: orNull(aTime),
        },
        ['login', 'sha256'],
      ),
    ),
  },
  ['version'],
)
