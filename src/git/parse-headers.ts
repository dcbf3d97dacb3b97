import { decodeText } from './decode-text.ts'

const NEWLINE = 10
const SPACE = 32

/** A line at the head of a commit or tag: `author Ada <…> …`. */
export type Header = readonly [name: string, value: string]

/** The lines at the head of a commit or tag, up to the first that is empty, and the message after it. */
export function parseHeaders(content: Buffer): { headers: Header[]; message: string } {
  const headers: [string, Buffer][] = []
  let at = 0
  while (at < content.length && content[at] !== NEWLINE) {
    const newline = content.indexOf(NEWLINE, at)
    const end = newline < 0 ? content.length : newline
    const space = content.indexOf(SPACE, at)
    const last = headers.at(-1)
    // A line that begins with a space goes on with the one before, such as that of a signature.
    if (space === at && last) last[1] = Buffer.concat([last[1], content.subarray(at, end)])
    else if (space >= 0 && space < end) {
      headers.push([content.toString('latin1', at, space), content.subarray(space + 1, end)])
    }
    at = end + 1
  }
  const encoding = headers.find(([name]) => name === 'encoding')?.[1].toString('latin1')
  return {
    headers: headers.map(([name, value]) => [name, decodeText(value, encoding)]),
    message: decodeText(content.subarray(at + 1), encoding),
  }
}
