import { setImmediate as nextTurn } from 'node:timers/promises'
import { aFlag, aFunction, checkOptions } from '../../base/check-arguments.ts'
import type { Database } from '../../database/open-database.ts'
import { describeReached, walkObjects } from '../history/walk-objects.ts'
import { findRepository } from '../list-repositories.ts'
import { createObjectStore, type ObjectStore, readShallow } from '../objects/object-store.ts'
import type { RandomAccessFile } from '../objects/random-access-file.ts'
import { readPackEntries } from '../objects/read-whole-index.ts'
import {
  ALTERNATES,
  areObjectsStored,
  checkStored,
  checkSupported,
  findPacks,
  gitPath,
  listObjectFiles,
  type ObjectFile,
  readAlternates,
} from '../objects/repository-files.ts'
import { createTally, faultsOf, GIT_FAULTS, type GitFault, type MakeFault } from './faults.ts'
import { createLinkNotes } from './note-links.ts'
import { createObjectTable, type ObjectTable } from './object-table.ts'
import { openObjectFiles } from './open-objects.ts'
import { verifyChecksums } from './verify-checksums.ts'
import { verifyConfig } from './verify-config.ts'
import { verifyLoose } from './verify-loose.ts'
import type { Verification } from './verify-object.ts'
import { verifyIndex, verifyPack } from './verify-pack.ts'
import { namedObjects, verifyRefFiles, verifyRefNames, verifyRefTargets } from './verify-refs.ts'

export { CONTENT_FAULTS, GIT_FAULTS, type GitFault, type GitFaultCode } from './faults.ts'

/** How much to verify. */
export interface VerifyOptions {
  /** Read packs and loose objects, as well as refs and indexes. Without them `content-missing` is not thrown. Default true. */
  contents?: boolean | undefined
  /** Called with the bytes of packs read so far, and the number of objects that are whole. */
  progress?: ((done: { bytes: number; objects: number }) => void) | undefined
}

/**
 * Verifies a repository as `git fsck --full` does: packs and their indexes, every object in them, loose objects, refs, and
 * everything that refs lead to. Memory: 40 bytes per packed object.
 *
 * @param database the database that holds the repository
 * @param name `owner/name`, or `owner/name.wiki`
 * @param options `contents`, `progress`
 * @returns the faults and notes, as they are found
 * @throws `repository-not-found`, `record-ambiguous`, `git-unsupported`, `content-missing` or `option-invalid`
 * @example
 * for await (const { code } of verifyRepository(database, 'ada/kettle')) show(GIT_FAULTS[code])
 */
export async function* verifyRepository(
  database: Database,
  name: string,
  options: VerifyOptions = {},
): AsyncGenerator<GitFault> {
  checkOptions(options, { contents: aFlag, progress: aFunction })
  const { contents = true } = options
  const done = { bytes: 0, objects: 0 }
  const progress: Verification['progress'] = ({ bytes = 0, objects = 0 }) => {
    done.bytes += bytes
    done.objects += objects
    options.progress?.({ ...done })
  }
  const repository = findRepository(database, name)
  if (contents) checkStored(database, repository)
  else checkSupported(database, repository)
  const fault = faultsOf(repository)
  let isSupported = true
  for (const each of verifyConfig(database, repository, fault)) {
    isSupported &&= each.code !== 'git-unsupported'
    yield each
  }
  if (!isSupported) return
  yield* verifyRefFiles(database, repository, fault)
  yield* verifyRefNames(database, repository, fault)
  const borrows = readAlternates(database, repository).length > 0
  if (borrows) {
    const place = { entry: gitPath(repository, ALTERNATES) }
    yield fault('git-alternates', GIT_FAULTS['git-alternates'], place)
  }
  if (!contents && !areObjectsStored(database, repository)) return

  const { packs, unindexed, lost, loose, open } = openObjectFiles(database, repository)
  const table = createObjectTable([loose, ...packs.map(({ stored }) => stored)])
  const hasIndex = new Set(packs.map(({ pack }) => pack.entry))
  const indexed = findPacks(database, gitPath(repository, 'objects/pack/'))
  const readable = indexed.filter(({ pack }) => hasIndex.has(pack.path))
  const objects = createObjectStore(database, repository, {}, { stored: readable, inOrder: true })
  const readers = new Map(readable.map(({ pack }, i) => [pack.path, objects.packs[i]]))
  const verification: Verification = {
    table,
    fault,
    progress,
    links: createLinkNotes(table, objects),
    isIncomplete: false,
    malformed: createTally((count) => (count === '1' ? '1 object' : `${count} objects`)),
  }
  const countRefs = (isLost: (oid: string) => boolean): string => {
    let count = 0
    for (const { oid } of namedObjects(database, repository)) {
      if (table.findOid(oid) === undefined && isLost(oid)) count++
    }
    return count === 1 ? '1 ref' : `${count.toLocaleString('en')} refs`
  }
  for (const { index, has } of lost) {
    const message = `the pack of this index is missing: it held the objects of ${countRefs(has)}`
    yield fault('git-pack-missing', message, { entry: index.entry })
  }
  // Missing objects may be in there.
  let isUncertain = borrows
  for (const { pack, index, why } of unindexed) {
    isUncertain = true
    const place = { entry: (index ?? pack).entry }
    const message = `${why}; the objects of ${countRefs(() => true)} cannot be found`
    yield fault('git-index-damaged', message, place)
    if (!contents) continue
    const { faults } = verifyChecksums(database, pack, undefined, (bytes) => progress({ bytes }))
    if (faults.length > 0) yield fault('git-pack-damaged', faults.join('; '), { entry: pack.entry })
  }
  for (const files of packs) {
    const { pack, index, stored } = files
    const reader = readers.get(pack.entry)
    const entries = readPackEntries(open(index), stored.ids)
    if (typeof entries === 'string' || reader === undefined) continue
    const found = contents
      ? verifyPack(database, files, { entries, reader }, verification)
      : verifyIndex(files, entries, fault)
    for await (const each of found) {
      isUncertain ||= each.code === 'git-index-damaged'
      yield each
    }
  }
  if (contents) yield* verifyLooseObjects(database, repository, open, verification)
  const malformed = verification.malformed.text()
  if (malformed !== undefined) {
    const oid = verification.malformed.oid() ?? null
    yield fault('git-object-malformed', malformed, { entry: gitPath(repository), oid })
  }

  const isLost = (oid: string) => isUncertain || lost.some(({ has }) => has(oid))
  yield* verifyRefTargets(database, repository, { table, fault, isLost })
  if (!isUncertain && (verification.isIncomplete || table.hasWrongTypes())) {
    const atRandom = createObjectStore(database, repository, {}, { stored: readable })
    yield* followLinks(database, repository, { objects: atRandom, table, fault, isLost })
  }
  yield* noteShallow(database, repository, objects, fault)
}

async function* verifyLooseObjects(
  database: Database,
  repository: string,
  open: (file: ObjectFile) => RandomAccessFile,
  verification: Verification,
): AsyncGenerator<GitFault> {
  let number = 0
  for (const file of listObjectFiles(database, repository)) {
    if (file.path.startsWith('objects/pack/')) continue
    yield* verifyLoose(file, open(file), number, verification)
    if (++number % TURN === 0) await nextTurn()
  }
}

// After this many objects, timers and signals get their turn.
const TURN = 1000

/**
 * Follows the links from refs to what is missing or has the wrong type: some object that refs may not lead to names such an
 * object. Damaged objects were reported.
 */
async function* followLinks(
  database: Database,
  repository: string,
  {
    objects,
    table,
    fault,
    isLost,
  }: {
    objects: ObjectStore
    table: ObjectTable
    fault: MakeFault
    isLost: (oid: string) => boolean
  },
): AsyncGenerator<GitFault> {
  const typeOf = (oid: string) => {
    const number = table.findOid(oid)
    return number === undefined ? undefined : table.typeOf(number)
  }
  // Unlike an object store, git fsck misses the empty tree if it is not stored.
  const has = (oid: string) => table.findOid(oid) !== undefined
  const roots = namedObjects(database, repository)
  for await (const { oid, broken, ...reached } of walkObjects(objects, roots, { has, typeOf })) {
    const isRef = reached.type === undefined
    if (broken === 'damaged' || (broken === 'missing' && (isRef || isLost(oid)))) continue
    const what = describeReached(reached)
    yield broken === 'missing'
      ? fault('git-object-missing', `${what} is missing`, { oid })
      : fault('git-object-type', `${what} is a ${typeOf(oid) ?? 'tree'}`, { oid })
  }
}

function* noteShallow(
  database: Database,
  repository: string,
  objects: ObjectStore,
  fault: MakeFault,
): Generator<GitFault> {
  let count = 0
  for (const oid of readShallow(database, repository)) if (objects.has(oid)) count++
  if (count === 0) return
  const what = count === 1 ? '1 commit' : `${count.toLocaleString('en')} commits`
  const place = { entry: gitPath(repository, 'shallow') }
  yield fault(
    'git-shallow',
    `the parents of ${what} are not in the archive, and were not verified`,
    place,
  )
}
