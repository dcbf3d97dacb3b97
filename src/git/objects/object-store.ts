import type { Database } from '../../database/open-database.ts'
import { ArchiveError } from '../../errors.ts'
import {
  type CheckSize,
  checkObject,
  checkStream,
  type GitObject,
  isOid,
  type ObjectType,
  type StreamedObject,
  sizeCheck,
} from './git-object.ts'
import { inflate, inflateHead, inflateInChunks } from './inflate.ts'
import { createOidSet, type NumberedObjects } from './oid-set.ts'
import { createPackReader, type Pack } from './pack.ts'
import { createFileReader, type RandomAccessFile } from './random-access-file.ts'
import { createLooseFiles, findPacks, gitPath, readLines } from './repository-files.ts'

/** The objects of a repository, each read when it is asked for. */
export interface ObjectStore {
  /** Throws `git-object-missing`, `git-object-damaged` or `git-too-large`. */
  read(oid: string): GitObject
  /**
   * The same object, in a few MiB of memory however large it is; what it is made of may go to a temporary file.
   * Throws as `read` does, its content `git-object-damaged`; that never comes whole if it is not what the id says.
   */
  stream(oid: string): StreamedObject
  has(oid: string): boolean
  /** Bytes of an object, by what is said of it and without reading it. Throws as `read` does. */
  sizeOf(oid: string): number
  /** A small number of its own for each object in a pack. */
  placeOf(oid: string): number | undefined
  /** Whether history was cut at a commit, which Git then takes for one without parents. */
  isShallow(oid: string): boolean
  /** Number of objects in packs. */
  readonly packed: number
  /** Ids that begin with these two or more digits: `most` of each pack, or enough to know whether there are several. */
  startingWith(digits: string, most?: number): string[]
}

export interface ObjectLimits {
  /** Bytes of an object to read; 512 MiB by default. Trees have 32 MiB at most, commits and tags 8 MiB. */
  maxObject?: number | undefined
}

const LARGEST_OBJECT = 512 * 2 ** 20
const SEVERAL = 2
// Git takes the tree without entries for there, stored or not.
const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'

/** Opens the objects of a repository, of whose files the database has the contents. */
export function createObjectStore(
  database: Database,
  repository: string,
  { maxObject = LARGEST_OBJECT }: ObjectLimits = {},
): ObjectStore {
  const openFile = createFileReader(database)
  const inGit = (path: string) => gitPath(repository, path)
  const place = { entry: inGit('objects') }
  const checkSize = sizeCheck(maxObject, place)

  const packs = findPacks(database, inGit('objects/pack/')).map(({ pack, index }) =>
    createPackReader(openFile(pack), openFile(index), {
      find: (oid, most) => find(oid, most),
      checkSize,
    }),
  )
  const looseFiles = createLooseFiles(database, repository)

  /** What the first place that has an object tells of it: a pack, or a file of its own. */
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

  const find = (oid: string, most?: number): Omit<GitObject, 'oid'> | undefined =>
    lookUp(
      oid,
      (pack) => pack.find(oid, most),
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
    isShallow: createShallowCheck(database, repository, { has, placeOf }),
    packed: packs.reduce((sum, { count }) => sum + count, 0),
    startingWith: (digits, most = SEVERAL) => [
      ...new Set([...packs, looseFiles].flatMap((place) => place.startingWith(digits, most))),
    ],
  }
}

const streamOf = ({ oid, type, content }: GitObject): StreamedObject => ({
  ...{ oid, type, size: content.length, content: [content] },
})

const NOTHING = Buffer.alloc(0)

// `commit 234` and a zero.
const HEAD = /^(commit|tree|blob|tag) (\d{1,15})\0/
const LONGEST_HEAD = 32

/** Unpacks an object that is a file of its own. `check` refuses a size. Throws `git-object-damaged`. */
function readLooseObject(file: RandomAccessFile, check: CheckSize): Omit<GitObject, 'oid'> {
  const { type, size, start } = readLooseHead(file)
  check(size, type)
  return { type, content: inflate(file, 0, start + size).subarray(start) }
}

/** The same, large content piece by piece: what is wrong with that is thrown by it. */
export function streamLooseObject(
  file: RandomAccessFile,
  check: CheckSize,
): Omit<StreamedObject, 'oid'> {
  const { type, size, start } = readLooseHead(file)
  check(size, type)
  return { type, size, content: inflateInChunks(file, 0, start + size, start) }
}

/** What the head of such a file says, and where in the unpacked file the content begins. */
function readLooseHead(file: RandomAccessFile): { type: ObjectType; size: number; start: number } {
  const [head, type, digits] =
    HEAD.exec(inflateHead(file, 0, LONGEST_HEAD).toString('latin1')) ?? []
  if (head === undefined) {
    throw new ArchiveError('git-object-damaged', 'this is no object of Git', { entry: file.path })
  }
  return { type: type as ObjectType, size: Number(digits), start: head.length }
}

/** An object that leads to others, or a file without its content, which may be large and leads nowhere. */
export type TraversedObject =
  | (GitObject & { readonly type: 'commit' | 'tag' | 'tree' })
  | { readonly oid: string; readonly type: 'blob' }

/** Reads an object of any type for what it leads to. Throws as `Objects.read` does. */
export function readForTraversal(objects: ObjectStore, oid: string): TraversedObject {
  const { type, content } = objects.stream(oid)
  if (type === 'blob') return { oid, type }
  const whole = Symbol.asyncIterator in content ? objects.read(oid).content : content[0]
  return { oid, type, content: whole }
}

/** The commits at which history was cut, by the file `shallow`: Git takes them for commits without parents. */
export function* readShallow(database: Database, repository: string): Generator<string> {
  for (const line of readLines(database, repository, 'shallow')) if (isOid(line)) yield line
}

/** Whether history was cut at a commit. Takes a bit for each object, however long the file is. */
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
