import { closeSync, openSync, readSync, writeSync } from 'node:fs'

/** Fills a page in the last quarter of a database, behind its schema, with bytes that are none of SQLite's. */
export function damagePage(path: string): void {
  const file = openSync(path, 'r+')
  // The format of SQLite's files: the size of a page, and how many there are.
  const header = Buffer.alloc(32)
  readSync(file, header)
  const size = header.readUInt16BE(16)
  const page = Math.floor(header.readUInt32BE(28) * 0.8)
  writeSync(file, Buffer.alloc(size, 0xa5), 0, size, page * size)
  closeSync(file)
}
