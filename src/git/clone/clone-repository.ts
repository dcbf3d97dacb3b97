import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  aCount,
  aFlag,
  aFunction,
  anOpenDatabase,
  aPath,
  aSignal,
  aText,
  checkArguments,
  checkOptions,
  type Shapes,
} from '../../base/check-arguments.ts'
import { ArchiveError, orInterrupted, throwIfInterrupted } from '../../base/errors.ts'
import type { Database } from '../../database/open-database.ts'
import { walkObjects } from '../history/walk-objects.ts'
import { findRepository } from '../list-repositories.ts'
import { createObjectStore, readShallow } from '../objects/object-store.ts'
import {
  checkStored,
  gitPath,
  listObjectFiles,
  type ObjectFile,
  readAlternates,
} from '../objects/repository-files.ts'
import { isBroken } from '../parse/git-object.ts'
import { readRefs } from '../refs/read-refs.ts'
import { writeWorkTree } from './check-out.ts'
import { publishFolder } from './publish-folder.ts'
import { BARE_CONFIG, WORK_TREE_CONFIG, writeRefs, writeShallow } from './write-git-folder.ts'
import { writeObjects } from './write-objects.ts'

const GIB = 2 ** 30

/** How to write a repository. */
export interface CloneOptions {
  /** Replace an existing bare repository. Default false. */
  force?: boolean | undefined
  /** Check out HEAD, with the repository in `.git`. Default false. */
  worktree?: boolean | undefined
  /** The most bytes to write: for objects, and for the files of a work tree. Default 50 GiB. */
  maxExtracted?: number | undefined
  /** Called with the bytes of objects written, and their total. */
  progress?: ((done: { bytes: number; total: number }) => void) | undefined
  /** Stops before the next chunk is written, with `interrupted`. Then nothing is left of the clone. */
  signal?: AbortSignal | undefined
}

const CLONE_SHAPES: Shapes<CloneOptions> = {
  force: aFlag,
  worktree: aFlag,
  maxExtracted: aCount,
  progress: aFunction,
  signal: aSignal,
}

/** The result of `cloneRepository`. */
export interface CloneResult {
  /** The name of the repository as stored. */
  repository: string
  /** The directory as given. */
  directory: string
  /** Number of refs. */
  refs: number
  /** Content of HEAD: `ref: refs/heads/main`, or a commit. */
  head: string
  /** Number of files with objects. */
  files: number
  /** Size of these files in bytes. */
  bytes: number
  /** Messages about what is missing or was left out. */
  notes: string[]
  /** The folder that it borrows objects from, if it names one. The clone does not. */
  borrowsFrom?: string
  /** Number of missing objects, which may make git fail; the first of them, and what references it. */
  missing?: { count: number; oid: string; from: string }
  /** Number of files in the work tree, if there is one. */
  checkedOut?: number
}

/**
 * Writes a repository to disk for use with git, bare unless `worktree` is set. It has the archived objects and refs, but
 * none of the archived configuration or hooks, and appears at `directory` when it is complete.
 *
 * @param database the database that holds the repository
 * @param name `owner/name`, or `owner/name.wiki`
 * @param directory where to write it; must not exist or be empty, unless `force` is set
 * @param options `force`, `worktree`, `maxExtracted`, `progress`, `signal`
 * @returns counts, and notes about what is missing or was left out
 * @throws `repository-not-found`, `record-ambiguous`, `git-unsupported`, `content-missing`, `output-exists`, `output-full`, `output-refused`,
 *   `limit-extracted`, `interrupted` or `option-invalid`; for a work tree also `git-object-missing` or `git-object-damaged`
 * @example
 * const { head, notes } = await cloneRepository(database, 'ada/kettle', 'kettle.git')
 */
export async function cloneRepository(
  database: Database,
  name: string,
  directory: string,
  options: CloneOptions = {},
): Promise<CloneResult> {
  const shapes = { database: anOpenDatabase, name: aText, directory: aPath }
  checkArguments({ database, name, directory }, shapes)
  checkOptions(options, CLONE_SHAPES)
  const { force = false, worktree = false, maxExtracted = 50 * GIB, progress, signal } = options
  throwIfInterrupted(signal)
  const repository = findRepository(database, name)
  checkStored(database, repository)
  const planned = planClone(database, repository)
  if (planned.bytes > maxExtracted) {
    const message = `its objects have ${planned.bytes} bytes; the limit is ${maxExtracted}`
    const limit = { allowed: maxExtracted, found: planned.bytes }
    throw new ArchiveError('limit-extracted', message, { entry: gitPath(repository) }).over(limit)
  }
  try {
    return await publishFolder(directory, { force }, async (folder) => {
      const gitFolder = worktree ? join(folder, '.git') : folder
      for (const inner of ['objects/info', 'objects/pack', 'refs/heads', 'refs/tags']) {
        mkdirSync(join(gitFolder, inner), { recursive: true })
      }
      const config = worktree ? WORK_TREE_CONFIG : BARE_CONFIG
      writeFileSync(join(gitFolder, 'config'), config, { flag: 'wx' })
      const { failed, ...refs } = writeRefs(database, repository, gitFolder)
      writeShallow(gitFolder, readShallow(database, repository))
      let bytes = 0
      await writeObjects(database, planned.files(), gitFolder, {
        signal,
        written(more) {
          bytes += more
          progress?.({ bytes, total: planned.bytes })
        },
      })
      const unwritten = failed.map((ref) => `the ref ${ref} could not be written`)
      const notes = [...planned.notes, ...unwritten]
      const missing = planned.isDoubtful
        ? await findMissing(database, repository, signal)
        : undefined
      const clone = {
        repository,
        directory,
        ...refs,
        files: planned.count,
        bytes,
        notes,
        ...(planned.borrowsFrom !== undefined && { borrowsFrom: planned.borrowsFrom }),
        ...(missing && { missing }),
      }
      if (!worktree) return clone
      const { files: checkedOut, ...tree } = await writeWorkTree(database, repository, folder, {
        maxExtracted,
        signal,
      })
      return { ...clone, checkedOut, notes: [...notes, ...tree.notes] }
    })
  } catch (error) {
    throw orInterrupted(error, signal, { archive: directory })
  }
}

/** Counts the missing objects. Damaged indexes are ignored: `verifyRepository` reports them. */
async function findMissing(
  database: Database,
  repository: string,
  signal: AbortSignal | undefined,
): Promise<CloneResult['missing']> {
  let missing: CloneResult['missing']
  try {
    const objects = createObjectStore(database, repository)
    const walk = walkObjects(objects, readRefs(database, repository), {
      done: () => throwIfInterrupted(signal),
    })
    for await (const { oid, from, broken } of walk) {
      if (broken !== 'missing') continue
      missing ??= { count: 0, oid, from }
      missing.count++
    }
  } catch (error) {
    if (!isBroken(error)) throw error
  }
  return missing
}

/** The files to write, and what is missing. */
interface ClonePlan {
  /** Lists the files with objects. */
  files(): Generator<ObjectFile>
  count: number
  bytes: number
  /** Whether objects may be missing: a pack has no index or is lost, or objects are in another repository. */
  isDoubtful: boolean
  /** The folder that it borrows objects from, if it names one. */
  borrowsFrom: string | undefined
  /** Messages about what is missing or will be left out. */
  notes: string[]
}

/** Plans a clone. An index without its pack is left out, since git would complain. */
function planClone(database: Database, repository: string): ClonePlan {
  const packs = new Map<string, { pack: boolean; index: boolean }>()
  let count = 0
  let bytes = 0
  for (const { path, size } of listObjectFiles(database, repository)) {
    const [, name, kind] = /^objects\/pack\/(.+)\.(pack|idx)$/.exec(path) ?? []
    if (name !== undefined) {
      const known = packs.get(name) ?? { pack: false, index: false }
      packs.set(name, { pack: known.pack || kind === 'pack', index: known.index || kind === 'idx' })
    }
    count++
    bytes += size
  }
  const lacking = [...packs].filter(([, { pack, index }]) => !pack || !index)
  const notes = lacking.map(([name, { pack }]) =>
    pack
      ? `${name}.pack has no index: make one with git index-pack`
      : `${name}.idx was left out: its pack is missing`,
  )
  const orphans = new Set(
    lacking.filter(([, { pack }]) => !pack).map(([name]) => `objects/pack/${name}.idx`),
  )
  const files = function* (): Generator<ObjectFile> {
    for (const file of listObjectFiles(database, repository)) {
      if (!orphans.has(file.path)) yield file
    }
  }
  const [borrowsFrom] = readAlternates(database, repository)
  const isDoubtful = lacking.length > 0 || borrowsFrom !== undefined
  return {
    files,
    isDoubtful,
    borrowsFrom,
    count: count - orphans.size,
    bytes,
    notes: [...notes, ...notesOn(database, repository, borrowsFrom)],
  }
}

/** Notes about what is missing in the archive. */
function notesOn(
  database: Database,
  repository: string,
  borrowsFrom: string | undefined,
): string[] {
  const notes: string[] = []
  if (borrowsFrom !== undefined) {
    const folder = JSON.stringify(borrowsFrom.slice(0, 200))
    notes.push(`it borrows objects from another repository, ${folder}, which is not in the archive`)
  }
  const broken = database
    .prepare<[string, string], number>(
      `SELECT count(*) FROM problems WHERE code IN ('git-ref-invalid', 'git-refs-damaged')
         AND entry >= ? AND entry < ?`,
    )
    .pluck()
    .get(`${gitPath(repository)}/`, `${gitPath(repository)}0`)
  if (broken) notes.push('refs that Git does not accept were left out: see the table problems')
  return notes
}
