import { scryptSync } from 'node:crypto'

const SALT = Buffer.alloc(16, 1)

/** A hashed password that is tested a thousand times as fast as those that the program makes. */
export function cheapHash(password: string): string {
  const hash = scryptSync(password, SALT, 64, { N: 16, r: 8, p: 1 })
  return `scrypt$16$8$1$${SALT.toString('base64')}$${hash.toString('base64')}`
}
