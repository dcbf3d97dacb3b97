/** Where a value was found in bytes. */
export interface FoundValue {
  at: number
  value: string
}

/** Bytes by which values are looked up. */
const HEAD = 6
const BITS = 2 ** 20

/**
 * Creates a search for many values at once in any bytes: as they are, in other case, with `@` as `%40` or `\u0040`, and in
 * base64. A value within a longer word or number is not found. Values of fewer than six bytes are left out.
 */
export function createValueFinder(
  values: Iterable<string>,
): (bytes: Uint8Array) => FoundValue | undefined {
  const byHead = new Map<number, { form: Buffer; value: string }[]>()
  const mayBegin = new Uint8Array(BITS)
  for (const value of values) {
    for (const form of formsOf(value)) {
      if (form.length < HEAD) continue
      const key = headAt(form, 0)
      mayBegin[hashAt(form, 0)] = 1
      const known = byHead.get(key) ?? []
      known.push({ form, value })
      byHead.set(key, known)
    }
  }
  return (given) => {
    if (byHead.size === 0) return undefined
    const bytes = lowerCased(given)
    const last = bytes.length - HEAD
    for (let at = 0; at <= last; at++) {
      if (mayBegin[hashAt(bytes, at)] === 0) continue
      const match = byHead.get(headAt(bytes, at))?.find(({ form }) => isWhole(bytes, at, form))
      if (match) return { at, value: match.value }
    }
    return undefined
  }
}

/** The ways in which a value may be written. */
function formsOf(value: string): Buffer[] {
  const lower = value.toLowerCase()
  const texts = new Set([lower])
  if (lower.includes('@')) {
    texts.add(lower.replaceAll('@', '%40'))
    texts.add(lower.replaceAll('@', '\\u0040'))
  }
  texts.add(JSON.stringify(lower).slice(1, -1))
  for (const original of [value, lower]) {
    const encoded = Buffer.from(original).toString('base64').replace(/=+$/, '')
    if (encoded.length >= 12) texts.add(encoded.toLowerCase())
  }
  return [...texts].map((text) => Buffer.from(text))
}

const hashAt = (bytes: Uint8Array, at: number): number =>
  (((bytes[at] as number) * 31 + (bytes[at + 1] as number)) * 31 * 31 +
    (bytes[at + 2] as number) * 1021 +
    (bytes[at + 3] as number) * 8191) &
  (BITS - 1)

const headAt = (bytes: Uint8Array, at: number): number => {
  let key = 0
  for (let i = 0; i < HEAD; i++) key = key * 256 + (bytes[at + i] as number)
  return key
}

/** Letters of ASCII alone: the length stays. */
function lowerCased(bytes: Uint8Array): Buffer {
  const lower = Buffer.from(bytes)
  for (let i = 0; i < lower.length; i++) {
    const byte = lower[i] as number
    if (byte >= 0x41 && byte <= 0x5a) lower[i] = byte + 0x20
  }
  return lower
}

function isWhole(bytes: Buffer, at: number, form: Buffer): boolean {
  if (at + form.length > bytes.length) return false
  if (bytes.compare(form, 0, form.length, at, at + form.length) !== 0) return false
  if (isInner(form[0] as number) && isInner(bytes[at - 1] ?? 0)) return false
  const end = at + form.length
  const next = bytes[end] ?? 0
  if (isInner(form[form.length - 1] as number) && isInner(next)) return false
  // A number goes on behind its full stop, or began before one.
  const isDigit = (byte: number | undefined) => byte !== undefined && byte >= 0x30 && byte <= 0x39
  if (isDigit(form[0]) && bytes[at - 1] === 0x2e && isDigit(bytes[at - 2])) return false
  return !(isDigit(form[form.length - 1]) && next === 0x2e && isDigit(bytes[end + 1]))
}

/** Letters, digits and _; bytes of other letters, too. */
const isInner = (byte: number): boolean =>
  (byte >= 0x30 && byte <= 0x39) || (byte >= 0x61 && byte <= 0x7a) || byte === 0x5f || byte >= 0x80
