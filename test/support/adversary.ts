/** Somebody who knows every original value, and looks for it in everything that was handed out. */

import { inflateRawSync, inflateSync } from 'node:zlib'

/** Where a known value still is: within what that is compressed, from the outside in. */
export interface Trace {
  value: string
  within: readonly string[]
}

const DEEPEST = 4

/** Looks for values in bytes, in any case and encoding, and in whatever of them can be decompressed. */
export function findTraces(
  bytes: Buffer,
  known: readonly string[],
  within: readonly string[] = [],
): Trace[] {
  const text = bytes.toString('latin1').toLowerCase()
  const found: Trace[] = known
    .filter((value) => formsOf(value).some((form) => text.includes(form)))
    .map((value) => ({ value, within }))
  if (within.length >= DEEPEST) return found
  for (const [kind, content] of compressedIn(bytes)) {
    found.push(...findTraces(content, known, [...within, kind]))
  }
  return found
}

const latin1 = (text: string) => Buffer.from(text).toString('latin1')

/** A value as it may be written, in lower case. */
function formsOf(value: string): string[] {
  const lower = value.toLowerCase()
  const plain = [value, lower].flatMap((text) => [
    text,
    text.replaceAll('@', '%40'),
    text.replaceAll('@', '\\u0040'),
    encodeURIComponent(text),
    text.replaceAll(' ', '+'),
    text.replaceAll('@', '=40'),
    text.replaceAll('@', '&#64;'),
    JSON.stringify(text).slice(1, -1),
    Buffer.from(text).toString('hex'),
  ])
  const whole = [value, lower].flatMap((text) => {
    const bytes = Buffer.from(text)
    return [bytes.toString('base64').replace(/=+$/, ''), bytes.toString('base64url')]
  })
  return [...plain.map(latin1), ...whole].map((form) => form.toLowerCase())
}

/** How compressed data begins, and how many bytes there are before the stream. */
const FORMATS = [
  { kind: 'gzip', magic: '1f8b08', open: inflateRawSync, skip: endOfGzipHead },
  ...['7801', '785e', '789c', '78da'].map((magic) => ({
    kind: 'zlib',
    magic,
    open: inflateSync,
    skip: () => 0,
  })),
  {
    kind: 'zip',
    magic: '504b0304',
    open: inflateRawSync,
    skip: (head: Buffer) => 30 + head.readUInt16LE(26) + head.readUInt16LE(28),
  },
]

function endOfGzipHead(head: Buffer): number {
  const flags = head[3] as number
  let end = 10
  if (flags & 4) end += 2 + head.readUInt16LE(end)
  for (const flag of [8, 16]) if (flags & flag) end = head.indexOf(0, end) + 1
  return flags & 2 ? end + 2 : end
}

/** Everything in the bytes that can be decompressed, wherever it begins; other bytes may follow. */
export function* compressedIn(bytes: Buffer): Generator<[string, Buffer]> {
  for (const { kind, magic, skip, open } of FORMATS) {
    const start = Buffer.from(magic, 'hex')
    for (let at = bytes.indexOf(start); at >= 0; at = bytes.indexOf(start, at + 1)) {
      try {
        const head = bytes.subarray(at)
        yield [kind, open(head.subarray(skip(head)), { maxOutputLength: 2 ** 24 })]
      } catch {
        // These bytes only look like the beginning of something.
      }
    }
  }
}
