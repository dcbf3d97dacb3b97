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
  return asUuid(createHash('sha256').update(key).digest('hex'))
}

/** The first 32 hexadecimal digits of a text as a UUID. */
export const asUuid = (hex: string): string =>
  hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5')
