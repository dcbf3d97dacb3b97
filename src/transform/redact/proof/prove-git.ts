import { join } from 'node:path'
import type { ArchiveEntry } from '../../../archive/entry.ts'
import { roleOf } from '../../../archive/entry-role.ts'
import { readArchive } from '../../../archive/read-archive.ts'
import { writeArchive } from '../../../archive/write-archive.ts'
import { ArchiveError } from '../../../base/errors.ts'
import { asBytes, type Bytes, collect } from '../../../base/streams.ts'
import { type Database, openDatabase } from '../../../database/open-database.ts'
import { makeTemporaryFolder } from '../../../files/temporary-folder.ts'
import { createObjectStore, type ObjectStore } from '../../../git/objects/object-store.ts'
import { gitPath } from '../../../git/objects/repository-files.ts'
import { idOf } from '../../../git/parse/git-object.ts'
import { parseTree } from '../../../git/parse/parse-tree.ts'
import { loadArchive } from '../../../load/load-archive.ts'
import type { ValueType } from '../finding.ts'
import type { RemovedValue } from '../removed-values.ts'
import { createRemovedSearch, type RemovedSearch } from './find-removed.ts'
import { withoutReplacements } from './replacements.ts'
import { findInFile, typeIn, UNLIMITED } from './search-file.ts'
import { idOfStored, type StoredObject, storedObjects } from './stored-objects.ts'

interface ProofOfGit {
  /** Finds the values that were removed from records. */
  search?: RemovedSearch
  files?: 'notes' | 'all'
  /** The entries of the archive, if it is being read; those with Git data are enough. */
  entries?: AsyncIterable<ArchiveEntry>
}

/**
 * Loads a new archive from its own bytes, and looks for people who were replaced: in the headers of every commit and tag, also of
 * those that no ref leads to, and in lines such as `Co-authored-by:`; for every other removed value in all of these, and in notes
 * or in all names and contents of files. Throws `redaction-incomplete` with the repository, never with the value.
 */
export async function proveGit(
  archive: string,
  people: ReadonlySet<string>,
  {
    search = createRemovedSearch([]),
    files = 'notes',
    entries = readArchive(archive, { limits: UNLIMITED }),
  }: ProofOfGit = {},
): Promise<void> {
  const findPerson = createPersonSearch(people)
  const temporary = makeTemporaryFolder()
  try {
    const path = join(temporary.path, 'proof.db')
    await loadArchive({ name: archive, bytes: gitDataOf(entries) }, path)
    const database = openDatabase(path)
    try {
      for (const repository of repositoriesOf(database)) {
        await proveRepository(database, repository, { search, findPerson, files })
      }
    } finally {
      database.close()
    }
  } finally {
    temporary.remove()
  }
}

/** A tar of the Git data among the entries of an archive: its records are proved without a database. */
function gitDataOf(entries: AsyncIterable<ArchiveEntry>): Bytes {
  async function* chosen() {
    for await (const { header: _, ...entry } of entries) {
      const { role } = roleOf(entry.path)
      if (role === 'git' || role === 'schema') yield entry
    }
  }
  return writeArchive(chosen(), { gzip: false, directories: 'given' })
}

const repositoriesOf = (database: Database): string[] =>
  database
    .prepare<[], string>(
      `SELECT DISTINCT repository FROM files WHERE role = 'git' AND repository IS NOT NULL`,
    )
    .pluck()
    .all()

interface Proof {
  search: RemovedSearch
  findPerson: (line: string) => boolean
  files: 'notes' | 'all'
}

async function proveRepository(
  database: Database,
  repository: string,
  { search, findPerson, files }: Proof,
): Promise<void> {
  const entry = gitPath(repository, '')
  for await (const object of storedObjects(database, repository)) {
    const isText = object.type === 'commit' || object.type === 'tag'
    if (!isText && files !== 'all') continue
    const what = isText
      ? await foundInText(object, search, findPerson)
      : await foundInFile(object, search)
    if (what === undefined) continue
    const message = `${what} in the object ${await idOfStored(object)}`
    throw new ArchiveError('redaction-incomplete', message, { entry })
  }
  if (files === 'all') return
  const objects = createObjectStore(database, repository, {}, { inOrder: true })
  for (const oid of filesOfNotes(database, repository, objects)) {
    const { type, size, content } = objects.stream(oid)
    const read = () =>
      asBytes(Symbol.asyncIterator in content ? objects.stream(oid).content : content)
    const what = await foundInFile({ type, size, read }, search)
    if (what === undefined) continue
    throw new ArchiveError('redaction-incomplete', `${what} in the object ${oid}`, { entry })
  }
}

function left(type: ValueType): string {
  const article = type === 'email' || type === 'ip' || type === 'own' ? 'an' : 'a'
  return `${article} ${type} value that was removed is still`
}

/** The folders and files to which refs of notes lead, through all of their commits. */
function* filesOfNotes(
  database: Database,
  repository: string,
  objects: ObjectStore,
): Generator<string> {
  const seen = new Set<string>()
  const waiting = database
    .prepare<[string], string>(
      "SELECT oid FROM refs WHERE repository = ? AND oid IS NOT NULL AND instr(name, 'refs/notes/')",
    )
    .pluck()
    .all(repository)
  for (let oid = waiting.pop(); oid !== undefined; oid = waiting.pop()) {
    if (seen.has(oid) || !objects.has(oid)) continue
    seen.add(oid)
    const { type } = objects.stream(oid)
    if (type === 'tree' || type === 'blob') yield oid
    if (type === 'tree') {
      for (const entry of parseTree(objects.read(oid))) waiting.push(entry.oid)
    } else if (type !== 'blob') {
      const text = objects.read(oid).content.toString('latin1')
      const end = text.indexOf('\n\n')
      const headers = text.slice(0, end < 0 ? undefined : end)
      for (const [, named = ''] of headers.matchAll(/^(?:tree|parent|object) ([0-9a-f]{40})$/gm)) {
        waiting.push(named)
      }
    }
  }
}

async function foundInFile(
  { type, read }: StoredObject,
  search: RemovedSearch,
): Promise<string | undefined> {
  if (type !== 'tree') {
    const found = await findInFile(search, read)
    return found && left(found.type)
  }
  const content = await collect(read())
  for (const { bytes } of parseTree({ oid: idOf(type, content), type, content })) {
    const inName = typeIn(search, Buffer.from(bytes, 'latin1'))
    if (inName) return left(inName)
  }
  return undefined
}

async function foundInText(
  { read }: StoredObject,
  search: RemovedSearch,
  findPerson: (line: string) => boolean,
): Promise<string | undefined> {
  const content = await collect(read())
  const type = typeIn(search, content)
  if (type) return left(type)
  for (const line of linesAboutPeople(content.toString('utf8'))) {
    if (findPerson(line)) return 'an author is still named'
  }
  return undefined
}

/** Creates a search for people in the value of a header, or in a line that credits somebody. */
function createPersonSearch(people: ReadonlySet<string>): (line: string) => boolean {
  const values = [...people].map(
    (value): RemovedValue => ({
      type: value.includes('@') ? 'email' : 'name',
      value,
    }),
  )
  const { search } = createRemovedSearch(values)
  return (line) => {
    const { name, email } = personIn(line)
    if (people.has(name) || people.has(email)) return true
    const has = (text: string, type?: ValueType) =>
      search(Buffer.from(withoutReplacements(text)), (found) => (type ?? found.type) === found.type)
    // An address that stays may have the name of its owner.
    return has(line) && (has(line, 'email') || has(line.replace(ADDRESS, '')))
  }
}

/** An address in angle brackets. */
const ADDRESS = /<[^<>]*>/g

/** Headers that name objects, and say what they are. */
const OTHERS = /^(?:tree|parent|object|type|tag|encoding) /

/** The values of headers, and of the lines of a message that credit an address. */
function* linesAboutPeople(text: string): Generator<string> {
  const found = text.indexOf('\n\n')
  const end = found < 0 ? text.length : found
  for (const header of text.slice(0, end).split('\n')) {
    // Lines that belong to the header before begin with a space.
    if (!OTHERS.test(header)) yield header.slice(header.indexOf(' ') + 1)
  }
  for (const [, value = ''] of text.slice(end).matchAll(/^[A-Za-z][A-Za-z-]*-by:(.*)$/gim)) {
    if (hasAddress(value)) yield value.trim()
  }
}

// These look at each character once: a line may have millions, and its author may be hostile.

/** The name and address in the value of a header: `Ada <ada@forge.example> 1714564800 +0200`. */
function personIn(line: string): { name: string; email: string } {
  const open = line.indexOf('<')
  const close = open < 0 ? -1 : line.indexOf('>', open)
  if (close < 0) return { name: '', email: '' }
  const name = line.slice(0, open).replace(/(?<![ \t])[ \t]+$/, '')
  return { name, email: line.slice(open + 1, close) }
}

/** Whether there is an address in angle brackets, or nothing but an address. */
function hasAddress(value: string): boolean {
  const word = value.trim()
  if (!/\s/.test(word) && word.slice(1, -1).includes('@')) return true
  const parts = value.split('>')
  return parts.slice(0, -1).some((part) => {
    const open = part.indexOf('<')
    return open >= 0 && part.includes('@', open)
  })
}
