import { isUtf8 } from 'node:buffer'
import { isText } from '../../git/diff/text-lines.ts'
import type { GitData } from '../../git/open-git.ts'

/** Larger files are not shown as text. */
const LARGEST_SHOWN = 2 ** 20

/** Bytes at the beginning of a file that tell its type. */
export const HEAD = 65_536

/** A file of Git as it is shown. */
export interface GitFile {
  readonly oid: string
  readonly size: number
  /** Its first bytes. */
  readonly head: Buffer
  /** Undefined for bytes that are no text, and for large files. */
  readonly text: string | undefined
  /** The encoding, unless it is UTF-8. */
  readonly encoding: string | undefined
}

/** Reads a file: whole if it is small, otherwise its first bytes. Throws as `ObjectStore.stream` does. */
export async function readGitFile({ objects }: GitData, oid: string): Promise<GitFile> {
  const size = objects.sizeOf(oid)
  if (size <= LARGEST_SHOWN) {
    const { content } = objects.read(oid)
    return { oid, size, head: content.subarray(0, HEAD), ...decode(content) }
  }
  const parts: Buffer[] = []
  let length = 0
  for await (const part of objects.stream(oid).content) {
    parts.push(part)
    length += part.length
    if (length >= HEAD) break
  }
  const head = Buffer.concat(parts).subarray(0, HEAD)
  return { oid, size, head, text: undefined, encoding: undefined }
}

function decode(bytes: Buffer): Pick<GitFile, 'text' | 'encoding'> {
  const mark = bytes.toString('hex', 0, 2)
  if (mark === 'fffe' || mark === 'feff') {
    const encoding = mark === 'fffe' ? 'utf-16le' : 'utf-16be'
    return { text: new TextDecoder(encoding).decode(bytes), encoding: encoding.toUpperCase() }
  }
  if (!isText(bytes)) return { text: undefined, encoding: undefined }
  if (isUtf8(bytes))
    return { text: bytes.toString('utf8').replace(/^\ufeff/, ''), encoding: undefined }
  return { text: new TextDecoder('windows-1252').decode(bytes), encoding: 'Windows-1252' }
}

/** The file that a Git LFS pointer names. */
export interface LfsPointer {
  readonly sha256: string
  readonly size: number
}

/** Parses the text of a pointer; undefined for any other text. */
export function parseLfsPointer(text: string | undefined): LfsPointer | undefined {
  if (text === undefined || text.length > 1024) return undefined
  if (!text.startsWith('version https://git-lfs.github.com/spec/')) return undefined
  const sha256 = /^oid sha256:([0-9a-f]{64})$/m.exec(text)?.[1]
  const size = /^size (\d{1,15})$/m.exec(text)?.[1]
  return sha256 === undefined || size === undefined ? undefined : { sha256, size: Number(size) }
}
