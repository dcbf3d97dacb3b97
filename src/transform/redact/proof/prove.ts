import { roleOf } from '../../../archive/entry-role.ts'
import { readArchive } from '../../../archive/read-archive.ts'
import { ArchiveError, type Place } from '../../../base/errors.ts'
import type { Bytes } from '../../../base/streams.ts'
import { readRecords } from '../../../records/read-records.ts'
import { spool } from '../files/temporary-file.ts'
import type { ValueType } from '../finding.ts'
import type { RemovedList } from '../removed-values.ts'
import { createRemovedSearch, type RemovedOptions, type RemovedSearch } from './find-removed.ts'
import { type FoundInFile, findInFile, typeIn, UNLIMITED, valueInContent } from './search-file.ts'

export interface ProofOptions extends RemovedOptions {
  /** The values that were taken out. */
  removed: RemovedList
  /** Whether contents of files were to stay. */
  keepsFiles: boolean
  /** Whether Git data was to stay. Objects in it are left out in any case. */
  keepsGit?: boolean
}

/**
 * Reads a new archive from its own bytes, and looks for every value that was taken out of it: in records, names of entries,
 * headers and contents of files. Objects of Git are left out. Throws `redaction-incomplete` with the place, never with the value.
 */
export async function proveRedaction(
  archive: string,
  { removed, keepsFiles, keepsGit = true, ...options }: ProofOptions,
): Promise<void> {
  const search = createRemovedSearch(removed, options)
  for await (const { path, content, header } of readArchive(archive, HEADERS)) {
    const { role } = roleOf(path)
    const inRepository = repositoryPathOf(path)
    if (role === 'git' && (keepsGit || OBJECTS.test(path))) continue
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
    const isDocument = role === 'records' || role === 'schema' || role === 'urls'
    if (!isDocument && keepsFiles && role !== 'git') continue
    if (!isDocument) {
      const found = await findOnce(search, content, REFS.test(inRepository ?? ''))
      if (found) throw left(found.type, { entry: path, ...found.place })
      continue
    }
    const found = await valueInContent(search, content)
    if (!found) continue
    const place = role === 'records' ? await locate(archive, path, search) : { entry: path }
    throw left(found.type, place)
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

/** The same as `findInFile` in a content that comes once, and may have names of refs. */
async function findOnce(
  search: RemovedSearch,
  content: Bytes,
  hasRefs: boolean,
): Promise<FoundInFile | undefined> {
  const { read, remove } = await spool(content)
  try {
    if (hasRefs && (await hasJoinedName(search, read()))) {
      return { type: 'name', value: '', place: {} }
    }
    return await findInFile(search, read)
  } finally {
    remove()
  }
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
