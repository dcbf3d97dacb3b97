import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from '../database/open-database.ts'
import { ArchiveError } from '../errors.ts'
import { BARE_CONFIG, WORK_TREE_CONFIG } from './bare-config.ts'
import { checkStored } from './check-stored.ts'
import { gitPath } from './git-path.ts'
import { listObjectFiles, type ObjectFile } from './list-object-files.ts'
import { findRepository } from './list-repositories.ts'
import { publishFolder } from './publish-folder.ts'
import { writeObjects } from './write-objects.ts'
import { writeRefs } from './write-refs.ts'
import { writeWorkTree } from './write-work-tree.ts'

export interface CloneOptions {
  /** Replace a bare repository that is there. Default false. */
  force?: boolean | undefined
  /** Write the files that HEAD has, too, and the repository into `.git` beside them. Default false. */
  worktree?: boolean | undefined
  /** Bytes of files of a work tree; 50 GiB by default. */
  maxExtracted?: number | undefined
  /** Is told how many bytes of objects are written, of how many. */
  progress?: ((done: { bytes: number; total: number }) => void) | undefined
  signal?: AbortSignal | undefined
}

/** What became of a clone. */
export interface Clone {
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
  /** Files of the work tree, if there is one. */
  checkedOut?: number
}

/**
 * Writes a repository, owner/name or owner/name.wiki, as one that git accepts, bare unless `worktree` is set: its
 * objects and refs and a configuration of our own, nothing else. It appears at `directory` when it is whole. Throws
 * `repository-not-found`, `git-unsupported`, `content-missing`, `output-exists`, `output-full`,
 * `output-refused` or `interrupted`, and for a work tree `limit-extracted`, `git-object-missing` or
 * `git-object-damaged`.
 */
export async function cloneRepository(
  database: Database,
  name: string,
  directory: string,
  { force = false, worktree = false, maxExtracted, progress, signal }: CloneOptions = {},
): Promise<Clone> {
  const repository = findRepository(database, name)
  checkStored(database, repository)
  try {
    return await publishFolder(directory, { force }, async (folder) => {
      const planned = plan(database, repository)
      const gitFolder = worktree ? join(folder, '.git') : folder
      for (const inner of ['objects/info', 'objects/pack', 'refs/heads', 'refs/tags']) {
        mkdirSync(join(gitFolder, inner), { recursive: true })
      }
      const config = worktree ? WORK_TREE_CONFIG : BARE_CONFIG
      writeFileSync(join(gitFolder, 'config'), config, { flag: 'wx' })
      const { failed, ...refs } = writeRefs(database, repository, gitFolder)
      let bytes = 0
      await writeObjects(database, planned.files(), gitFolder, {
        signal,
        written(more) {
          bytes += more
          progress?.({ bytes, total: planned.bytes })
        },
      })
      const unwritten = failed.map((ref) => `the ref ${ref} could not be written`)
      const notes = [...planned.notes, ...notesOn(database, repository), ...unwritten]
      const clone = { repository, directory, ...refs, files: planned.count, bytes, notes }
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

/** Which files are to be written. */
function plan(database: Database, repository: string) {
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
  return { files, count: count - orphans.size, bytes, notes }
}

/** What a clone lacks because the archive does. */
function notesOn(database: Database, repository: string): string[] {
  const notes: string[] = []
  const path = gitPath(repository, 'objects/info/alternates')
  if (database.prepare('SELECT 1 FROM files WHERE path = ? AND size > 0').get(path)) {
    notes.push('it took objects from another repository, which are not in the archive')
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
