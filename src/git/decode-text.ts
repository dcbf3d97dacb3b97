import { isUtf8 } from 'node:buffer'

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })

/** Text of Git: in the encoding that the object names, by default UTF-8, where what is none becomes U+FFFD. */
export function decodeText(bytes: Buffer, encoding?: string): string {
  if (encoding === undefined) return isUtf8(bytes) ? bytes.toString('utf8') : utf8.decode(bytes)
  try {
    return new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes)
  } catch {
    return utf8.decode(bytes) // an encoding that nobody knows
  }
}
