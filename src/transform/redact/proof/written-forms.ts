/** How the characters of a value became bytes. */
export type Coding = 'utf-8' | 'latin1' | 'utf-16le' | 'utf-16be' | 'base64'

/** A value as it may stand in bytes. */
export interface WrittenForm {
  coding: Coding
  /** Letters of ASCII are in lower case, except in base64. */
  bytes: Uint8Array
  /** Of base64: how many bytes come before the value in its first group of three. */
  shift?: number
}

const ASCII = /^[\0-\x7f]*$/

/** Letters of ASCII in lower case. */
export const FOLD = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte,
)

/** Characters of a value that are searched for: a longer one is found by its beginning. */
const LONGEST = 200
/** Characters of base64, at least: fewer would stand anywhere by chance. */
const SHORTEST_BASE64 = 8

/**
 * All forms in which a value is searched for. Other escapes, and the zeros of UTF-16, are taken out of the bytes that are searched.
 *
 * @example writtenForms('ada@forge.example') // as it is, and in base64 behind 0, 1 and 2 other bytes
 */
export function writtenForms(value: string): WrittenForm[] {
  const start = value.slice(0, LONGEST).replace(/[\ud800-\udbff]$/, '')
  const forms: WrittenForm[] = []
  const add = (form: WrittenForm) => {
    if (!forms.some((known) => isSame(known, form))) forms.push(form)
  }
  const fold = (coding: Coding, bytes: Buffer) => {
    for (let at = 0; at < bytes.length; at++) bytes[at] = FOLD[bytes[at] as number] as number
    add({ coding, bytes })
  }
  const inQuery = start.replaceAll(' ', '+')
  for (const text of new Set([start, start.toLowerCase(), start.normalize('NFD'), inQuery])) {
    for (const written of inStrings(text)) fold('utf-8', Buffer.from(written))
    const isAscii = ASCII.test(text)
    if (!isAscii && /^[\0-\xff]*$/.test(text)) {
      fold('latin1', Buffer.from(text, 'latin1'))
    } else if (!isAscii) {
      const wide = Buffer.from(text, 'utf16le')
      const swapped = Buffer.from(wide).swap16()
      fold('utf-16le', wide)
      fold('utf-16be', swapped)
    }
    for (const form of inBase64(Buffer.from(text))) add(form)
  }
  return forms
}

const isSame = (left: WrittenForm, right: WrittenForm): boolean =>
  (left.coding === 'base64') === (right.coding === 'base64') &&
  left.shift === right.shift &&
  left.bytes.length === right.bytes.length &&
  left.bytes.every((byte, at) => byte === right.bytes[at])

/** A text as it is, and in strings of JSON, also within others. */
function inStrings(text: string): string[] {
  const written = JSON.stringify(text).slice(1, -1)
  if (written === text && !text.includes('/')) return [text]
  const again = JSON.stringify(written).slice(1, -1)
  return [text, written, again, written.replaceAll('/', '\\/'), again.replaceAll('/', '\\\\/')]
}

/** Where the first whole character begins, by the bytes before. */
const SKIPPED = [0, 2, 3] as const

function* inBase64(bytes: Buffer): Generator<WrittenForm> {
  const behind = Buffer.alloc(2 + bytes.length)
  bytes.copy(behind, 2)
  for (const [shift, skipped] of SKIPPED.entries()) {
    const all = behind.toString('base64', 2 - shift)
    const whole = all.slice(skipped, Math.floor(((shift + bytes.length) * 8) / 6))
    if (whole.length < SHORTEST_BASE64) continue
    const inUrls = whole.replaceAll('+', '-').replaceAll('/', '_')
    yield { coding: 'base64', shift, bytes: Buffer.from(whole, 'latin1') }
    if (inUrls !== whole) yield { coding: 'base64', shift, bytes: Buffer.from(inUrls, 'latin1') }
  }
}

/** The text around a form in bytes: some characters on each side. */
export function textAround(
  { coding, shift = 0 }: Omit<WrittenForm, 'bytes'>,
  bytes: Buffer,
  start: number,
  end: number,
): { before: string; after: string } {
  if (coding === 'base64') return aroundBase64(bytes, start, end, shift)
  const [from, to] = [Math.max(0, start - AROUND), end + AROUND]
  if (coding === 'utf-16le' || coding === 'utf-16be') {
    const text = (part: Buffer) => {
      const even = Buffer.from(part.subarray(0, part.length - (part.length % 2)))
      return (coding === 'utf-16be' ? even.swap16() : even).toString('utf16le')
    }
    const even = from + ((start - from) % 2)
    return { before: text(bytes.subarray(even, start)), after: text(bytes.subarray(end, to)) }
  }
  const encoding = coding === 'latin1' ? 'latin1' : 'utf8'
  return { before: bytes.toString(encoding, from, start), after: bytes.toString(encoding, end, to) }
}

/** Bytes on each side of a value. */
export const AROUND = 96

const NOT_BASE64 = /[^A-Za-z0-9+/_-]/

function aroundBase64(bytes: Buffer, at: number, end: number, shift: number) {
  const start = at - (SKIPPED[shift] ?? 0)
  const length = Math.ceil(((end - start) * 3) / 4) - shift
  let from = start
  while (from - 4 >= 0 && from > start - AROUND) {
    if (NOT_BASE64.test(bytes.toString('latin1', from - 4, from))) break
    from -= 4
  }
  const rest = bytes.toString('latin1', end, end + AROUND)
  const goesOn = rest.search(NOT_BASE64)
  const head = bytes.toString('latin1', Math.max(0, from), end).padStart(end - from, 'A')
  // Where the group of the value is not whole, nothing is before it.
  const text =
    head.replace(/[^A-Za-z0-9+/_-]/g, 'A') + rest.slice(0, goesOn < 0 ? undefined : goesOn)
  const decoded = Buffer.from(text, 'base64')
  const offset = ((start - from) / 4) * 3 + shift
  return {
    before: decoded.toString('utf8', 0, offset),
    after: decoded.toString('utf8', offset + length),
  }
}
