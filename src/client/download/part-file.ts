import { constants, createReadStream } from 'node:fs'
import { open, readFile, rm } from 'node:fs/promises'
import { ArchiveError } from '../../base/errors.ts'
import { asBytes, type Bytes } from '../../base/streams.ts'
import { attempt } from '../../files/attempt.ts'
import { lockFile } from '../../files/lock-file.ts'
import { publishFile, writeFile } from '../../files/write-file.ts'

/**
 * The download that a part belongs to. It holds no address and no secret: both expire, and others may read the file.
 */
export interface PartFacts {
  server: string
  id: number
  guid: string
  /** The strong ETag of the bytes; null if the server gave none. */
  etag: string | null
  /** Bytes of the whole archive; null if the server did not say. */
  size: number | null
}

type Identity = Pick<PartFacts, 'server' | 'id' | 'guid'>

/**
 * The part of an archive that is on disk, `<file>.part`; `<file>.part.json`, which says what it is a part of; and
 * `<file>.part.lock` while a process has it open.
 */
export interface PartFile {
  readonly path: string
  /** Bytes on disk. */
  readonly size: number
  readonly facts: Readonly<PartFacts>
  /** Bytes that an earlier process left, in their order. */
  read(): Bytes
  /** Begins from the first byte, with the facts of an answer. */
  restart(answer: Pick<PartFacts, 'etag' | 'size'>): Promise<void>
  append(bytes: Uint8Array): Promise<void>
  /** Gives the whole archive its name, when the disk has it. */
  publish(options: { force: boolean }): Promise<void>
  /** Closes it, and removes it if no answer has begun it. */
  close(): Promise<void>
}

/** Bytes that are read at a time. */
const BATCH = 2 ** 18

/**
 * Opens the part of a download, or begins one. Begins again if the part belongs to another download.
 *
 * @throws `download-busy` while another process has it open; `output-refused` or `output-full`
 */
export async function openPart(file: string, identity: Identity): Promise<PartFile> {
  const path = `${file}.part`
  const unlock = await lockFile(`${path}.lock`, {
    wait: false,
    busy: (holder) =>
      new ArchiveError('download-busy', `${holder} is downloading it`, { archive: path }),
  })
  try {
    return await openLocked(file, identity, unlock)
  } catch (error) {
    unlock()
    throw error
  }
}

async function openLocked(file: string, identity: Identity, unlock: () => void): Promise<PartFile> {
  const path = `${file}.part`
  const notes = `${path}.json`
  const known = await readNotes(notes, identity)
  const { O_RDWR, O_CREAT, O_NOFOLLOW = 0 } = constants
  const handle = await attempt(path, open(path, O_RDWR | O_CREAT | O_NOFOLLOW))
  let facts: PartFacts = known ?? { ...identity, etag: null, size: null }
  let isBegun = known !== undefined
  let size = 0
  const truncate = async () => {
    await attempt(path, handle.truncate(0))
    size = 0
  }
  try {
    size = (await attempt(path, handle.stat())).size
    if (!known || (facts.size !== null && size > facts.size)) await truncate()
  } catch (error) {
    await handle.close()
    throw error
  }
  return {
    path,
    get size() {
      return size
    },
    get facts() {
      return facts
    },
    read: () => createReadStream(path, { end: size - 1, highWaterMark: BATCH }),
    async restart(answer) {
      isBegun = true
      // In this order a kill never leaves bytes beside the facts of others.
      await truncate()
      facts = { ...identity, ...answer }
      const text = Buffer.from(`${JSON.stringify(facts)}\n`)
      await writeFile(notes, asBytes([text]), { force: true, sync: false })
    },
    async append(bytes) {
      for (let at = 0; at < bytes.length; ) {
        const written = handle.write(bytes, at, bytes.length - at, size)
        const { bytesWritten } = await attempt(path, written)
        at += bytesWritten
        size += bytesWritten
      }
    },
    async publish({ force }) {
      await attempt(path, handle.sync())
      publishFile(path, file, { force })
      await rm(notes, { force: true })
    },
    async close() {
      try {
        await handle.close()
        if (!isBegun) await rm(path, { force: true })
      } finally {
        unlock()
      }
    },
  }
}

/** The notes, if they are about this download. */
async function readNotes(path: string, identity: Identity): Promise<PartFacts | undefined> {
  try {
    const found = JSON.parse(await readFile(path, 'utf8')) as Partial<PartFacts>
    const { server, id, guid, etag = null, size = null } = found
    const isOurs = server === identity.server && id === identity.id && guid === identity.guid
    const isSound =
      (etag === null || (typeof etag === 'string' && isStrongTag(etag))) &&
      (size === null || (Number.isSafeInteger(size) && size >= 0))
    return isOurs && isSound ? { ...identity, etag, size } : undefined
  } catch {
    return undefined // a part that nothing is known about is of no use
  }
}

/** Whether an ETag is strong: it then always stands for the same bytes. */
export const isStrongTag = (etag: string): boolean =>
  /^"[\x21\x23-\x7e\x80-\xff]{1,256}"$/.test(etag)
