import { createHash } from 'node:crypto'

/** Made ids begin here: above all those of the host, and below 2^48, from which on readers give numbers of their own. */
const FIRST = 2 ** 47
const BITS = 46n

/**
 * An id for a record that has none in its source: the same for the same record in every export of it.
 *
 * @param key the form, the kind and what identifies the record there
 */
export function madeId(key: string): number {
  const head = createHash('sha256').update(key).digest().readBigUInt64BE()
  return FIRST + Number(head >> (64n - BITS))
}

/** A UUID for a file that has none, likewise. */
export function madeUuid(key: string): string {
  const hex = createHash('sha256').update(key).digest('hex')
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20, 32),
  ].join('-')
}
