import type { Database } from '../database/open-database.ts'
import { ArchiveError } from '../errors.ts'
import { type GitObject, idOf } from './git-object.ts'
import { gitPath } from './git-path.ts'
import { openLooseFiles } from './open-loose-files.ts'
import { openPack } from './open-pack.ts'
import { readLooseHead, readLooseObject } from './read-loose-object.ts'
import { type FileRow, openStoredFiles } from './stored-file.ts'

/** The objects of a repository, each read when it is asked for. */
export interface Objects {
  /** Throws `git-object-missing`, `git-object-damaged` or `git-too-large`. */
  read(oid: string): GitObject
  has(oid: string): boolean
  /** Bytes of an object, by what is said of it and without reading it. Throws as `read` does. */
  sizeOf(oid: string): number
  /** A small number of its own for each object in a pack. */
  placeOf(oid: string): number | undefined
  /** Number of objects in packs. */
  readonly packed: number
  /** Some ids that begin with these two or more digits: enough to know whether there are several. */
  startingWith(digits: string): string[]
}

export interface ObjectLimits {
  /** Bytes of an object, all of which are held in memory; 512 MiB by default. */
  maxObject?: number | undefined
}

const LARGEST_OBJECT = 512 * 2 ** 20
const MOST_MATCHES = 2
// Git takes the tree without entries for there, stored or not.
const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'

/** Opens the objects of a repository, of whose files the database has the contents. */
export function openObjects(
  database: Database,
  repository: string,
  { maxObject = LARGEST_OBJECT }: ObjectLimits = {},
): Objects {
  const openFile = openStoredFiles(database)
  const inGit = (path: string) => gitPath(repository, path)
  const place = { entry: inGit('objects') }
  const checkSize = (size: number) => {
    if (size <= maxObject) return
    const message = `an object has ${size} bytes, of ${maxObject} that are held in memory`
    throw new ArchiveError('git-too-large', message, place)
  }

  const packs = packFiles(database, inGit('objects/pack/')).map(({ pack, index }) =>
    openPack(openFile(pack), openFile(index), { find: (oid) => find(oid), checkSize }),
  )
  const looseFiles = openLooseFiles(database, repository)

  function find(oid: string): Omit<GitObject, 'oid'> | undefined {
    for (const pack of packs) {
      const found = pack.find(oid)
      if (found) return found
    }
    const loose = looseFiles.find(oid)
    return loose && readLooseObject(openFile(loose), checkSize)
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

  return {
    read(oid) {
      const found = oid === EMPTY_TREE ? { type: 'tree' as const, content: NOTHING } : find(oid)
      if (found === undefined) throw missing(oid)
      // Git's own data may name what they do not hold: what is shown is what its id says.
      if (idOf(found.type, found.content) === oid) return { oid, ...found }
      const message = `what is stored as ${oid} is another object`
      throw new ArchiveError('git-object-damaged', message, place)
    },
    has: (oid) =>
      oid === EMPTY_TREE || placeOf(oid) !== undefined || looseFiles.find(oid) !== undefined,
    sizeOf(oid) {
      for (const pack of packs) {
        const size = pack.sizeOf(oid)
        if (size !== undefined) return size
      }
      const loose = looseFiles.find(oid)
      if (loose) return readLooseHead(openFile(loose)).size
      if (oid === EMPTY_TREE) return 0
      throw missing(oid)
    },
    placeOf,
    packed: packs.reduce((sum, { count }) => sum + count, 0),
    startingWith: (digits) => [
      ...new Set(
        [...packs, looseFiles].flatMap((place) => place.startingWith(digits, MOST_MATCHES)),
      ),
    ],
  }
}

const NOTHING = Buffer.alloc(0)

/** The packs that have an index, the largest first, where most objects are. */
function packFiles(database: Database, folder: string): { pack: FileRow; index: FileRow }[] {
  const rows = database
    .prepare<[string, string], FileRow>(
      `SELECT max(id) AS id, path, size, stored FROM files
       WHERE path >= ? AND path < ? GROUP BY path`,
    )
    .all(folder, `${folder}\u{10ffff}`)
  const byPath = new Map(rows.map((row) => [row.path, row]))
  return rows
    .filter(({ path }) => path.endsWith('.pack'))
    .toSorted((a, b) => b.size - a.size)
    .flatMap((pack) => {
      const index = byPath.get(pack.path.replace(/pack$/, 'idx'))
      return index ? [{ pack, index }] : []
    })
}
