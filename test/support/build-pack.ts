/** Builds packs and loose objects byte by byte, so that a test can show what Git never writes. */

import { createHash } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import type { Files } from './build-tar.ts'

const TYPES = { commit: 1, tree: 2, blob: 3, tag: 4, 'offset-delta': 6, 'named-delta': 7 } as const

export interface PackedObject {
  type: keyof typeof TYPES
  content: string | Uint8Array
  /** The id that the index gives it; that of its content unless told otherwise. */
  oid?: string
  /** Announced bytes; those of the content unless told otherwise. */
  size?: number
  /** How many bytes before it its base begins, or the id of its base. */
  base?: number | string
  /** The compressed content. */
  packed?: Uint8Array
}

const sha1 = (bytes: Uint8Array | string) => createHash('sha1').update(bytes).digest()

/** The id of an object. */
export const oidOf = (type: string, content: string | Uint8Array): string => {
  const bytes = Buffer.from(content as string)
  return sha1(Buffer.concat([Buffer.from(`${type} ${bytes.length}\0`), bytes])).toString('hex')
}

/** A pack of these objects and its index, under the paths that they have in a repository. */
export function packOf(objects: readonly PackedObject[], name = 'pack-it'): Files {
  const parts: Buffer[] = [Buffer.concat([Buffer.from('PACK'), uint32(2), uint32(objects.length)])]
  const places: { oid: string; offset: number }[] = []
  let offset = 12
  for (const { type, content, oid = oidOf(type, content), ...more } of objects) {
    const bytes = Buffer.from(content as string)
    const { size = bytes.length, base, packed = deflateSync(bytes) } = more
    const part = Buffer.concat([header(TYPES[type], size), baseOf(base), packed])
    places.push({ oid, offset })
    parts.push(part)
    offset += part.length
  }
  const body = Buffer.concat(parts)
  const pack = Buffer.concat([body, sha1(body)])
  return {
    [`objects/pack/${name}.pack`]: pack,
    [`objects/pack/${name}.idx`]: indexOf(places, sha1(body)),
  }
}

/** An index that says where in a pack objects are. */
function indexOf(places: readonly { oid: string; offset: number }[], trailer: Buffer): Buffer {
  const sorted = places.toSorted((a, b) => (a.oid < b.oid ? -1 : 1))
  const fanout = Array.from({ length: 256 }, (_, byte) =>
    uint32(sorted.filter(({ oid }) => Number.parseInt(oid.slice(0, 2), 16) <= byte).length),
  )
  const body = Buffer.concat([
    Buffer.from('ff744f6300000002', 'hex'),
    ...fanout,
    ...sorted.map(({ oid }) => Buffer.from(oid, 'hex')),
    ...sorted.map(() => uint32(0)),
    ...sorted.map(({ offset }) => uint32(offset)),
    trailer,
  ])
  return Buffer.concat([body, sha1(body)])
}

/** An object in a file of its own, under its path in a repository. */
export function looseOf(type: string, content: string | Uint8Array, oid = oidOf(type, content)) {
  const bytes = Buffer.from(content as string)
  const object = Buffer.concat([Buffer.from(`${type} ${bytes.length}\0`), bytes])
  return { [`objects/${oid.slice(0, 2)}/${oid.slice(2)}`]: deflateSync(object) }
}

/** The content of a tree. */
export const treeOf = (
  ...entries: readonly (readonly [mode: string, name: string, oid: string])[]
) =>
  Buffer.concat(
    entries.map(([mode, name, oid]) =>
      Buffer.concat([Buffer.from(`${mode} ${name}\0`, 'latin1'), Buffer.from(oid, 'hex')]),
    ),
  )

/** The content of a commit. */
export const commitOf = (tree: string, message = 'A commit\n', ...parents: readonly string[]) =>
  `tree ${tree}\n${parents.map((parent) => `parent ${parent}\n`).join('')}author Ada <ada@forge.example> 1714564800 +0200\ncommitter Ada <ada@forge.example> 1714564800 +0200\n\n${message}`

/** The entries of a repository with these files. */
export const repositoryOf = (name: string, files: Files): Files =>
  Object.fromEntries(
    Object.entries({ HEAD: 'ref: refs/heads/main\n', ...files }).map(([path, content]) => [
      `repositories/${name}.git/${path}`,
      content,
    ]),
  )

function header(type: number, size: number): Buffer {
  const bytes = [(type << 4) | (size & 15)]
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    bytes[bytes.length - 1] = (bytes.at(-1) as number) | 128
    bytes.push(rest % 128)
  }
  return Buffer.from(bytes)
}

function baseOf(base: number | string | undefined): Buffer {
  if (base === undefined) return Buffer.alloc(0)
  if (typeof base === 'string') return Buffer.from(base, 'hex')
  const bytes = [base & 127]
  for (let rest = base >> 7; rest > 0; rest >>= 7) bytes.unshift((--rest & 127) | 128)
  return Buffer.from(bytes)
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
