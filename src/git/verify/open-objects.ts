import type { Database } from '../../database/open-database.ts'
import { createFileReader, type RandomAccessFile } from '../objects/random-access-file.ts'
import { readIds } from '../objects/read-whole-index.ts'
import { listObjectFiles, type ObjectFile } from '../objects/repository-files.ts'
import { finderOf, type StoredIds } from './object-table.ts'
import { looseOid } from './verify-loose.ts'
import type { IndexedPack } from './verify-pack.ts'

/** A pack without an index that leads to its objects. */
interface UnindexedPack {
  readonly pack: ObjectFile
  readonly index: ObjectFile | undefined
  /** Faults of the index. */
  readonly why: string
}

/** An index without its pack. */
interface LostPack {
  readonly index: ObjectFile
  /** Whether the pack held this object. */
  has(oid: string): boolean
}

/** The files of a repository with objects, and the ids in them. */
interface ObjectFiles {
  readonly packs: readonly IndexedPack[]
  readonly unindexed: readonly UnindexedPack[]
  readonly lost: readonly LostPack[]
  /** The ids of loose objects, by path. */
  readonly loose: StoredIds
  open(file: ObjectFile): RandomAccessFile
}

const ID = 20

/** Reads the names of all objects of a repository: 20 bytes each. */
export function openObjectFiles(database: Database, repository: string): ObjectFiles {
  // Each file is read once, from start to end.
  const openFile = createFileReader(database, 2)
  const open = ({ id, entry, size }: ObjectFile) => openFile({ id, path: entry, size, stored: 1 })
  const files = new Map<string, { pack?: ObjectFile; index?: ObjectFile }>()
  let ids = Buffer.alloc(ID)
  let first = 0
  for (const file of listObjectFiles(database, repository)) {
    const [, name, kind] = /\/pack\/(.+)\.(pack|idx)$/.exec(file.path) ?? []
    if (name === undefined) {
      if (ids.length < ID * (first + 1)) ids = Buffer.concat([ids], 2 * ids.length)
      ids.write(looseOid(file.path), ID * first++, 'hex')
    } else {
      files.set(name, { ...files.get(name), [kind === 'pack' ? 'pack' : 'index']: file })
    }
  }
  const loose = { ids: ids.subarray(0, ID * first), first: 0 }
  const packs: IndexedPack[] = []
  const unindexed: UnindexedPack[] = []
  const lost: LostPack[] = []
  for (const { pack, index } of files.values()) {
    const ids = index ? readIds(open(index)) : 'the pack has no index'
    if (pack && index && typeof ids !== 'string') {
      packs.push({ pack, index, stored: { ids, first } })
      first += ids.length / ID
    } else if (pack) {
      unindexed.push({ pack, index, why: String(ids) })
    } else if (index) {
      const find = finderOf(typeof ids === 'string' ? Buffer.alloc(0) : ids)
      lost.push({ index, has: (oid) => find(Buffer.from(oid, 'hex'), 0) !== undefined })
    }
  }
  return { packs, unindexed, lost, loose, open }
}
