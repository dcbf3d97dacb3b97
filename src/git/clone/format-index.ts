import { createHash } from 'node:crypto'

/** A file that Git is to know as checked out. */
export interface IndexEntry {
  /** Path, a byte a character. */
  pathBytes: string
  mode: string
  oid: string
}

const FIXED = 62
const LONGEST_COUNTED = 0xfff

/**
 * The file `index` of a work tree (version 2). It says nothing of sizes and times, so that Git looks into each
 * file once.
 */
export function formatIndex(entries: readonly IndexEntry[]): Buffer {
  const head = Buffer.from('DIRC\0\0\0\x02\0\0\0\0', 'latin1')
  head.writeUInt32BE(entries.length, 8)
  const sorted = entries.toSorted((a, b) => (a.pathBytes < b.pathBytes ? -1 : 1))
  const body = Buffer.concat([head, ...sorted.map(formatEntry)])
  return Buffer.concat([body, createHash('sha1').update(body).digest()])
}

function formatEntry({ pathBytes, mode, oid }: IndexEntry): Buffer {
  const path = Buffer.from(pathBytes, 'latin1')
  // At least one zero at the end, and a length that eight divides.
  const entry = Buffer.alloc(Math.floor((FIXED + path.length + 8) / 8) * 8)
  entry.writeUInt32BE(Number.parseInt(mode, 8), 24)
  entry.write(oid, 40, 'hex')
  entry.writeUInt16BE(Math.min(path.length, LONGEST_COUNTED), 60)
  path.copy(entry, FIXED)
  return entry
}
