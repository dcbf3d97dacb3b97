import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ArchiveEntry } from '../archive/entry.ts'
import { pathOf } from '../archive/entry-role.ts'
import { checkPath } from '../archive/normalize-path.ts'
import { aFlag, aPath, aText, checkArguments, objectOf } from '../check-arguments.ts'
import { ArchiveError, type ErrorCode } from '../errors.ts'
import { BARE_CONFIG } from '../git/clone/write-git-folder.ts'
import { asBytes, collect } from '../streams.ts'
import { untilAborted } from './abortable.ts'
import { diskEntry } from './disk-file.ts'
import type { RepositoryToExport, Source } from './export-source.ts'
import { claim, dateOf, type FileWriting } from './file-entries.ts'
import { namesIn } from './list-files.ts'
import { refEntries } from './ref-entries.ts'

/** The longest symbolic ref that Git reads. */
const LONGEST_HEAD = 4096

const aRepository = objectOf({ fullName: aText, directory: aPath, wiki: aFlag }, [
  'fullName',
  'directory',
])

/** Copies the refs and objects of bare repositories, and nothing else. */
export async function* repositoryEntries(
  repositories: Source<RepositoryToExport>,
  writing: FileWriting,
): AsyncGenerator<ArchiveEntry> {
  for await (const repository of untilAborted(repositories, writing.signal)) {
    checkArguments({ repositories: repository }, { repositories: aRepository })
    yield* gitEntries(repository, writing)
  }
}

async function* gitEntries(
  { fullName, directory, wiki = false }: RepositoryToExport,
  { date, tracker, enforce }: FileWriting,
): AsyncGenerator<ArchiveEntry> {
  if (!/^[^/\s]+\/[^/\s]+$/.test(fullName)) {
    const message = `expected owner/name, found ${JSON.stringify(fullName)}`
    throw new ArchiveError('git-directory', message, { archive: directory })
  }
  const repository = wiki ? `${fullName}.wiki` : fullName
  const pathIn = (path: string) => checkPath(pathOf({ role: 'git', repository, path }))
  const modifiedAt = date ?? dateOf(claim(pathIn('').slice(0, -1), tracker, enforce))
  const text = (path: string, content: string): ArchiveEntry => ({
    ...{ path: pathIn(path), size: Buffer.byteLength(content), mode: 0o644, modifiedAt },
    content: asBytes([Buffer.from(content)]),
  })
  const copy = (path: string) =>
    diskEntry({ path: pathIn(path), file: join(directory, path), modifiedAt, links: false })
  await checkRepository(directory)
  for await (const entry of copy('HEAD')) {
    const head = entry.size > LONGEST_HEAD ? '' : (await collect(entry.content)).toString()
    if (!/^(?:ref: refs\/\S+|[0-9a-f]{40})\n?$/.test(head)) {
      throw new ArchiveError('git-directory', 'its HEAD names no branch', { archive: directory })
    }
    if (wiki && head !== 'ref: refs/heads/master\n') {
      enforce('wiki-head', { entry: entry.path }, 'the HEAD of a wiki must be refs/heads/master')
    }
    yield text('HEAD', head)
  }
  yield text('config', BARE_CONFIG)
  yield text('info/nwo', repository)
  // A server may be changing the repository. Refs come first, so that the objects they name follow; loose refs before
  // packed ones and loose objects before packs, because Git moves them in that direction.
  for (const folder of ['refs/heads/', 'refs/tags/']) yield text(folder, '')
  yield* refEntries(directory, { copy, enforce })
  for (const folder of ['objects/info/', 'objects/pack/']) yield text(folder, '')
  for (const folder of await namesIn(directory, 'objects')) {
    if (/^[0-9a-f]{2}$/.test(folder)) yield* copyAll(directory, `objects/${folder}`, loose, copy)
  }
  yield* copyAll(directory, 'objects/pack', packed, copy)
}

const loose = (name: string) => /^[0-9a-f]{38}$/.test(name)

// A pack that is still being written has no index yet.
const packed = (name: string, names: ReadonlySet<string>) =>
  /^pack-[0-9a-f]+\.(?:pack|idx)$/.test(name) && names.has(name.replace(/\.pack$/, '.idx'))

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
  const alternates = await textOf(join(directory, 'objects/info/alternates'))
  if (/^(?!#|$)/m.test(alternates.trim())) {
    refuse('git-incomplete', 'it borrows objects from another repository (objects/info/alternates)')
  }
  const packs = await readdir(join(directory, 'objects/pack')).catch(() => [])
  if (packs.some((name) => name.endsWith('.promisor'))) {
    refuse('git-incomplete', 'it is a partial clone: some objects were never fetched')
  }
  if (
    /^[^\S\n]*objectformat[^\S\n]*=[^\S\n]*(?!sha1\b)/im.test(
      await textOf(join(directory, 'config')),
    )
  ) {
    refuse('git-unsupported', 'its object IDs are not SHA-1')
  }
}

const textOf = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '')
