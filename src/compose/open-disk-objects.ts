import { closeSync, existsSync, openSync, readdirSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { concat } from '../base/streams.ts'
import { type PackIndex, readPackIndex } from '../git/objects/pack-index.ts'
import type { RandomAccessFile } from '../git/objects/random-access-file.ts'
import { isBroken } from '../git/parse/git-object.ts'

const BLOCK = 64 * 1024
/** Blocks of indexes held in memory. */
const KEPT = 512

/**
 * Whether a bare repository on disk has an object, loose or in the index of a pack. Looks twice before it says no, because
 * a server may just have packed it.
 */
export function openDiskObjects(directory: string): (oid: string) => boolean {
  const folder = join(directory, 'objects/pack')
  const openFile = openDiskFiles()
  const known = new Set<string>()
  // The pack that had the last object comes first, because it probably has the next one.
  let packs: PackIndex[] = []
  // An unreadable index may have any object, so the answer is yes.
  let hasUnknown = false
  const openNew = () => {
    const names = new Set(readdirSync(folder))
    for (const name of names) {
      const isIndex = name.endsWith('.idx') && names.has(name.replace(/idx$/, 'pack'))
      if (!isIndex || known.has(name)) continue
      known.add(name)
      try {
        packs.push(readPackIndex(openFile(join(folder, name))))
      } catch (error) {
        if (isBroken(error)) hasUnknown = true
        else if (!isGone(error)) throw error
      }
    }
  }
  const isIn = (pack: PackIndex, oid: string): boolean => {
    try {
      return pack.placeOf(oid) !== undefined
    } catch (error) {
      if (isGone(error)) return false // its objects are in another pack now
      throw error
    }
  }
  const isPacked = (oid: string): boolean => {
    const found = packs.find((pack) => isIn(pack, oid))
    if (found && found !== packs[0]) packs = [found, ...packs.filter((pack) => pack !== found)]
    return found !== undefined
  }
  const isLoose = (oid: string) =>
    existsSync(join(directory, 'objects', oid.slice(0, 2), oid.slice(2)))
  openNew()
  return (oid) => {
    if (isPacked(oid) || isLoose(oid)) return true
    openNew()
    return isPacked(oid) || hasUnknown
  }
}

const isGone = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT'

/** Files for random access that are open only while they are read. */
function openDiskFiles(): (path: string) => RandomAccessFile {
  const kept = new Map<string, Buffer>()
  const blockAt = (path: string, number: number): Buffer => {
    const key = `${number} ${path}`
    const block = kept.get(key) ?? readAt(path, number * BLOCK)
    // A Map keeps the order of insertion: the first is the least recently used.
    kept.delete(key)
    kept.set(key, block)
    if (kept.size > KEPT) kept.delete(kept.keys().next().value as string)
    return block
  }
  return (path) => ({
    path,
    size: statSync(path).size,
    read(at, length) {
      const first = Math.floor(at / BLOCK)
      const last = Math.floor((at + length - 1) / BLOCK)
      const blocks = Array.from({ length: last - first + 1 }, (_, i) => blockAt(path, first + i))
      return concat(blocks).subarray(at - first * BLOCK, at - first * BLOCK + length)
    },
  })
}

function readAt(path: string, at: number): Buffer {
  const file = openSync(path, 'r')
  try {
    const block = Buffer.allocUnsafe(BLOCK)
    return block.subarray(0, readSync(file, block, 0, BLOCK, at))
  } finally {
    closeSync(file)
  }
}
