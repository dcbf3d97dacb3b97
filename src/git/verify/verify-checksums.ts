import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { readFile } from '../../database/contents/read-file.ts'
import type { Database } from '../../database/open-database.ts'
import type { PackEntries } from '../objects/read-whole-index.ts'

const PACK = 0x5041434b
const HEADER = 12
const TRAILER = 20

interface PackFile {
  id: number
  size: number
}

/** Facts about a pack from its bytes. */
interface PackChecksums {
  /** The checksum at its end; empty if this is no pack. */
  trailer: string
  faults: string[]
  /** Claims of its index that the pack does not confirm. */
  indexFaults: string[]
  /** 1 for each object whose CRC-32 is not that of the index, in the order of the pack. */
  wrongSums: Uint8Array
}

/**
 * Reads a pack once, chunk by chunk, and verifies its header, its checksum, and the CRC-32 of each object as in its index.
 * `done` is called with the bytes read.
 */
export function verifyChecksums(
  database: Database,
  pack: PackFile,
  entries: PackEntries | undefined,
  done: (bytes: number) => void,
): PackChecksums {
  const faults: string[] = []
  const indexFaults: string[] = []
  const bodyEnd = pack.size - TRAILER
  const hash = createHash('sha1')
  const sums = entries && compareSums(entries, bodyEnd)
  const header = Buffer.alloc(HEADER)
  const trailer = Buffer.alloc(TRAILER)
  let at = 0
  for (const piece of readFile(database, pack.id)) {
    if (at < HEADER) piece.copy(header, at)
    const body = piece.subarray(0, Math.max(0, bodyEnd - at))
    hash.update(body)
    sums?.see(at, body)
    if (at + piece.length > bodyEnd) {
      piece.copy(trailer, Math.max(0, at - bodyEnd), Math.max(0, bodyEnd - at))
    }
    at += piece.length
    done(piece.length)
  }
  const wrongSums = sums?.wrong ?? new Uint8Array(0)
  if (at < HEADER + TRAILER || header.readUInt32BE(0) !== PACK) {
    return { trailer: '', faults: ['this is not a pack'], indexFaults, wrongSums }
  }
  const version = header.readUInt32BE(4)
  if (version !== 2 && version !== 3) faults.push(`its version is ${version}, not 2 or 3`)
  if (!hash.digest().equals(trailer)) faults.push('its checksum does not match')
  const count = header.readUInt32BE(8)
  if (entries && count !== entries.count) {
    faults.push(`it has ${count} objects, its index ${entries.count}`)
  }
  const first = entries && entries.count > 0 ? offsetOf(entries, 0) : HEADER
  if (first !== HEADER) {
    indexFaults.push(`the first object is at byte ${HEADER}, the index says ${first}`)
  }
  if (entries && entries.pack !== trailer.toString('hex')) {
    indexFaults.push('the index belongs to another pack')
  }
  return { trailer: trailer.toString('hex'), faults, indexFaults, wrongSums }
}

/** The offset of the object of this rank in the order of the pack. */
export const offsetOf = ({ offsets, order }: PackEntries, rank: number): number =>
  offsets[order[rank] as number] as number

/** Compares the CRC-32 of each object with that of the index as its bytes pass. */
function compareSums(entries: PackEntries, bodyEnd: number) {
  const { count, sums, order } = entries
  const wrong = new Uint8Array(count)
  if (sums === undefined) return { see() {}, wrong }
  let rank = 0
  let sum = 0
  const endOf = (rank: number) => (rank + 1 < count ? offsetOf(entries, rank + 1) : bodyEnd)
  return {
    wrong,
    see(at: number, bytes: Buffer) {
      const end = at + bytes.length
      while (rank < count) {
        const from = Math.max(offsetOf(entries, rank), at)
        const to = Math.min(endOf(rank), end)
        if (from < to) sum = crc32(bytes.subarray(from - at, to - at), sum)
        if (endOf(rank) > end) return
        if (sum !== sums[order[rank] as number]) wrong[rank] = 1
        sum = 0
        rank++
      }
    },
  }
}
