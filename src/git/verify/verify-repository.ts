import { createHash } from 'node:crypto'
import { aFlag, aFunction, checkOptions } from '../../check-arguments.ts'
import type { Database } from '../../database/open-database.ts'
import { ArchiveError } from '../../errors.ts'
import { type BrokenObject, walkObjects } from '../history/walk-objects.ts'
import { findRepository } from '../list-repositories.ts'
import { createObjectStore, streamLooseObject } from '../objects/object-store.ts'
import { readPackEntries } from '../objects/pack-index.ts'
import { createFileReader, type RandomAccessFile } from '../objects/random-access-file.ts'
import {
  ALTERNATES,
  checkStored,
  gitPath,
  listObjectFiles,
  type ObjectFile,
  readAlternates,
} from '../objects/repository-files.ts'
import { readRefs } from '../refs/read-refs.ts'
import { verifyPack } from './verify-pack.ts'

/** The faults that `verifyRepository` finds, by code. */
export const GIT_FAULTS = {
  'pack-damaged': 'a pack does not match its checksum or its index',
  'index-damaged': 'the index of a pack is damaged, so objects cannot be found',
  'pack-lost': 'a pack has no index, or an index has no pack',
  'object-missing': 'a ref or object references an object that does not exist',
  'object-damaged': 'an object cannot be read, or does not match its id',
  'object-type': 'an object has another type than its reference requires',
  'ref-invalid': 'a ref that Git does not accept',
  'ref-unresolved': 'a ref that points to itself through other refs',
  'objects-elsewhere':
    'objects are borrowed from another repository (alternates) that is not in the archive',
} as const satisfies Record<string, string>

/** The code of a fault in Git data. */
export type GitFaultCode = keyof typeof GIT_FAULTS

/** A fault in the Git data of a repository. */
export interface GitFault {
  /** The name of the repository. */
  repository: string
  /** The code of the fault. `GIT_FAULTS` describes each. */
  code: GitFaultCode
  /** The file it is in. */
  entry: string | null
  /** The object it is about. */
  oid: string | null
  /** The description of the fault. */
  message: string
}

/** How much to verify. */
export interface VerifyOptions {
  /** Verify the contents of files as well as commits, trees and tags. Default false. */
  contents?: boolean | undefined
  /** Called with the bytes read of packs and the objects visited. */
  progress?: ((more: { bytes?: number; objects?: number }) => void) | undefined
}

/**
 * Verifies a repository as `git fsck` does: packs, indexes, loose objects, and everything reachable from refs. Memory:
 * 16 bytes per packed object.
 *
 * @param database the database that holds the repository
 * @param name `owner/name`, or `owner/name.wiki`
 * @param options `contents`, `progress`
 * @returns the faults, as they are found
 * @throws `repository-not-found`, `git-unsupported`, `content-missing` or `option-invalid`
 * @example
 * for await (const { code } of verifyRepository(database, 'ada/kettle')) show(GIT_FAULTS[code])
 */
export async function* verifyRepository(
  database: Database,
  name: string,
  options: VerifyOptions = {},
): AsyncGenerator<GitFault> {
  checkOptions(options, { contents: aFlag, progress: aFunction })
  const { contents = false, progress } = options
  const repository = findRepository(database, name)
  checkStored(database, repository)
  const fault = (code: GitFaultCode, message: string, place: Partial<GitFault> = {}): GitFault => ({
    ...{ repository, code, entry: null, oid: null, message },
    ...place,
  })
  yield* refFaults(database, repository, fault)
  yield* fileFaults(database, repository, fault, (bytes) => progress?.({ bytes }))
  try {
    const objects = createObjectStore(database, repository)
    const walk = walkObjects(objects, readRefs(database, repository), {
      blobs: contents,
      done: () => progress?.({ objects: 1 }),
    })
    for await (const broken of walk) yield objectFault(broken, fault)
  } catch (error) {
    // A damaged index was reported above; objects cannot be looked up without it.
    if (!(error instanceof ArchiveError && error.code === 'git-object-damaged')) throw error
    yield fault('object-damaged', `objects could not be looked up: ${error.message}`, {
      entry: error.place.entry ?? null,
    })
  }
}

type MakeFault = (code: GitFaultCode, message: string, place?: Partial<GitFault>) => GitFault

function* refFaults(database: Database, repository: string, fault: MakeFault) {
  const folder = gitPath(repository, '')
  if (readAlternates(database, repository).length > 0) {
    const place = { entry: gitPath(repository, ALTERNATES) }
    yield fault('objects-elsewhere', GIT_FAULTS['objects-elsewhere'], place)
  }
  const broken = database
    .prepare<
      [string, string],
      { code: 'ref-invalid' | 'ref-unresolved'; entry: string; message: string }
    >(
      `SELECT code, entry, message FROM problems WHERE code IN ('ref-invalid', 'ref-unresolved')
         AND entry >= ? AND entry < ? LIMIT 1000`,
    )
    .all(folder, `${folder}\u{10ffff}`)
  for (const { code, entry, message } of broken) yield fault(code, message, { entry })
}

async function* fileFaults(
  database: Database,
  repository: string,
  fault: MakeFault,
  done: (bytes: number) => void,
): AsyncGenerator<GitFault> {
  const openFile = createFileReader(database)
  const packs = new Map<string, { pack?: ObjectFile; index?: ObjectFile }>()
  for (const file of listObjectFiles(database, repository)) {
    const [, name, kind] = /\/pack\/(.+)\.(pack|idx)$/.exec(file.path) ?? []
    if (name !== undefined) {
      packs.set(name, { ...packs.get(name), [kind === 'pack' ? 'pack' : 'index']: file })
    } else {
      const message = await verifyLoose(openFile(asRow(file)), file.path)
      const oid = file.path.slice(-41).replace('/', '')
      if (message) yield fault('object-damaged', message, { entry: file.entry, oid })
    }
  }
  for (const { pack, index } of packs.values()) {
    const lone = pack ?? index
    if (lone && !(pack && index)) {
      yield fault('pack-lost', pack ? 'the pack has no index' : 'the index has no pack', {
        entry: lone.entry,
      })
    }
    const entries = index && readPackEntries(openFile(asRow(index)))
    const known = typeof entries === 'object' ? entries : undefined
    for (const wrong of typeof entries === 'string' ? [entries] : (known?.faults ?? [])) {
      yield fault('index-damaged', wrong, { entry: index?.entry ?? null })
    }
    if (!pack) continue
    const { faults, trailer } = verifyPack(database, pack, known, done)
    for (const wrong of faults) yield fault('pack-damaged', wrong, { entry: pack.entry })
    if (known && trailer !== '' && known.pack !== trailer) {
      yield fault('index-damaged', 'the index belongs to another pack', {
        entry: index?.entry ?? null,
      })
    }
  }
}

const asRow = ({ id, entry, size }: ObjectFile) => ({ id, path: entry, size, stored: 1 })

function objectFault({ oid, type, from, broken, cause }: BrokenObject, fault: MakeFault): GitFault {
  const what = `the ${type ?? 'object'} that ${from} references`
  if (broken === 'missing') return fault('object-missing', `${what} is missing`, { oid })
  if (broken === 'type') return fault('object-type', `${what} has another type`, { oid })
  const { message, place } = cause instanceof ArchiveError ? cause : { message: '', place: {} }
  return fault('object-damaged', `${what}: ${message}`, { oid, entry: place.entry ?? null })
}

// Servers accept no larger objects.
const LARGEST = 512 * 2 ** 20

/** Verifies a loose object against its path in the repository; returns a message if it is faulty. */
async function verifyLoose(file: RandomAccessFile, path: string): Promise<string | undefined> {
  try {
    const { type, size, content } = streamLooseObject(file, (size) => {
      if (size <= LARGEST) return
      throw new ArchiveError('git-too-large', `it has ${size} bytes, too many to verify`)
    })
    const hash = createHash('sha1').update(`${type} ${size}\0`)
    for await (const piece of content) hash.update(piece)
    const oid = hash.digest('hex')
    return path === `objects/${oid.slice(0, 2)}/${oid.slice(2)}`
      ? undefined
      : `it is the object ${oid}`
  } catch (error) {
    if (error instanceof ArchiveError && error.code.startsWith('git-')) return error.message
    throw error
  }
}
