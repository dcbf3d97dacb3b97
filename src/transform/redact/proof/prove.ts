import type { ArchiveEntry } from '../../../archive/entry.ts'
import { roleOf } from '../../../archive/entry-role.ts'
import { readArchive } from '../../../archive/read-archive.ts'
import { ArchiveError, type Place } from '../../../base/errors.ts'
import type { Bytes } from '../../../base/streams.ts'
import { readRecords } from '../../../records/read-records.ts'
import type { Read } from '../files/form-of.ts'
import { spool } from '../files/temporary-file.ts'
import type { ValueType } from '../finding.ts'
import type { RemovedList } from '../removed-values.ts'
import { createRemovedSearch, type RemovedOptions, type RemovedSearch } from './find-removed.ts'
import { proveGit } from './prove-git.ts'
import { type FoundInFile, findInFile, typeIn, UNLIMITED, valueInContent } from './search-file.ts'

export interface ProofOptions extends RemovedOptions {
  /** The values that were taken out. */
  removed: RemovedList
  /** Whether contents of files were to stay. */
  keepsFiles: boolean
  /** Whether Git data was to stay. Objects in it are left out in any case. */
  keepsGit?: boolean
  /** Stops the search, with `interrupted`. */
  signal?: AbortSignal | undefined
  /** Git data that was rewritten: whom its objects no longer name, and which of its files are searched. */
  git?: { people: ReadonlySet<string>; files: 'notes' | 'all' } | undefined
}

/**
 * Reads a new archive from its own bytes, and looks for every value that was taken out of it: in records, names of entries,
 * headers and contents of files, and with `git` in objects of Git. Throws `redaction-incomplete` with the place, never with the
 * value.
 */
export async function proveRedaction(
  archive: string,
  { removed, keepsFiles, keepsGit = true, git, signal, ...options }: ProofOptions,
): Promise<void> {
  const search = createRemovedSearch(removed, options)
  const entries = provenEntries(archive, search, { keepsFiles, keepsGit, signal })
  if (git) return proveGit(archive, git.people, { search, files: git.files, entries })
  for await (const _ of entries);
}

/** Searches all entries but objects of Git. Yields those with Git data and `schema.json`, with which the objects can be read. */
async function* provenEntries(
  archive: string,
  search: RemovedSearch,
  {
    keepsFiles,
    keepsGit,
    signal,
  }: { keepsFiles: boolean; keepsGit: boolean; signal: AbortSignal | undefined },
): AsyncGenerator<ArchiveEntry> {
  for await (const entry of readArchive(archive, { ...HEADERS, signal })) {
    const { path, content } = entry
    const { role } = roleOf(path)
    if (role === 'git' && (keepsGit || OBJECTS.test(path))) {
      yield entry
      continue
    }
    await proveName(search, entry)
    if (role === 'records') {
      const found = await valueInContent(search, content)
      if (found) throw left(found.type, await locate(archive, path, search))
      continue
    }
    const isGit = role === 'git' || role === 'schema'
    if (keepsFiles && !isGit && role !== 'urls') continue
    const { read, remove } = await spool(content)
    try {
      const found = await findInEntry(search, path, read)
      if (found) throw left(found.type, { entry: path, ...found.place })
      if (isGit) yield { ...entry, content: read() }
    } finally {
      remove()
    }
  }
}

/** Searches the path and headers of an entry. */
async function proveName(search: RemovedSearch, { path, header }: ArchiveEntry): Promise<void> {
  const inRepository = repositoryPathOf(path)
  search.search(Buffer.from(path), ({ type }, at = 0) => {
    throw left(type, { entry: `${Buffer.from(path).toString('utf8', 0, at)}…` })
  })
  if (inRepository !== undefined && (await hasJoinedName(search, [Buffer.from(inRepository)]))) {
    throw left('name', { entry: `${path.slice(0, -inRepository.length)}…` })
  }
  const template = typeof header?.template === 'string' ? header.template : ''
  for (const bytes of [header?.whole, Buffer.from(template, 'latin1')]) {
    const type = bytes && typeIn(search, Buffer.from(bytes))
    if (type) throw left(type, { entry: path, member: 'the header of the entry' })
  }
}

/** Files with objects of Git, which are read as such. */
const OBJECTS = /\.git\/objects\/(?:[0-9a-f]{2}\/[0-9a-f]{38}|pack\/[^/]+\.(?:pack|idx))$/

/** The path in a repository, of a file or folder. */
const repositoryPathOf = (path: string): string | undefined =>
  /^repositories\/.+?\.git\/(.+)$/s.exec(path)?.[1]

/** Files with names of refs. */
const REFS = /^(?:HEAD|packed-refs|info\/refs|refs\/.*)$/s

const JOINTS = new Set(Buffer.from('-_.+'))
const SPACE = 0x20

/** Whether bytes have a name in which other signs stand for the spaces, as in names of branches. */
async function hasJoinedName(
  { stream }: RemovedSearch,
  content: Bytes | Iterable<Uint8Array>,
): Promise<boolean> {
  let isFound = false
  const { see, end } = stream(({ type }) => {
    isFound ||= type === 'name'
    return isFound
  })
  for await (const bytes of content) {
    if (see(bytes.map((byte) => (JOINTS.has(byte) ? SPACE : byte)))) return true
  }
  end()
  return isFound
}

const HEADERS = { limits: UNLIMITED, headers: true }

const LEFT: Readonly<Record<ValueType, string>> = {
  email: 'an address',
  name: 'a name',
  login: 'a login',
  ip: 'an IP address',
  secret: 'a secret',
  own: 'a match of a pattern',
}

const left = (type: ValueType, place: Place) =>
  new ArchiveError('redaction-incomplete', `${LEFT[type]} that was removed is still there`, place)

/** A removed value in the content of an entry other than records. */
async function findInEntry(
  search: RemovedSearch,
  path: string,
  read: Read,
): Promise<FoundInFile | undefined> {
  const { role } = roleOf(path)
  if (role === 'schema' || role === 'urls') {
    const found = await valueInContent(search, read())
    return found && { ...found, place: {} }
  }
  if (REFS.test(repositoryPathOf(path) ?? '') && (await hasJoinedName(search, read()))) {
    return { type: 'name', value: '', place: {} }
  }
  return findInFile(search, read)
}

/** Reads a record file again, to say which record and member has a value. */
async function locate(archive: string, entry: string, search: RemovedSearch): Promise<Place> {
  for await (const { path, content } of readArchive(archive, { limits: UNLIMITED })) {
    if (path !== entry) continue
    try {
      for await (const { record, index } of readRecords(content, entry)) {
        for (const [member, value] of Object.entries(record)) {
          const inName = typeIn(search, Buffer.from(JSON.stringify(member)))
          if (inName) return { entry, record: index }
          if (typeIn(search, Buffer.from(JSON.stringify(value))))
            return { entry, record: index, member }
        }
      }
    } catch {
      // The place is less exact then.
    }
  }
  return { entry }
}
