import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify<string, Uint8Array, number, ScryptOptions, Buffer>(scrypt)

// Testing a password takes 32 MiB and a tenth of a second.
const COST = { N: 32768, r: 8, p: 1 }
const SALT_BYTES = 16
const HASH_BYTES = 64

/** A password as an accounts file holds it: `scrypt$N$r$p$salt$hash`, salt and hash in base64. */
export async function hashPassword(
  password: string,
  salt: Uint8Array = randomBytes(SALT_BYTES),
): Promise<string> {
  const hash = await derive(password, salt, HASH_BYTES, memoryFor(COST))
  const { N, r, p } = COST
  return ['scrypt', N, r, p, Buffer.from(salt).toString('base64'), hash.toString('base64')].join(
    '$',
  )
}

/** A hash that no password matches, and that takes as long to test as any other. */
export const NO_PASSWORD = [
  'scrypt',
  COST.N,
  COST.r,
  COST.p,
  Buffer.alloc(SALT_BYTES).toString('base64'),
  Buffer.alloc(HASH_BYTES).toString('base64'),
].join('$')

/** Whether a text has the form of a hashed password whose test takes at most 1 GiB. */
export const isPasswordHash = (text: string): boolean => parse(text) !== undefined

/** Whether this is the password of a hash. No password matches a hash of another form. */
export async function verifyPassword(password: string, hashed: string): Promise<boolean> {
  const parts = parse(hashed)
  if (!parts) return false
  const found = await derive(password, parts.salt, HASH_BYTES, memoryFor(parts.cost))
  return timingSafeEqual(found, parts.hash)
}

const FORM =
  /^scrypt\$(\d{1,7})\$(\d{1,2})\$(\d)\$([A-Za-z0-9+/]{11,88}={0,2})\$([A-Za-z0-9+/]{86}==)$/

function parse(text: string) {
  const [, N, r, p, salt = '', hash = ''] = FORM.exec(text) ?? []
  const cost = { N: Number(N), r: Number(r), p: Number(p) }
  const isCost = cost.N >= 2 && Number.isInteger(Math.log2(cost.N)) && cost.r > 0 && cost.p > 0
  if (!isCost || 128 * cost.N * cost.r > 2 ** 30) return undefined
  return { cost, salt: Buffer.from(salt, 'base64'), hash: Buffer.from(hash, 'base64') }
}

/** Node.js refuses to use more memory than this. */
const memoryFor = ({ N, r, p }: typeof COST): ScryptOptions => ({
  N,
  r,
  p,
  maxmem: 128 * N * r + 128 * r * p + 2 ** 20,
})
