import { isAscii } from 'node:buffer'
import type { GitObject } from '../objects/git-object.ts'
import { decodeText } from './decode-text.ts'

/** A line at the head of a commit or tag: `author Ada <…> …`. One that means nothing here has no name. */
export type Header = readonly [name: string, value: string]

const KNOWN = new Set([
  ...['tree', 'parent', 'author', 'committer', 'encoding', 'object', 'type', 'tag', 'tagger'],
])

/**
 * The lines at the head of a commit or tag, up to the first that is empty, and the message after it.
 */
export function parseHeaders({ content }: GitObject): { headers: Header[]; message: string } {
  // A byte a character, so that all of it is cut at once, and most of it is text as it is.
  const bytes = content.toString('latin1')
  const headers: [string, string][] = []
  let at = 0
  while (at < bytes.length && bytes[at] !== '\n') {
    const newline = bytes.indexOf('\n', at)
    const end = newline < 0 ? bytes.length : newline
    const line = bytes.slice(at, end)
    const name = line.slice(0, Math.max(0, line.indexOf(' ')))
    if (KNOWN.has(name)) headers.push([name, line.slice(name.length + 1)])
    // Others, and lines that go on with the one before, such as those of a signature, only stand between.
    else if (headers.at(-1)?.[0] !== '') headers.push(['', ''])
    at = end + 1
  }
  const message = bytes.slice(at + 1)
  const encoding = headers.find(([name]) => name === 'encoding')?.[1]
  if (encoding === undefined && isAscii(content)) return { headers, message }
  const decode = (text: string) => decodeText(Buffer.from(text, 'latin1'), encoding)
  return {
    headers: headers.map(([name, value]) => [name, decode(value)]),
    message: decode(message),
  }
}
