import { decodeText } from './decode-text.ts'
import type { GitObject } from './git-object.ts'
import { refuseLarge } from './refuse-large.ts'

const NEWLINE = 10
const SPACE = 32

/** A line at the head of a commit or tag: `author Ada <…> …`. One that means nothing here has no name. */
export type Header = readonly [name: string, value: string]

const KNOWN = new Set([
  ...['tree', 'parent', 'author', 'committer', 'encoding', 'object', 'type', 'tag', 'tagger'],
])

/**
 * The lines at the head of a commit or tag, up to the first that is empty, and the message after it. Throws
 * `git-too-large`.
 */
export function parseHeaders(object: GitObject): { headers: Header[]; message: string } {
  refuseLarge(object)
  const { content } = object
  const headers: [string, Buffer][] = []
  let at = 0
  while (at < content.length && content[at] !== NEWLINE) {
    const newline = content.indexOf(NEWLINE, at)
    const end = newline < 0 ? content.length : newline
    const space = content.subarray(at, end).indexOf(SPACE)
    const name = space < 0 ? '' : content.toString('latin1', at, at + Math.min(space, 16))
    if (KNOWN.has(name)) headers.push([name, content.subarray(at + space + 1, end)])
    // Others, and lines that go on with the one before, such as those of a signature, only stand between.
    else if (headers.at(-1)?.[0] !== '') headers.push(['', content.subarray(0, 0)])
    at = end + 1
  }
  const encoding = headers.find(([name]) => name === 'encoding')?.[1].toString('latin1')
  return {
    headers: headers.map(([name, value]) => [name, decodeText(value, encoding)]),
    message: decodeText(content.subarray(at + 1), encoding),
  }
}
