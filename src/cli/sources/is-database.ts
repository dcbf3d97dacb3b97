import { open, stat } from 'node:fs/promises'

const MAGIC = 'SQLite format 3\0'

/** Whether a file that begins so is a SQLite file. */
export const isDatabaseHead = (head: Buffer): boolean => head.toString('latin1') === MAGIC

/** Bytes to look at for `isDatabaseHead`. */
export const HEAD_SIZE = MAGIC.length

/** Whether a path is a SQLite file. What cannot be read is none: whoever reads it then says why. */
export async function isDatabase(path: string): Promise<boolean> {
  // To look into a pipe would take from it.
  const stats = await stat(path).catch(() => undefined)
  if (!stats?.isFile()) return false
  const file = await open(path).catch(() => undefined)
  if (!file) return false
  try {
    const { buffer } = await file.read(Buffer.alloc(MAGIC.length), 0, MAGIC.length, 0)
    return isDatabaseHead(buffer)
  } catch {
    return false
  } finally {
    await file.close()
  }
}
