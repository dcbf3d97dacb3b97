/**
 * Builds archives for tests, so that a test shows its whole world in a few lines, and builds them byte for
 * byte, so that a test can show what no honest tool writes.
 *
 *     tarOf({ 'schema.json': '{}', 'issues_000001.json': [{ type: 'issue' }] }, { prefix: './' })
 *     Buffer.concat([member({ name: '../x' }, 'evil'), END])
 */

import { gzipSync } from 'node:zlib'

export type Dialect = 'v7' | 'gnu' | 'ustar' | 'pax'

/** Bytes and text as they are; anything else as JSON in the host's form. */
export type FileContent = string | Uint8Array | object

/** Content by path, in the order of the archive. A path that ends with `/` is a directory's. */
export type Files = Record<string, FileContent>

export interface TarStyle {
  dialect?: Dialect
  /** The prefix of every path. */
  prefix?: '' | './'
  /** A folder around everything, such as `export/`. */
  topFolder?: string
  /** Writes an entry for each directory before the first file in it. */
  directories?: boolean
  /** Writes the two blocks of zeros at the end; `true` unless told otherwise. */
  end?: boolean
}

const BLOCK = 512

/** The two blocks of zeros that end a tar. */
export const END = Buffer.alloc(2 * BLOCK)

/** A tar of these files. */
export function tarOf(files: Files, style: TarStyle = {}): Buffer {
  const { dialect = 'gnu', prefix = '', topFolder = '', directories = false, end = true } = style
  const paths = Object.keys(files).map((path) => prefix + topFolder + path)
  const parents = directories ? paths.map(parentsOf) : []
  const written = new Set<string>()
  const parts = Object.values(files).flatMap((content, index) => {
    const names = [...(parents[index] ?? []), paths[index] as string]
    const fresh = names.filter((name) => !written.has(name))
    for (const name of fresh) written.add(name)
    return fresh.map((name) => entry(name, name.endsWith('/') ? '' : content, dialect))
  })
  return Buffer.concat(end ? [...parts, END] : parts)
}

/** The same, compressed, in a hurry. */
export const tarGzOf = (files: Files, style?: TarStyle): Buffer =>
  gzipSync(tarOf(files, style), { level: 1 })

/** `./`, `./a/`, `./a/b/` for `./a/b/c`. */
const parentsOf = (path: string): string[] =>
  [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index + 1))

/** A file or directory with its name in whatever way the dialect has for it. */
function entry(name: string, content: FileContent, dialect: Dialect): Buffer {
  const type = name.endsWith('/') ? '5' : '0'
  if (dialect === 'pax') {
    return Buffer.concat([pax({ path: name }), member({ name: 'see pax', type, dialect }, content)])
  }
  if (Buffer.byteLength(name) <= 100) return member({ name, type, dialect }, content)
  if (dialect === 'gnu') {
    return Buffer.concat([longName(name), member({ name: 'see long name', type }, content)])
  }
  if (dialect === 'v7') throw new RangeError('a v7 tar has no long names')
  const cut = name.indexOf('/', name.length - 101)
  return member(
    { name: name.slice(cut + 1), nameBefore: name.slice(0, cut), type, dialect },
    content,
  )
}

/** A header and the blocks of content that follow it. Its size is that of the content unless told otherwise. */
export function member(fields: HeaderFields, content: FileContent = ''): Buffer {
  const bytes = bytesOf(content)
  return Buffer.concat([header({ size: bytes.length, ...fields }), blocksOf(bytes)])
}

/** The GNU entry that gives the next one a name of any length. */
export const longName = (name: string): Buffer =>
  member({ name: '././@LongLink', type: 'L', dialect: 'gnu' }, `${name}\0`)

/** The PAX entry that says more of the next one, or as type `g` of all that follow. */
export function pax(values: Record<string, string>, type: 'x' | 'g' = 'x'): Buffer {
  const lines = Object.entries(values).map(([key, value]) => {
    const bytes = Buffer.byteLength(` ${key}=${value}\n`)
    let length = bytes
    // The length counts its own digits.
    while (length !== bytes + String(length).length) length = bytes + String(length).length
    return `${length} ${key}=${value}\n`
  })
  return member({ name: 'PaxHeader', type, dialect: 'pax' }, lines.join(''))
}

/** A number is written in octal, anything else as it is. */
type Field = number | string | Uint8Array

export interface HeaderFields {
  name?: string | Uint8Array
  mode?: Field
  size?: Field
  /** Seconds since 1970. */
  mtime?: Field
  /** `0` a file, `1` a hard link, `2` a symbolic link, `3` a device, `5` a directory, `x` PAX, `L` a long name. */
  type?: string
  linkname?: string
  /** The owner of a file, and the group. */
  uname?: string
  gname?: string
  dialect?: Dialect
  /** The folders of a long name in a USTAR header. */
  nameBefore?: string
  /** Computed unless told otherwise. */
  checksum?: Field
}

const MAGIC: Record<Dialect, string> = {
  v7: '',
  gnu: 'ustar  \0',
  ustar: 'ustar\x0000',
  pax: 'ustar\x0000',
}

/** The 512 bytes of a header. */
export function header(fields: HeaderFields): Buffer {
  const { mode = 0o644, size = 0, mtime = 1_500_000_000, dialect = 'gnu' } = fields
  const block = Buffer.alloc(BLOCK)
  const write = (value: Field, at: number, length: number) => {
    const text = typeof value === 'number' ? value.toString(8).padStart(length - 1, '0') : value
    block.set(Buffer.from(text as string).subarray(0, length), at)
  }
  write(fields.name ?? '', 0, 100)
  write(mode, 100, 8)
  write(0, 108, 8)
  write(0, 116, 8)
  write(size, 124, 12)
  write(mtime, 136, 12)
  write('        ', 148, 8) // which the checksum counts
  write(fields.type ?? '0', 156, 1)
  write(fields.linkname ?? '', 157, 100)
  write(MAGIC[dialect], 257, 8)
  write(fields.uname ?? '', 265, 32)
  write(fields.gname ?? '', 297, 32)
  write(fields.nameBefore ?? '', 345, 155)
  const sum = block.reduce((total, byte) => total + byte, 0)
  write(fields.checksum ?? sum, 148, 7)
  return block
}

function bytesOf(content: FileContent): Buffer {
  if (typeof content === 'string' || content instanceof Uint8Array) return Buffer.from(content)
  return Buffer.from(JSON.stringify(content, null, 2))
}

/** The bytes, filled up with zeros to whole blocks. */
export function blocksOf(bytes: Uint8Array): Buffer {
  const blocks = Buffer.alloc(Math.ceil(bytes.length / BLOCK) * BLOCK)
  blocks.set(bytes)
  return blocks
}
