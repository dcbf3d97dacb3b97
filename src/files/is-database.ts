import { open, stat } from 'node:fs/promises'

const MAGIC = 'SQLite format 3\0'

/** Whether a file with these first bytes is a SQLite file. */
export const isDatabaseHead = (head: Buffer): boolean => head.toString('latin1') === MAGIC

/** Number of bytes that `isDatabaseHead` needs. */
export const HEAD_SIZE = MAGIC.length

/** Whether a path is a SQLite file; false if it cannot be read, which the next reader reports. */
export async function isDatabase(path: string): Promise<boolean> {
  // Reading from a pipe would consume it.
  const stats = await stat(path).catch(() => undefined)
  if (!stats?.isFile()) return false
  const file = await open(path).catch(() => undefined)
  if (!file) return false
  try {
    const head = await file.read(Buffer.alloc(MAGIC.length), 0, MAGIC.length, 0)
    return isDatabaseHead(head.buffer.subarray(0, head.bytesRead))
  } catch {
    return false
  } finally {
    await file.close()
  }
}
