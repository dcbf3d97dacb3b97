import { ArchiveError } from '../../base/errors.ts'
import { ClientError } from '../client-error.ts'
import type { Session } from '../open-session.ts'
import { Patience } from '../patience.ts'
import { BlockBuffer } from './block-buffer.ts'
import { checkWhileStreaming, type StreamCheck } from './check-while-streaming.ts'
import type { PartFacts, PartFile } from './part-file.ts'
import { archiveAddress, isStaleAddress, requestArchive } from './request-archive.ts'

/** Connections without a new byte, and beginnings from the first byte, after which a download gives up. */
const MOST_FRUITLESS = 5
const MOST_RESTARTS = 5
const NOTHING_KNOWN = { etag: null, size: null }

export interface RunOptions {
  /** Read the archive while it comes in, and refuse a damaged one. Default true. */
  verify?: boolean | undefined
  /** Called with the bytes on disk, the bytes of the whole archive if known, and the step under way. */
  progress?:
    | ((done: {
        bytes: number
        total: number | undefined
        step: 'reading' | 'downloading'
      }) => void)
    | undefined
}

/** A download under way: connections one after the other, one part, one check. */
export class DownloadRun {
  /** Bytes that came over the network. */
  fetched = 0
  readonly #session: Session
  readonly #id: number
  readonly #part: PartFile
  readonly #options: RunOptions
  #check: StreamCheck | undefined
  #address: URL | undefined
  #restarts = 0
  /** Whether bytes of an earlier process are in the part. */
  #hasInherited: boolean

  constructor(session: Session, id: number, part: PartFile, options: RunOptions) {
    this.#session = session
    this.#id = id
    this.#part = part
    this.#options = options
    this.#hasInherited = part.size > 0
  }

  /** Fetches until the archive is whole and sound. Returns its SHA-256. */
  async toEnd(): Promise<string> {
    const patience = new Patience(this.#session, {
      retries: MOST_FRUITLESS,
      isOutage: isStaleAddress,
    })
    for (;;) {
      const before = this.fetched
      try {
        if (await this.#connect()) return await this.#judge()
      } catch (error) {
        if (this.fetched > before) patience.renew()
        if (this.#hasInherited && isDamage(error)) {
          await this.#forget(error)
        } else {
          if (!(await patience.allows(error))) throw error
          this.#address = undefined
        }
      }
    }
  }

  /** One connection. Returns whether all bytes are there. */
  async #connect(): Promise<boolean> {
    const part = this.#part
    if (!this.#check) await this.#resume()
    this.#address ??= await archiveAddress(this.#session, this.#id)
    const answer = await requestArchive(this.#session, this.#address, part)
    if (answer.has === 'nothing') return true
    if (answer.has === 'another') {
      await this.#begin(NOTHING_KNOWN)
      return false
    }
    if (answer.has === 'all') await this.#begin(answer)
    await this.#receive(answer.incoming.body)
    const { size } = part.facts
    if (size === null || part.size === size) return true
    throw new ClientError('server-unreachable', 'the connection ended too early')
  }

  async #receive(body: AsyncIterable<Uint8Array>): Promise<void> {
    const part = this.#part
    const total = part.facts.size ?? undefined
    let bytes = part.size
    const blocks = new BlockBuffer((block) => this.#take(block))
    try {
      for await (const piece of body) {
        this.fetched += piece.length
        bytes += piece.length
        if (total !== undefined && bytes > total) {
          throw new ClientError('server-failed', `the server sent more than ${total} bytes`)
        }
        await blocks.add(piece)
        this.#options.progress?.({ bytes, total, step: 'downloading' })
      }
    } finally {
      // The next connection continues after the last byte of this one.
      await blocks.flush()
    }
  }

  /** Writes a block and checks it at the same time. Damage is kept as well: the rest may be readable. */
  async #take(block: Uint8Array): Promise<void> {
    const [written, checked] = await Promise.allSettled([
      this.#part.append(block),
      this.#pass(block),
    ])
    for (const result of [written, checked]) if (result.status === 'rejected') throw result.reason
  }

  /** Passes what an earlier process left through the check. */
  async #resume(): Promise<void> {
    this.#check = this.#newCheck()
    const total = this.#part.size
    if (total === 0) return
    let bytes = 0
    for await (const piece of this.#part.read()) {
      bytes += piece.length
      await this.#pass(piece)
      this.#options.progress?.({ bytes, total, step: 'reading' })
    }
  }

  /** Begins from the first byte. */
  async #begin(facts: Pick<PartFacts, 'etag' | 'size'>): Promise<void> {
    const { size, facts: before } = this.#part
    if (size > 0 && ++this.#restarts > MOST_RESTARTS) {
      const reason = before.etag === null ? 'cannot be resumed' : 'changes all the time'
      throw new ClientError('download-changed', `the archive on the server ${reason}`)
    }
    await this.#restart({ etag: facts.etag, size: facts.size })
  }

  /** Throws away what an earlier process left, because it is damaged. */
  async #forget(error: ArchiveError): Promise<void> {
    const { path } = this.#part
    this.#session.notice(`${path} is damaged: ${error.message}; downloading all of it again`)
    await this.#restart(NOTHING_KNOWN)
  }

  async #restart(facts: Pick<PartFacts, 'etag' | 'size'>): Promise<void> {
    this.#hasInherited = false
    await this.#check?.abandon()
    this.#check = this.#newCheck()
    await this.#part.restart(facts)
  }

  #newCheck(): StreamCheck {
    return checkWhileStreaming({ verify: this.#options.verify ?? true })
  }

  async #pass(piece: Uint8Array): Promise<void> {
    await this.#check?.write(piece).catch((error: unknown) => this.#refuse(error))
  }

  async #judge(): Promise<string> {
    const sha256 = await this.#check?.end().catch((error: unknown) => this.#refuse(error))
    // This project's server tags an archive with its SHA-256.
    const [, stated] = /^"([0-9a-f]{64})"$/.exec(this.#part.facts.etag ?? '') ?? []
    const isOurs = this.#address?.pathname.includes('/_archives/') === true
    if (isOurs && stated !== undefined && stated !== sha256) {
      this.#refuse(new ArchiveError('download-damaged', 'its SHA-256 is not the stated one'))
    }
    return sha256 as string
  }

  /** The part stays: most of it may be readable. */
  #refuse(error: unknown): never {
    if (!(error instanceof ArchiveError)) throw error
    const place = { ...error.place, archive: this.#part.path }
    throw new ArchiveError('download-damaged', error.message, place, error)
  }

  async close(): Promise<void> {
    await this.#check?.abandon()
    await this.#part.close()
  }
}

const isDamage = (error: unknown): error is ArchiveError =>
  error instanceof ArchiveError && error.code === 'download-damaged'
