import { BLOCK, tarPadding } from '../../archive/tar/tar-header.ts'
import type { RevisionEntry } from './list-entries.ts'

/** The commit of an archive, and its time in seconds since 1970. */
export interface Archived {
  commit: string
  seconds: number
}

const RECORD = 20 * BLOCK
const NAME = 100
const PREFIX = 155
/** The largest number of eleven octal digits. */
const MOST = 0o77777777777
const TYPES = { file: '0', link: '2', folder: '5' } as const

/** Writes entries as the tar of `git archive`: the id of the commit in a global header, and the usual umask of 002. */
export async function* writeTar(
  entries: AsyncIterable<RevisionEntry>,
  { commit, seconds }: Archived,
): AsyncGenerator<Uint8Array> {
  let written = 0
  const count = (bytes: Buffer) => {
    written += bytes.length
    return bytes
  }
  const time = Math.min(seconds, MOST)
  const late = seconds > MOST ? record('mtime', Buffer.from(String(seconds))) : Buffer.alloc(0)
  const about = Buffer.concat([record('comment', Buffer.from(commit)), late])
  yield count(extension({ name: 'pax_global_header', type: 'g', time }, about))
  for await (const entry of entries) {
    yield count(headersOf(entry, time))
    if (entry.type !== 'file') continue
    const { size, content } = entry.object
    for await (const piece of content) yield piece
    written += size
    yield count(tarPadding(size))
  }
  const end = 2 * BLOCK
  yield Buffer.alloc(end)
  yield tarPadding(written + end, RECORD)
}

/** The header of an entry, after a PAX header for names and sizes that it cannot hold. */
function headersOf({ path, type, mode, oid, object }: RevisionEntry, time: number): Buffer {
  const records: Buffer[] = []
  const place = placeOf(path)
  if (!place) records.push(record('path', path))
  const { size, content } = object
  const target = type === 'link' && !(Symbol.asyncIterator in content) ? content[0] : undefined
  const link = target && (target.length <= NAME ? target : Buffer.from(`see ${oid}.paxheader`))
  if (target && link !== target) records.push(record('linkpath', target))
  const isLarge = size > MOST
  if (isLarge) records.push(record('size', Buffer.from(String(size))))
  const header = headerOf({
    ...(place ?? { name: `${oid}.data` }),
    type: TYPES[type],
    link,
    time,
    mode: type === 'file' ? (mode & 0o100 ? 0o775 : 0o664) : type === 'link' ? 0o777 : 0o775,
    size: type === 'file' && !isLarge ? size : 0,
  })
  if (records.length === 0) return header
  const name = `${oid}.paxheader`
  return Buffer.concat([extension({ name, type: 'x', time }, Buffer.concat(records)), header])
}

interface Fields {
  name: string | Buffer
  prefix?: Buffer
  type: string
  mode: number
  size: number
  time: number
  link?: Buffer | undefined
}

function headerOf({ name, prefix, type, mode, size, time, link }: Fields): Buffer {
  const header = Buffer.alloc(BLOCK)
  const write = (at: number, field: string | Buffer | undefined) =>
    field && header.set(Buffer.from(field as string), at)
  const octal = (value: number, width: number) => value.toString(8).padStart(width, '0')
  write(0, name)
  write(100, octal(mode, 7))
  write(108, octal(0, 7))
  write(116, octal(0, 7))
  write(124, octal(size, 11))
  write(136, octal(time, 11))
  write(156, type)
  write(157, link)
  write(257, 'ustar\x0000root')
  write(297, 'root')
  write(329, octal(0, 7))
  write(337, octal(0, 7))
  write(345, prefix)
  let sum = 8 * 0x20 // the checksum field counts as spaces
  for (const byte of header) sum += byte
  write(148, octal(sum, 7))
  return header
}

const extension = (
  { name, type, time }: { name: string; type: string; time: number },
  records: Buffer,
): Buffer => {
  const { length } = records
  const header = headerOf({ name, type, time, mode: 0o666, size: length })
  return Buffer.concat([header, records, tarPadding(length)])
}

/** A record of a PAX header. Its length counts its own digits. */
function record(key: string, value: Buffer): Buffer {
  const rest = key.length + value.length + 3
  let length = rest + 1
  while (String(length).length + rest !== length) length = String(length).length + rest
  return Buffer.concat([Buffer.from(`${length} ${key}=`), value, Buffer.from('\n')])
}

/** The fields that hold a path, which may be split at a slash; undefined if it is too long. */
function placeOf(path: Buffer): { name: Buffer; prefix?: Buffer } | undefined {
  if (path.length <= NAME) return { name: path }
  const isPlace = path.at(-1) === SLASH
  let at = Math.min(isPlace ? path.length - 1 : path.length, PREFIX)
  do at--
  while (at > 0 && path[at] !== SLASH)
  if (at <= 0 || path.length - at - 1 > NAME) return undefined
  return { prefix: path.subarray(0, at), name: path.subarray(at + 1) }
}

const SLASH = 0x2f
