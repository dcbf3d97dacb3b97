import { Readable } from 'node:stream'
import { type Entry, type ExtraField, openPromise, parseExtraFields, type ZipFile } from 'yauzl'
import { ZipFile as ZipWriter } from 'yazl'
import { type Bytes, collect } from '../../../base/streams.ts'
import { orUnreadable, UnreadableError } from './unreadable-error.ts'

/** More files than people attach in one. */
const MOST_MEMBERS = 20_000
/** Decompressed bytes per compressed byte, after the first 64 MiB. */
export const EXPANSION = 200
const ALLOWANCE = 64 * 2 ** 20

/** A file or folder in a zip file. */
export interface ZipMember {
  name: string
  comment: string
  entry: Entry
  read(): Bytes
}

export interface Zip {
  comment: string
  members: readonly ZipMember[]
  /** Whether it holds nothing but its members and their names, sizes, times and modes. */
  isPlain: boolean
  close(): void
}

/** Opens a zip file whose members can all be read. Throws `UnreadableError`. */
export async function openZip(path: string, size: number): Promise<Zip> {
  let zip: ZipFile | undefined
  try {
    zip = await openPromise(path, { autoClose: false })
    const { comment } = zip
    return { comment, ...(await readDirectory(zip, size)), close: zip.close.bind(zip) }
  } catch (error) {
    zip?.close()
    throw orUnreadable(error, 'damaged zip')
  }
}

async function readDirectory(zip: ZipFile, size: number) {
  if (zip.entryCount > MOST_MEMBERS) throw new UnreadableError('zip of too many files')
  const members: ZipMember[] = []
  let described = END + Buffer.byteLength(zip.comment)
  let expanded = 0
  let isPlain = true
  for await (const entry of zip.eachEntry()) {
    if (entry.isEncrypted()) throw new UnreadableError('encrypted zip')
    if (!entry.canDecodeFileData()) throw new UnreadableError('zip with another compression')
    // A member that is larger than it says cannot be read.
    expanded += entry.uncompressedSize
    if (expanded > ALLOWANCE && expanded > size * EXPANSION) {
      throw new UnreadableError('zip that expands too much')
    }
    const local = await zip.readLocalFileHeaderPromise(entry)
    const fields = [...entry.extraFields, ...parseExtraFields(local.extraField)]
    isPlain &&= local.fileName.equals(entry.fileNameRaw) && fields.every(isNumeric)
    described += HEADERS + local.fileNameLength + local.extraFieldLength + entry.compressedSize
    described += entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength
    if (entry.generalPurposeBitFlag & 8) described += DESCRIPTOR
    const { fileName: name, fileComment: comment } = entry
    members.push({ name, comment, entry, read: () => readMember(zip, entry) })
  }
  // Old versions of members may be between the new ones.
  const isWhole = described >= size && described <= size + 4 * members.length
  return { members, isPlain: isPlain && isWhole }
}

/** Bytes of the end of a zip file, of the two headers of a member, and of the sizes behind its content. */
const [END, HEADERS, DESCRIPTOR] = [22, 30 + 46, 16]

/** Sizes of ZIP64, times, numbers of users, and a mark of Java: fields in which nobody writes. */
const NUMERIC = new Set([0x0001, 0x000a, 0x5455, 0x5855, 0x7855, 0x7875, 0xcafe])
const isNumeric = ({ id, data }: ExtraField): boolean => NUMERIC.has(id) && data.length <= 40

async function* readMember(zip: ZipFile, entry: Entry): AsyncGenerator<Uint8Array> {
  try {
    yield* await zip.openReadStreamPromise(entry)
  } catch (error) {
    throw orUnreadable(error, 'damaged zip')
  }
}

/** The new content of a member. */
export interface NewMember {
  name: string
  comment: string
  content(): Bytes
}

/** Stored members up to this size stay so: the first one of some documents says what they are. */
const LONGEST_STORED = 1024

/** Writes a zip file with the same members in the same order, and what `change` makes of each, one at a time. */
export async function* writeZip(
  { members }: Zip,
  comment: string,
  change: (member: ZipMember) => NewMember,
): AsyncGenerator<Uint8Array> {
  const writer = new ZipWriter()
  // Its types know only what all streams have.
  const output = writer.outputStream as Readable
  writer.on('error', (error: Error) => output.destroy(error))
  const add = async (member: ZipMember) => {
    const { entry } = member
    const mode = entry.externalFileAttributes >>> 16
    const options = {
      mtime: entry.getLastModDate({ timezone: 'local', forceDosFormat: true }),
      forceDosTimestamp: true,
      ...(mode > 0 && { mode }),
    }
    const { name, comment: fileComment, content } = change(member)
    if (name.endsWith('/')) writer.addEmptyDirectory(name, options)
    else if (entry.compressionMethod === 0 && entry.uncompressedSize <= LONGEST_STORED) {
      const stored = { ...options, fileComment, compress: false }
      writer.addBuffer(await collect(content()), name, stored)
    } else {
      writer.addReadStreamLazy(name, { ...options, fileComment }, (done) => {
        const stream = Readable.from(content(), { objectMode: false })
        stream.on('error', (error) => writer.emit('error', error))
        done(null, stream)
      })
    }
  }
  const addAll = async () => {
    for (const member of members) await add(member)
    // As bytes, since as a text it must be of another code page.
    writer.end({ comment: Buffer.from(comment) as unknown as string, forceZip64Format: false })
  }
  addAll().catch((error: Error) => output.destroy(error))
  try {
    yield* output
  } catch (error) {
    throw orUnreadable(error, 'damaged zip')
  }
}
