import { ArchiveError } from '../../base/errors.ts'
import type { Database } from '../../database/open-database.ts'
import {
  type CheckSize,
  checkObject,
  checkStream,
  type GitObject,
  isOid,
  type ObjectType,
  type StreamedObject,
  sizeCheck,
} from '../parse/git-object.ts'
import { inflate, inflateHead, inflateInChunks } from './inflate.ts'
import { createObjectCache } from './object-cache.ts'
import { createOidSet, type NumberedObjects } from './oid-set.ts'
import { createPackReader, type Pack, type Unpacked } from './pack.ts'
import { createFileReader, type RandomAccessFile } from './random-access-file.ts'
import { createLooseFiles, findPacks, gitPath, readLines } from './repository-files.ts'

/** The objects of a repository, read on demand. */
export interface ObjectStore {
  /** Throws `git-object-missing`, `git-object-damaged` or `git-too-large`. */
  read(oid: string): GitObject
  /**
   * Streams an object of any size in a few MiB of memory; delta bases may go to a temporary file. Throws as `read`
   * does; the content throws `git-object-damaged`, and never ends normally if it does not match the id.
   */
  stream(oid: string): StreamedObject
  has(oid: string): boolean
  /** The size of an object in bytes, read from its header. Throws as `read` does. */
  sizeOf(oid: string): number
  /** A small unique number for each packed object. */
  placeOf(oid: string): number | undefined
  /** Whether a commit is shallow: Git treats it as having no parents. */
  isShallow(oid: string): boolean
  /** The packs, in the order in which they are searched. */
  readonly packs: readonly Pack[]
  /** Number of objects in packs. */
  readonly packed: number
  /** Ids with this prefix of two or more digits: up to `limit` of each pack (default 2). */
  startingWith(digits: string, limit?: number): string[]
}

/** How large an object may be that is read into memory. */
export interface ObjectLimits {
  /** Largest object to read in bytes. Default 512 MiB; at most 32 MiB for trees, 8 MiB for commits and tags. */
  maxObject?: number | undefined
}

const LARGEST_OBJECT = 512 * 2 ** 20
const SEVERAL = 2
// Git knows the empty tree even if it is not stored.
const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'

/** How to read packs. */
interface PackReading {
  /** The packs to read. Default: all with an index. */
  stored?: ReturnType<typeof findPacks>
  /** They are read once, each from start to end: less is kept in memory. */
  inOrder?: boolean
}

// Deltas are stored near their bases.
const HELD_IN_ORDER = { chunks: 8, objects: 16 * 2 ** 20 }

/** Creates a reader of the objects of a stored repository, packed and loose. */
export function createObjectStore(
  database: Database,
  repository: string,
  { maxObject = LARGEST_OBJECT }: ObjectLimits = {},
  { stored = findPacks(database, gitPath(repository, 'objects/pack/')), inOrder }: PackReading = {},
): ObjectStore {
  const held = inOrder ? HELD_IN_ORDER : undefined
  const openFile = createFileReader(database, held?.chunks)
  const inGit = (path: string) => gitPath(repository, path)
  const place = { entry: inGit('objects') }
  const checkSize = sizeCheck(maxObject, place)

  const cache = createObjectCache<number, Unpacked>(held?.objects)
  let origin = 0
  const packs = stored.map(({ pack, index }) => {
    const reader = createPackReader(openFile(pack), openFile(index), {
      find: (oid, most) => find(oid, most),
      checkSize,
      cache,
      origin,
    })
    origin += pack.size
    return reader
  })
  const looseFiles = createLooseFiles(database, repository)

  /** Looks an object up in the packs, then among the loose objects. */
  function lookUp<T>(
    oid: string,
    inPack: (pack: Pack) => T | undefined,
    inFile: (file: RandomAccessFile) => T,
  ): T | undefined {
    for (const pack of packs) {
      const found = inPack(pack)
      if (found !== undefined) return found
    }
    const loose = looseFiles.find(oid)
    return loose && inFile(openFile(loose))
  }

  const find = (oid: string, limit?: number): Omit<GitObject, 'oid'> | undefined =>
    lookUp(
      oid,
      (pack) => pack.find(oid, limit),
      (file) => readLooseObject(file, checkSize),
    )

  function read(oid: string): GitObject {
    const found = oid === EMPTY_TREE ? { type: 'tree' as const, content: NOTHING } : find(oid)
    if (found === undefined) throw missing(oid)
    return checkObject({ oid, ...found }, place)
  }

  function placeOf(oid: string): number | undefined {
    let before = 0
    for (const pack of packs) {
      const place = pack.placeOf(oid)
      if (place !== undefined) return before + place
      before += pack.count
    }
    return undefined
  }

  const missing = (oid: string) =>
    new ArchiveError('git-object-missing', `there is no object ${oid}`, place)
  const has = (oid: string) =>
    oid === EMPTY_TREE || placeOf(oid) !== undefined || looseFiles.find(oid) !== undefined

  return {
    read,
    stream(oid) {
      const found = lookUp(
        oid,
        (pack) => pack.stream(oid),
        (file) => streamLooseObject(file, checkSize),
      )
      return found ? checkStream({ oid, ...found }, place) : streamOf(read(oid))
    },
    has,
    sizeOf(oid) {
      const size = lookUp(
        oid,
        (pack) => pack.sizeOf(oid),
        (file) => readLooseHead(file).size,
      )
      if (size !== undefined) return size
      if (oid === EMPTY_TREE) return 0
      throw missing(oid)
    },
    placeOf,
    packs,
    isShallow: createShallowCheck(database, repository, { has, placeOf }),
    packed: packs.reduce((sum, { count }) => sum + count, 0),
    startingWith: (digits, limit = SEVERAL) => [
      ...new Set([...packs, looseFiles].flatMap((place) => place.startingWith(digits, limit))),
    ],
  }
}

const streamOf = ({ oid, type, content }: GitObject): StreamedObject => ({
  oid,
  type,
  size: content.length,
  content: [content],
})

const NOTHING = Buffer.alloc(0)

// Such as `commit 234` and a zero.
const HEAD = /^(commit|tree|blob|tag) (\d{1,15})\0/
const LONGEST_HEAD = 32

/** Reads a loose object. `check` may reject its size. Throws `git-object-damaged`. */
function readLooseObject(file: RandomAccessFile, check: CheckSize): Omit<GitObject, 'oid'> {
  const { type, size, start } = readLooseHead(file)
  check(size, type)
  return { type, content: inflate(file, 0, start + size).subarray(start) }
}

/** Streams a loose object. Damage in its content is thrown by the stream. */
export function streamLooseObject(
  file: RandomAccessFile,
  check: CheckSize,
): Omit<StreamedObject, 'oid'> {
  const { type, size, start } = readLooseHead(file)
  check(size, type)
  return { type, size, content: inflateInChunks(file, 0, start + size, start) }
}

/** Reads the header of a loose object: type, size and the offset of the content. */
function readLooseHead(file: RandomAccessFile): { type: ObjectType; size: number; start: number } {
  const [head, type, digits] =
    HEAD.exec(inflateHead(file, 0, LONGEST_HEAD).toString('latin1')) ?? []
  if (head === undefined) {
    throw new ArchiveError('git-object-damaged', 'not a Git object', { entry: file.path })
  }
  return { type: type as ObjectType, size: Number(digits), start: head.length }
}

/** An object with its references, or a blob, whose content is not read. */
export type TraversedObject =
  | (GitObject & { readonly type: 'commit' | 'tag' | 'tree' })
  | { readonly oid: string; readonly type: 'blob' }

/** Reads an object to follow its references. Throws as `ObjectStore.read` does. */
export function readForTraversal(objects: ObjectStore, oid: string): TraversedObject {
  const { type, content } = objects.stream(oid)
  if (type === 'blob') return { oid, type }
  const whole = Symbol.asyncIterator in content ? objects.read(oid).content : content[0]
  return { oid, type, content: whole }
}

/** The commits in the file `shallow`, which Git treats as having no parents. */
export function* readShallow(database: Database, repository: string): Generator<string> {
  for (const line of readLines(database, repository, 'shallow')) if (isOid(line)) yield line
}

/** Creates a test whether a commit is shallow. Memory: one bit per object. */
function createShallowCheck(
  database: Database,
  repository: string,
  objects: NumberedObjects & { has(oid: string): boolean },
): (oid: string) => boolean {
  let shallow: ReturnType<typeof createOidSet> | undefined
  for (const oid of readShallow(database, repository)) {
    if (!objects.has(oid)) continue
    shallow ??= createOidSet(objects)
    shallow.add(oid)
  }
  return (oid) => shallow?.has(oid) ?? false
}
