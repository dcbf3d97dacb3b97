import { createHash, hash } from 'node:crypto'

export type ObjectType = 'commit' | 'tree' | 'blob' | 'tag'

/** An object of Git as it is stored, unpacked; its id was compared with the content. */
export interface GitObject {
  readonly oid: string
  readonly type: ObjectType
  readonly content: Buffer
}

/** An object of Git whose content comes piece by piece, and can be read once. */
export interface StreamedObject {
  readonly oid: string
  readonly type: ObjectType
  /** Bytes of the content. */
  readonly size: number
  readonly content: readonly [Buffer] | AsyncIterable<Buffer>
}

/** Forty hexadecimal digits. */
export const isOid = (text: string): boolean => /^[0-9a-f]{40}$/.test(text)

/** The id of an object: the SHA-1 of its type, size and content. */
export function idOf(type: ObjectType, content: Uint8Array): string {
  const head = `${type} ${content.length}\0`
  if (head.length + content.length > SCRATCH.length) {
    return createHash('sha1').update(head).update(content).digest('hex')
  }
  // Most objects are small, and one call with all of it takes half the time.
  SCRATCH.write(head, 'latin1')
  SCRATCH.set(content, head.length)
  return hash('sha1', SCRATCH.subarray(0, head.length + content.length), 'hex')
}

const SCRATCH = Buffer.alloc(16 * 2 ** 10)
