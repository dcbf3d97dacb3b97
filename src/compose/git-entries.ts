import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ArchiveEntry } from '../archive/entry.ts'
import { pathOf } from '../archive/entry-role.ts'
import { checkPath } from '../archive/normalize-path.ts'
import { aFlag, anObject, aPath, aText, checkArguments, objectOf } from '../base/check-arguments.ts'
import { ArchiveError, type ErrorCode } from '../base/errors.ts'
import { asBytes, collect } from '../base/streams.ts'
import { untilAborted } from '../base/until-aborted.ts'
import { BARE_CONFIG } from '../git/clone/write-git-folder.ts'
import { isPackFile } from '../git/objects/pack-index.ts'
import { diskEntry } from './disk-file.ts'
import type { RepositoryToExport, Source } from './export-source.ts'
import { claim, dateOf, type FileWriting } from './file-entries.ts'
import { namesIn } from './list-files.ts'
import { type GitFsRepository, readGitFs } from './read-git-fs.ts'
import { enforceRefName, refEntries } from './ref-entries.ts'

/** The longest symbolic ref that Git reads. */
const LONGEST_HEAD = 4096

const inDirectory = objectOf({ fullName: aText, wiki: aFlag, directory: aPath }, [
  'fullName',
  'directory',
])
const inFileSystem = objectOf({ fullName: aText, wiki: aFlag, fs: anObject, gitdir: aText }, [
  'fullName',
  'fs',
  'gitdir',
])

/** Copies the refs and objects of bare repositories, and nothing else. */
export async function* repositoryEntries(
  repositories: Source<RepositoryToExport>,
  writing: FileWriting,
): AsyncGenerator<ArchiveEntry> {
  for await (const repository of untilAborted(repositories, writing.signal)) {
    checkArguments(
      { repositories: repository },
      {
        repositories: 'fs' in Object(repository) ? inFileSystem : inDirectory,
      },
    )
    const folder = openFolder(repository, writing)
    yield* 'fs' in repository
      ? fsEntries(repository, folder, writing)
      : directoryEntries(repository.directory, folder, writing)
  }
}

/** The folder of a repository in the archive. */
interface Folder {
  readonly modifiedAt: Date
  /** The path in the archive of a file of the repository. */
  pathIn(path: string): string
  file(path: string, content: string | Buffer): ArchiveEntry
  /** The files that say what the repository is. Throws `git-directory` unless HEAD names a branch or a commit. */
  begin(head: string): Generator<ArchiveEntry>
}

function openFolder(
  repository: RepositoryToExport,
  { date, tracker, enforce }: FileWriting,
): Folder {
  const { fullName, wiki = false } = repository
  const place = { archive: 'fs' in repository ? repository.gitdir : repository.directory }
  if (!/^[^/\s]+\/[^/\s]+$/.test(fullName)) {
    const message = `expected owner/name, found ${JSON.stringify(fullName)}`
    throw new ArchiveError('git-directory', message, place)
  }
  const name = wiki ? `${fullName}.wiki` : fullName
  const pathIn = (path: string) => checkPath(pathOf({ role: 'git', repository: name, path }))
  const modifiedAt = date ?? dateOf(claim(pathIn('').slice(0, -1), tracker, enforce))
  const file = (path: string, content: string | Buffer): ArchiveEntry => ({
    path: pathIn(path),
    size: Buffer.byteLength(content),
    mode: 0o644,
    modifiedAt,
    content: asBytes([Buffer.from(content as string)]),
  })
  return {
    modifiedAt,
    pathIn,
    file,
    *begin(head) {
      if (!/^(?:ref: refs\/\S+|[0-9a-f]{40})\n?$/.test(head)) {
        throw new ArchiveError('git-directory', 'its HEAD names no branch', place)
      }
      if (wiki && head !== 'ref: refs/heads/master\n') {
        const message = 'the HEAD of a wiki must be refs/heads/master'
        enforce('wiki-head', { entry: pathIn('HEAD') }, message)
      }
      yield file('HEAD', head)
      yield file('config', BARE_CONFIG)
      yield file('info/nwo', name)
    },
  }
}

/** The files of a repository that isomorphic-git reads. */
async function* fsEntries(
  repository: GitFsRepository,
  { pathIn, file, begin }: Folder,
  { enforce, signal }: FileWriting,
): AsyncGenerator<ArchiveEntry> {
  const { head, refs, packedRefs, packs } = await readGitFs(repository, signal)
  for (const name of refs) enforceRefName(name, pathIn('packed-refs'), enforce)
  yield* begin(`${head}\n`)
  for (const folder of ['refs/heads/', 'refs/tags/']) yield file(folder, '')
  yield file('packed-refs', packedRefs)
  for (const folder of ['objects/info/', 'objects/pack/']) yield file(folder, '')
  for (const { name, content } of packs) yield file(`objects/pack/${name}`, content)
}

/** The files of a repository on disk. */
async function* directoryEntries(
  directory: string,
  { modifiedAt, pathIn, file, begin }: Folder,
  { enforce }: FileWriting,
): AsyncGenerator<ArchiveEntry> {
  const copy = (path: string) =>
    diskEntry({ path: pathIn(path), file: join(directory, path), modifiedAt, links: false })
  await checkRepository(directory)
  for await (const entry of copy('HEAD')) {
    yield* begin(entry.size > LONGEST_HEAD ? '' : (await collect(entry.content)).toString())
  }
  // A server may be changing the repository. Refs come first, so that the objects they name follow; loose refs before
  // packed ones and loose objects before packs, because Git moves them in that direction.
  for (const folder of ['refs/heads/', 'refs/tags/']) yield file(folder, '')
  yield* refEntries(directory, { copy, enforce })
  for (const folder of ['objects/info/', 'objects/pack/']) yield file(folder, '')
  for (const folder of await namesIn(directory, 'objects')) {
    if (/^[0-9a-f]{2}$/.test(folder)) yield* copyAll(directory, `objects/${folder}`, loose, copy)
  }
  yield* copyAll(directory, 'objects/pack', packed, copy)
}

const loose = (name: string) => /^[0-9a-f]{38}$/.test(name)

// A pack that is still being written has no index yet.
const packed = (name: string, names: ReadonlySet<string>) =>
  isPackFile(name) && names.has(name.replace(/\.pack$/, '.idx'))

async function* copyAll(
  directory: string,
  folder: string,
  belongs: (name: string, names: ReadonlySet<string>) => boolean,
  copy: (path: string) => AsyncGenerator<ArchiveEntry>,
): AsyncGenerator<ArchiveEntry> {
  const names = await namesIn(directory, folder)
  const all = new Set(names)
  for (const name of names) if (belongs(name, all)) yield* copy(`${folder}/${name}`)
}

/**
 * Throws unless the directory is a bare Git repository that can be copied file by file: `git-directory`, `git-incomplete`
 * if some of its objects are elsewhere, `git-unsupported` for other formats.
 */
async function checkRepository(directory: string): Promise<void> {
  const refuse = (code: ErrorCode, message: string) => {
    throw new ArchiveError(code, message, { archive: directory })
  }
  const there = await readdir(directory).catch((error: Error) => {
    throw new ArchiveError('git-directory', error.message, { archive: directory }, error)
  })
  for (const name of ['HEAD', 'objects', 'refs']) {
    if (!there.includes(name)) refuse('git-directory', `it is not a bare repository: no ${name}`)
  }
  if (there.includes('commondir')) refuse('git-directory', 'it is a worktree of another repository')
  if (there.includes('shallow')) refuse('git-incomplete', 'it is shallow: history is cut off')
  if (there.includes('reftable')) refuse('git-unsupported', 'its refs are in a reftable')
  const alternates = await readTextOrEmpty(join(directory, 'objects/info/alternates'))
  if (/^(?!#|$)/m.test(alternates.trim())) {
    refuse('git-incomplete', 'it borrows objects from another repository (objects/info/alternates)')
  }
  const packs = await readdir(join(directory, 'objects/pack')).catch(() => [])
  if (packs.some((name) => name.endsWith('.promisor'))) {
    refuse('git-incomplete', 'it is a partial clone: some objects were never fetched')
  }
  if (
    /^[^\S\n]*objectformat[^\S\n]*=[^\S\n]*(?!sha1\b)/im.test(
      await readTextOrEmpty(join(directory, 'config')),
    )
  ) {
    refuse('git-unsupported', 'its object IDs are not SHA-1')
  }
}

const readTextOrEmpty = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '')
