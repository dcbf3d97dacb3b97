import { createHash } from 'node:crypto'

export type ObjectType = 'commit' | 'tree' | 'blob' | 'tag'

/** An object of Git as it is stored, unpacked; its id was compared with the content. */
export interface GitObject {
  readonly oid: string
  readonly type: ObjectType
  readonly content: Buffer
}

/** Forty hexadecimal digits. */
export const isOid = (text: string): boolean => /^[0-9a-f]{40}$/.test(text)

/** The id of an object: the SHA-1 of its type, size and content. */
export function idOf(type: ObjectType, content: Uint8Array): string {
  return createHash('sha1').update(`${type} ${content.length}\0`).update(content).digest('hex')
}
