import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { readFile } from '../../database/contents/read-file.ts'
import type { Database } from '../../database/open-database.ts'
import type { PackEntries } from '../objects/pack-index.ts'

const PACK = 0x5041434b
const HEADER = 12
const TRAILER = 20

interface PackFile {
  id: number
  size: number
}

/** The result of verifying a pack. */
interface VerifiedPack {
  /** The checksum at its end. */
  trailer: string
  faults: string[]
}

/**
 * Reads a pack once, chunk by chunk, and verifies its checksum, and the offset and CRC-32 of each object as in its index.
 * `done` is called with the bytes read.
 */
export function verifyPack(
  database: Database,
  pack: PackFile,
  entries: PackEntries | undefined,
  done: (bytes: number) => void = () => {},
): VerifiedPack {
  const faults: string[] = []
  const bodyEnd = pack.size - TRAILER
  const hash = createHash('sha1')
  const objects = entries && createEntryChecksums(entries, bodyEnd)
  const header = Buffer.alloc(HEADER)
  const trailer = Buffer.alloc(TRAILER)
  let at = 0
  for (const piece of readFile(database, pack.id)) {
    if (at < HEADER) piece.copy(header, at)
    const body = piece.subarray(0, Math.max(0, bodyEnd - at))
    hash.update(body)
    objects?.see(at, body)
    if (at + piece.length > bodyEnd) {
      piece.copy(trailer, Math.max(0, at - bodyEnd), Math.max(0, bodyEnd - at))
    }
    at += piece.length
    done(piece.length)
  }
  if (at < HEADER + TRAILER || header.readUInt32BE(0) !== PACK) {
    return { trailer: '', faults: ['this is not a pack'] }
  }
  const version = header.readUInt32BE(4)
  if (version !== 2 && version !== 3) faults.push(`its version is ${version}, not 2 or 3`)
  if (!hash.digest().equals(trailer)) faults.push('its checksum does not match')
  const count = header.readUInt32BE(8)
  if (entries && count !== entries.count) {
    faults.push(`it has ${count} objects, its index ${entries.count}`)
  }
  return { trailer: trailer.toString('hex'), faults: [...faults, ...(objects?.end() ?? [])] }
}

const MOST_FAULTS = 10

/** Computes the CRC-32 of each object as its bytes pass. */
function createEntryChecksums({ count, offsets, sums, order }: PackEntries, bodyEnd: number) {
  const faults: string[] = []
  let wrong = 0
  let rank = 0
  let sum = 0
  const fault = (message: string) => {
    if (++wrong <= MOST_FAULTS) faults.push(message)
  }
  const startOf = (place: number) => offsets[order[place] as number] as number
  if (count > 0 && startOf(0) !== HEADER) {
    fault(`its first object is at byte ${HEADER}, its index says ${startOf(0)}`)
  }
  const endOf = (place: number) => (place + 1 < count ? startOf(place + 1) : bodyEnd)
  return {
    see(at: number, bytes: Buffer) {
      const end = at + bytes.length
      while (rank < count) {
        const from = Math.max(startOf(rank), at)
        const to = Math.min(endOf(rank), end)
        if (sums && from < to) sum = crc32(bytes.subarray(from - at, to - at), sum)
        if (endOf(rank) > end) return
        if (sums && sum !== sums[order[rank] as number]) {
          fault(`the object at byte ${startOf(rank)} does not match the checksum in the index`)
        }
        sum = 0
        rank++
      }
    },
    end() {
      if (rank < count) fault(`it ends before ${count - rank} of the objects in its index`)
      if (wrong > MOST_FAULTS) faults.push(`${wrong - MOST_FAULTS} more objects have faults`)
      return faults
    },
  }
}
