import { hash } from 'node:crypto'

/** Made ids begin here: above all those of the host, and below 2^48, from which on readers give numbers of their own. */
const FIRST = 2 ** 47
/** Of a hash, twelve hexadecimal digits without the last two bits. */
const DIGITS = 12
const TOO_MANY = 2 ** 2

/**
 * An id for a record that has none in its source: the same for the same record in every export of it.
 *
 * @param key the form, the kind and what identifies the record there
 */
export function madeId(key: string): number {
  const head = Number.parseInt(hash('sha256', key).slice(0, DIGITS), 16)
  return FIRST + Math.floor(head / TOO_MANY)
}

/** A UUID for a file that has none, likewise. */
export function madeUuid(key: string): string {
  return asUuid(hash('sha256', key))
}

/** The first 32 hexadecimal digits of a text as a UUID. */
export const asUuid = (hex: string): string =>
  hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5')
