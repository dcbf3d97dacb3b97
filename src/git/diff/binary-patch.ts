import { deflateSync } from 'node:zlib'

/** Writes both versions of a binary file as `git diff --binary` does: whole, deflated, in base 85. */
export function* binaryPatch(before: Buffer, after: Buffer): Generator<Buffer> {
  yield Buffer.from('GIT binary patch\n')
  // The old version lets a patch be applied in reverse.
  yield* literalOf(after)
  yield* literalOf(before)
}

const LINE = 52

function* literalOf(content: Buffer): Generator<Buffer> {
  yield Buffer.from(`literal ${content.length}\n`)
  const deflated = deflateSync(content)
  for (let at = 0; at < deflated.length; at += LINE) {
    const bytes = deflated.subarray(at, at + LINE)
    // The length as a letter: A is 1, a is 27.
    const length = String.fromCharCode(bytes.length + (bytes.length <= 26 ? 64 : 70))
    yield Buffer.from(`${length}${encodeBase85(bytes)}\n`)
  }
  yield Buffer.from('\n')
}

const DIGITS =
  '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~'

/** Encodes four bytes at a time as five digits; the last ones are filled with zeros. */
function encodeBase85(bytes: Buffer): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 4) {
    let value = 0
    for (let i = 0; i < 4; i++) value = value * 256 + (bytes[at + i] ?? 0)
    let digits = ''
    for (let i = 0; i < 5; i++) {
      digits = `${DIGITS[value % 85]}${digits}`
      value = Math.floor(value / 85)
    }
    text += digits
  }
  return text
}
