export type ObjectType = 'commit' | 'tree' | 'blob' | 'tag'

/** An object of Git as it is stored, unpacked; its id was compared with the content. */
export interface GitObject {
  readonly oid: string
  readonly type: ObjectType
  readonly content: Buffer
}

/** Forty hexadecimal digits. */
export const isOid = (text: string): boolean => /^[0-9a-f]{40}$/.test(text)
