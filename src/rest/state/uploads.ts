import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { readdirSync, rmSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { makeOwnFolder } from '../../files/own-folder.ts'
import { removeStale } from '../../files/partial-file.ts'
import { withSha256, writeFile } from '../../files/write-file.ts'
import { foldLogin } from '../../http/access/accounts-file.ts'
import type { StateDatabase } from './state-database.ts'

/** An archive that somebody uploads to an organization. Times are milliseconds since 1970 on the server's clock. */
export interface Upload {
  readonly guid: string
  readonly name: string
  /** Bytes of the whole archive. */
  readonly size: number
  /** Bytes that have arrived. */
  readonly received: number
  /** Parts that have arrived: the next one has the number after it. */
  readonly parts: number
  readonly isComplete: boolean
  readonly createdAt: number
}

/** Who uploads, and to which organization: nobody else may use the upload. Both are logins. */
export interface UploadOwner {
  readonly owner: string
  readonly organization: string
}

/**
 * The result for a part: `taken`, also if the same bytes had been taken before; `other` if other bytes were; `early` if an
 * earlier part is missing; `short` for a part that is smaller than parts are, and not the last; `long` for one beyond the end
 * of the archive.
 */
export type PartVerdict = 'taken' | 'other' | 'early' | 'short' | 'long'

/** Archives that were uploaded to be imported, whole or in parts. */
export interface Uploads {
  /** Stores a whole archive. Throws `output-full`, and what `bytes` throws. */
  store(of: UploadOwner, name: string, bytes: AsyncIterable<Uint8Array>): Promise<Upload>
  /** Begins an upload in parts. Undefined if the account has `MOST_UPLOADS` that are not complete. */
  begin(of: UploadOwner, name: string, size: number): Upload | undefined
  /** An upload, for whom it belongs to. */
  find(guid: string, of: UploadOwner): Upload | undefined
  /** Takes a part. Throws `output-full`, and what `bytes` throws; then the part can be sent again. */
  take(upload: Upload, number: number, bytes: AsyncIterable<Uint8Array>): Promise<PartVerdict>
  /** Completes an upload; false while bytes are missing. */
  finish(guid: string): boolean
  /** The files of a complete upload, in their order. Together they are the archive. */
  filesOf(guid: string): string[]
  /** Whether the disk has room for so many bytes more, besides what uploads have announced. */
  hasRoom(bytes: number): boolean
  /** An upload is needed, and is kept from now on for its whole life. */
  touch(guid: string): void
  /** Removes uploads that nobody has used for so long, and files that belong to none. */
  expire(): void
}

/** Uploads of one account that may be under way. */
export const MOST_UPLOADS = 100

const MIB = 2 ** 20
/** Bytes of a part, unless it is the last. */
export const SMALLEST_PART = 5 * MIB
export const LARGEST_PART = 1024 * MIB

/** Milliseconds for which an upload is kept after its last use. */
const KEPT = 7 * 86_400_000
/** Milliseconds after which a file that the state does not name is left over: another server may be about to note it. */
const LEFT_OVER = 3_600_000
/** Bytes that uploads leave free: the state needs some, too. */
export const RESERVE = 64 * MIB

interface Row {
  guid: string
  name: string
  size: number
  received: number
  parts: number
  complete: 0 | 1
  created_at: number
}

interface PartRow {
  file: string
  sha256: string
}

/**
 * The uploads of a state.
 *
 * @param folder where the bytes are; made when it is needed
 * @param clock the server's clock
 * @param freeBytes bytes that the disk of the folder has left
 */
export function createUploads(
  { database, write }: StateDatabase,
  folder: string,
  { clock, freeBytes = freeBytesOf }: { clock: () => Date; freeBytes?: (folder: string) => number },
): Uploads {
  const prepare = <Values extends unknown[], Result>(sql: string) =>
    database.prepare<Values, Result>(sql)
  const insert = prepare<unknown[], unknown>(
    `INSERT INTO uploads (guid, owner, organization, name, size, created_at, used_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  )
  const byGuid = prepare<[string], Row>('SELECT * FROM uploads WHERE guid = ?')
  const ofOwner = prepare<[string, string, string, number], Row>(
    'SELECT * FROM uploads WHERE guid = ? AND owner = ? AND organization = ? AND used_at > ?',
  )
  const underWay = prepare<[string], number>(
    'SELECT count(*) FROM uploads WHERE owner = ? AND NOT complete',
  ).pluck()
  const announced = prepare<[], number>(
    'SELECT coalesce(sum(size - received), 0) FROM uploads WHERE NOT complete',
  ).pluck()
  const partOf = prepare<[string, number], PartRow>(
    'SELECT file, sha256 FROM upload_parts WHERE upload = ? AND number = ?',
  )
  const addPart = prepare<[string, number, string, string], unknown>(
    'INSERT INTO upload_parts (upload, number, file, sha256) VALUES (?, ?, ?, ?)',
  )
  const receive = prepare<[number, number, string, number], unknown>(
    `UPDATE uploads SET received = received + ?, parts = parts + 1, used_at = ?
     WHERE guid = ? AND parts = ?`,
  )
  const complete = prepare<[number, string], unknown>(
    'UPDATE uploads SET complete = 1, used_at = ? WHERE guid = ? AND received = size',
  )
  const files = prepare<[string], string>(
    'SELECT file FROM upload_parts WHERE upload = ? ORDER BY number',
  ).pluck()
  const use = prepare<[number, string], unknown>('UPDATE uploads SET used_at = ? WHERE guid = ?')
  const expired = prepare<[number], string>('SELECT guid FROM uploads WHERE used_at <= ?').pluck()
  const removeParts = prepare<[string], string>(
    'DELETE FROM upload_parts WHERE upload = ? RETURNING file',
  ).pluck()
  const removeUpload = prepare<[string], unknown>('DELETE FROM uploads WHERE guid = ?')
  const isKnown = prepare<[string], number>('SELECT 1 FROM upload_parts WHERE file = ?').pluck()

  const now = () => clock().getTime()
  const pathOf = (file: string) => join(folder, file)
  const add = (guid: string, { owner, organization }: UploadOwner, name: string, size: number) => {
    const time = now()
    insert.run(guid, foldLogin(owner), foldLogin(organization), name, size, time, time)
  }
  /** Notes a part that is on the disk; false if another request has sent this part meanwhile. */
  const note = (guid: string, number: number, { file, size, sha256 }: Written) => {
    if (receive.run(size, now(), guid, number - 1).changes === 0) return false
    addPart.run(guid, number, file, sha256)
    return true
  }

  interface Written {
    readonly file: string
    readonly size: number
    readonly sha256: string
  }

  async function writePart(guid: string, number: number, bytes: AsyncIterable<Uint8Array>) {
    makeOwnFolder(folder, { isInner: true })
    // A name of its own: of two requests with the same part, the first one that is done counts.
    const file = `${guid}.${number}.${randomBytes(4).toString('hex')}`
    const whole = withSha256(bytes)
    await writeFile(pathOf(file), whole.bytes, { mode: 0o600, tidy: false })
    const { bytes: size, sha256 } = whole.sum()
    return { file, size, sha256 }
  }
  const remove = (file: string) => rmSync(pathOf(file), { force: true })

  return {
    async store(of, name, bytes) {
      const guid = randomUUID()
      const written = await writePart(guid, 1, bytes)
      return write(() => {
        add(guid, of, name, written.size)
        note(guid, 1, written)
        complete.run(now(), guid)
        return fromRow(byGuid.get(guid) as Row)
      })
    },
    begin: (of, name, size) =>
      write(() => {
        if ((underWay.get(foldLogin(of.owner)) as number) >= MOST_UPLOADS) return undefined
        const guid = randomUUID()
        add(guid, of, name, size)
        return fromRow(byGuid.get(guid) as Row)
      }),
    find(guid, { owner, organization }) {
      const row = ofOwner.get(guid, foldLogin(owner), foldLogin(organization), now() - KEPT)
      return row && fromRow(row)
    },
    async take({ guid, size, received, parts }, number, bytes) {
      if (number > parts + 1) return 'early'
      const compare = (sha256: string): PartVerdict =>
        partOf.get(guid, number)?.sha256 === sha256 ? 'taken' : 'other'
      if (number <= parts) return compare(await hashOf(bytes))
      const written = await writePart(guid, number, bytes)
      const rest = size - received - written.size
      const fault =
        rest < 0 ? 'long' : rest > 0 && written.size < SMALLEST_PART ? 'short' : undefined
      if (fault) {
        remove(written.file)
        return fault
      }
      if (write(() => note(guid, number, written))) return 'taken'
      remove(written.file)
      return compare(written.sha256)
    },
    finish: (guid) => write(() => complete.run(now(), guid).changes > 0),
    filesOf: (guid) => files.all(guid).map(pathOf),
    hasRoom(bytes) {
      makeOwnFolder(folder, { isInner: true })
      return bytes + (announced.get() as number) + RESERVE <= freeBytes(folder)
    },
    touch: (guid) => void write(() => use.run(now(), guid)),
    expire() {
      for (const guid of expired.all(now() - KEPT)) {
        const gone = write(() => {
          removeUpload.run(guid)
          return removeParts.all(guid)
        })
        for (const file of gone) remove(file)
      }
      for (const file of filesIn(folder)) {
        if (isKnown.get(file) === undefined && isLeftOver(pathOf(file))) remove(file)
      }
    },
  }
}

const fromRow = ({ created_at, complete, ...row }: Row): Upload => ({
  guid: row.guid,
  name: row.name,
  size: row.size,
  received: row.received,
  parts: row.parts,
  isComplete: complete === 1,
  createdAt: created_at,
})

async function hashOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const sum = createHash('sha256')
  for await (const chunk of bytes) sum.update(chunk)
  return sum.digest('hex')
}

const PART_FILE = /^[0-9a-f-]{36}\.\d+\.[0-9a-f]{8}$/

/** The files of parts in a folder, without what killed processes left, which is removed. */
function filesIn(folder: string): string[] {
  if (!statSync(folder, { throwIfNoEntry: false })) return []
  removeStale(folder, { anyName: true })
  return readdirSync(folder).filter((name) => PART_FILE.test(name))
}

/** Whether a file that the state does not name is left over, by the clock of the machine, as the disk has it. */
export const isLeftOver = (path: string): boolean => {
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats !== undefined && stats.mtimeMs < Date.now() - LEFT_OVER
}

/** Bytes that the disk of a folder has left. */
export function freeBytesOf(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}
