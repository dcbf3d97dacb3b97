import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs'
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
} from '../../check-arguments.ts'
import type { Database } from '../../database/open-database.ts'
import { ArchiveError } from '../../errors.ts'
import { walkObjects } from '../history/walk-objects.ts'
import { findRepository } from '../list-repositories.ts'
import { isBroken } from '../objects/git-object.ts'
import { createObjectStore, readShallow } from '../objects/object-store.ts'
import {
  checkStored,
  gitPath,
  listObjectFiles,
  type ObjectFile,
  readAlternates,
} from '../objects/repository-files.ts'
import { readRefs } from '../refs/read-refs.ts'
import { writeWorkTree } from './check-out.ts'
import { publishFolder } from './publish-folder.ts'
import { BARE_CONFIG, WORK_TREE_CONFIG, writeRefs } from './write-git-folder.ts'
import { writeObjects } from './write-objects.ts'

const GIB = 2 ** 30

export interface CloneOptions {
  /** Replace a bare repository that is there. Default false. */
  force?: boolean | undefined
  /** Write the files that HEAD has, too, and the repository into `.git` beside them. Default false. */
  worktree?: boolean | undefined
  /** Most bytes to write, of objects and of the files of a work tree; 50 GiB by default. */
  maxExtracted?: number | undefined
  /** Is told how many bytes of objects are written, of how many. */
  progress?: ((done: { bytes: number; total: number }) => void) | undefined
  signal?: AbortSignal | undefined
}

const CLONE_SHAPES: Shapes<CloneOptions> = {
  ...{ force: aFlag, worktree: aFlag, maxExtracted: aCount, progress: aFunction, signal: aSignal },
}

/** What became of a clone. */
export interface CloneResult {
  repository: string
  directory: string
  refs: number
  /** What HEAD says: `ref: refs/heads/main`, or a commit. */
  head: string
  files: number
  /** Of all files that hold objects. */
  bytes: number
  /** What the archive lacks, or had to be left out, in words. */
  notes: string[]
  /** Objects that are missing, so that git may refuse to work on it; the first of them, and what leads to it. */
  missing?: { count: number; oid: string; from: string }
  /** Files of the work tree, if there is one. */
  checkedOut?: number
}

/**
 * Writes a repository, owner/name or owner/name.wiki, as one that git accepts, bare unless `worktree` is set: its
 * objects and refs and a configuration of our own, nothing else. It appears at `directory` when it is whole. Throws
 * `repository-not-found`, `git-unsupported`, `content-missing`, `output-exists`, `output-full`,
 * `output-refused`, `limit-extracted` or `interrupted`, and for a work tree `git-object-missing` or
 * `git-object-damaged`.
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
  const repository = findRepository(database, name)
  checkStored(database, repository)
  const planned = planClone(database, repository)
  if (planned.bytes > maxExtracted) {
    const message = `its objects have ${planned.bytes} bytes, of ${maxExtracted} that may be written`
    throw new ArchiveError('limit-extracted', message, { entry: gitPath(repository) })
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
        ...{ repository, directory, ...refs, files: planned.count, bytes, notes },
        ...(missing && { missing }),
      }
      if (!worktree) return clone
      const { files: checkedOut, ...tree } = await writeWorkTree(database, repository, folder, {
        ...{ maxExtracted, signal },
      })
      return { ...clone, checkedOut, notes: [...notes, ...tree.notes] }
    })
  } catch (error) {
    if (!signal?.aborted) throw error
    throw new ArchiveError('interrupted', 'interrupted', { archive: directory }, error)
  }
}

/** The objects that refs lead to and that are not there. An index that cannot be read is for `fsck` to tell of. */
async function findMissing(
  database: Database,
  repository: string,
  signal: AbortSignal | undefined,
): Promise<CloneResult['missing']> {
  let missing: CloneResult['missing']
  try {
    const walk = walkObjects(
      createObjectStore(database, repository),
      readRefs(database, repository),
      {
        done: () => signal?.throwIfAborted(),
      },
    )
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

/** Without the file `shallow` git would look for the parents of the last commits, and find a broken link. */
function writeShallow(folder: string, oids: Iterable<string>): void {
  let file: number | undefined
  try {
    for (const oid of oids) {
      file ??= openSync(join(folder, 'shallow'), 'wx')
      writeSync(file, `${oid}\n`)
    }
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

/** Which files a clone is to have, and what it lacks. */
interface ClonePlan {
  /** The files of objects, read anew each time. */
  files(): Generator<ObjectFile>
  count: number
  bytes: number
  /** Whether objects may be missing: packs are not whole, or some objects are in another repository. */
  isDoubtful: boolean
  /** What the archive lacks, or is to be left out, in words. */
  notes: string[]
}

/** Looks at all files of a repository: an index without its pack is nothing for git. */
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
  const isDoubtful = lacking.length > 0 || readAlternates(database, repository).length > 0
  return {
    files,
    isDoubtful,
    count: count - orphans.size,
    bytes,
    notes: [...notes, ...notesOn(database, repository)],
  }
}

/** What a clone lacks because the archive does. */
function notesOn(database: Database, repository: string): string[] {
  const notes: string[] = []
  const [elsewhere] = readAlternates(database, repository)
  if (elsewhere !== undefined) {
    const folder = JSON.stringify(elsewhere.slice(0, 200))
    notes.push(`it took objects from another repository, ${folder}, which is not in the archive`)
  }
  const broken = database
    .prepare<[string, string], number>(
      `SELECT count(*) FROM problems WHERE code = 'ref-invalid' AND entry >= ? AND entry < ?`,
    )
    .pluck()
    .get(`${gitPath(repository)}/`, `${gitPath(repository)}0`)
  if (broken) notes.push('refs that Git does not take were left out: see the table problems')
  return notes
}
