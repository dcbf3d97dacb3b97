import { open, stat } from 'node:fs/promises'

const MAGIC = 'SQLite format 3\0'

/** Whether a path is a SQLite file. What cannot be read is none: whoever reads it then says why. */
export async function isDatabase(path: string): Promise<boolean> {
  // To look into a pipe would take from it.
  const stats = await stat(path).catch(() => undefined)
  if (!stats?.isFile()) return false
  const file = await open(path).catch(() => undefined)
  if (!file) return false
  try {
    const { buffer } = await file.read(Buffer.alloc(MAGIC.length), 0, MAGIC.length, 0)
    return buffer.toString('latin1') === MAGIC
  } catch {
    return false
  } finally {
    await file.close()
  }
}
