import {
  closeSync,
  fstatSync,
  lstatSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { ArchiveError } from '../base/errors.ts'
import { openTemporary } from '../database/connection.ts'
import { attemptSync } from '../files/attempt.ts'
import {
  hasInnerFolder,
  isPlainFile,
  makeInnerFolder,
  openToAppend,
  readPlainFile,
} from '../files/inner-folder.ts'
import { isThere, writeFile, writeShortFile } from '../files/write-file.ts'

/**
 * The list of a folder of files that a second run writes again: it names every file with the SHA-256 of its content. The first
 * line says what the folder is, the last one of a whole folder what it was made from, each other one is a file.
 */
export interface FolderList {
  /** Its path in the folder. */
  readonly path: string
  /** Its first line. */
  readonly header: string
  /** Names of files of other programs that may be in the folder before. */
  readonly others?: RegExp
}

/** What became of the files of a folder. */
export interface WrittenFiles {
  files: number
  /** Those that were written now, as they were not there, or differed. */
  written: number
  /** Those of the last run that this one does not have. */
  removed: number
  /** Of all files. */
  bytes: number
}

/** The content of a file, and where it is known its length in bytes. */
type Content = Uint8Array | AsyncIterable<Uint8Array>

/** A file that is in memory. */
export interface ShortFile {
  readonly file: string
  readonly content: Uint8Array
  /** The SHA-256 of its content. */
  readonly hash: string
}

/** A folder of files that is written again. Their names are kept in a temporary SQLite file: memory does not grow with the folder. */
export interface WrittenFolder {
  /** What the files in the folder were made from; undefined if they are not whole. */
  readonly source: string | undefined
  /** The number and bytes of the files of the last run; undefined if one is missing. */
  measure(): { files: number; bytes: number } | undefined
  /** The hash of a file in the last run. */
  before(file: string): string | undefined
  /** Makes the folders of a file that is written by others, and names it in the list on the disk. Throws `output-refused` if it is there and not ours. */
  announce(file: string): void
  /** Notes a file that others wrote, with the hash of its content. */
  note(file: string, hash: string, bytes: number, isWritten: boolean): void
  /** Writes a file unless it is there with this hash; of a name that was written before the first content stays. */
  put(file: string, content: Content, hash: string, bytes?: number): Promise<void>
  /** Does the same with several files, which are named in the list together; each is given back when it is there. */
  putAll<File extends ShortFile>(files: readonly File[]): Generator<File>
  /** What was done so far. */
  readonly done: Readonly<WrittenFiles>
  /** The files of this run, in order. */
  files(): Generator<string>
  /** Removes files of the last run that this one does not have, and writes the list, with what they were made from. */
  finish(source: () => Promise<string | undefined>): Promise<WrittenFiles>
  close(): void
}

/**
 * Opens a folder to write files, and reads the list of those that are there.
 *
 * @throws `output-refused` for a folder with files that has no such list
 */
export function openWrittenFolder(folder: string, list: FolderList): WrittenFolder {
  const own = openTemporary()
  let source: string | undefined
  try {
    own.exec(`CREATE TABLE before (file TEXT PRIMARY KEY, hash TEXT NOT NULL) WITHOUT ROWID;
      CREATE TABLE now (file TEXT PRIMARY KEY, hash TEXT NOT NULL) WITHOUT ROWID;`)
    // A statement of its own would write its pages to the file.
    own.exec('BEGIN')
    const remember = own.prepare<[string, string]>('INSERT OR REPLACE INTO before VALUES (?, ?)')
    attemptSync(folder, () => {
      for (const line of readList(folder, list)) {
        source = typeof line === 'string' ? line : undefined
        if (typeof line !== 'string') remember.run(...line)
      }
    })
  } catch (error) {
    own.close()
    throw error
  }
  const before = own.prepare<[string], string>('SELECT hash FROM before WHERE file = ?').pluck()
  const note = own.prepare<[string, string]>('INSERT OR IGNORE INTO now VALUES (?, ?)')
  const done: WrittenFiles = { files: 0, written: 0, removed: 0, bytes: 0 }
  const made = new Set<string>()
  let log: number | undefined
  return {
    source,
    done,
    measure() {
      let [files, bytes] = [0, 0]
      let inside: string | undefined
      const sql = `SELECT file FROM before WHERE file > ? ORDER BY file LIMIT ${TOGETHER}`
      const following = own.prepare<[string], string>(sql).pluck()
      for (let some = following.all(''); some.length > 0; some = following.all(some.at(-1) ?? '')) {
        for (const file of some) {
          const at = dirname(file)
          if (at !== inside && !hasInnerFolder(folder, at === '.' ? [] : at.split('/')))
            return undefined
          inside = at
          const found = lstatSync(join(folder, file), { throwIfNoEntry: false })
          if (!found?.isFile()) return undefined
          files++
          bytes += found.size
        }
      }
      return { files, bytes }
    },
    before: (file) => before.get(file),
    announce: (file) => announce([file]),
    note(file, hash, bytes, isWritten) {
      note.run(file, hash)
      count(bytes)
      if (isWritten) done.written++
    },
    async put(file, content, hash, bytes) {
      if (content instanceof Uint8Array) {
        putAll([{ file, content, hash }]).next()
        return
      }
      if (note.run(file, hash).changes === 0) return
      count(bytes ?? 0)
      if (!isChanged(file, hash)) return
      announce([file])
      await writeFile(join(folder, file), content, { force: true, sync: false, tidy: false })
      done.written++
    },
    putAll,
    *files() {
      const sql = 'SELECT file FROM now WHERE file > ? ORDER BY file LIMIT 1'
      const following = own.prepare<[string], string>(sql).pluck()
      for (let file = following.get(''); file !== undefined; file = following.get(file)) yield file
    },
    async finish(sourceOf) {
      for (const file of gone()) {
        if (!hasInnerFolder(folder, foldersOf(file))) continue
        attemptSync(folder, () => rmSync(join(folder, file), { force: true }))
        done.removed++
      }
      makeFolderOnce(list.path)
      const madeFrom = await sourceOf()
      closeLog()
      await writeFile(join(folder, list.path), lines(madeFrom), { force: true, sync: false })
      return { ...done }
    },
    close() {
      closeLog()
      own.close()
    },
  }

  function count(bytes: number): void {
    done.files++
    done.bytes += bytes
  }

  /** Makes the folder of a file. Throws `output-refused` instead of following a link. */
  function makeFolderOnce(file: string): void {
    const path = dirname(file)
    if (made.has(path)) return
    makeInnerFolder(folder, foldersOf(file))
    if (made.size > 10_000) made.clear()
    made.add(path)
  }

  function* putAll<File extends ShortFile>(files: readonly File[]): Generator<File> {
    const isNew = ({ file, hash }: ShortFile) => note.run(file, hash).changes > 0
    const fresh = new Set(files.filter(isNew))
    const changed = new Set([...fresh].filter(({ file, hash }) => isChanged(file, hash)))
    announce([...changed].map(({ file }) => file))
    for (const each of files) {
      if (changed.has(each)) {
        writeShortFile(join(folder, each.file), each.content)
        done.written++
      }
      if (fresh.has(each)) count(each.content.length)
      yield each
    }
  }

  /** Whether a file differs from that of the last run, or is missing. Makes its folder. */
  function isChanged(file: string, hash: string): boolean {
    makeFolderOnce(file)
    return before.get(file) !== hash || !isPlainFile(join(folder, file))
  }

  function announce(files: readonly string[]): void {
    if (files.length === 0) return
    makeFolderOnce(list.path)
    for (const file of files) {
      makeFolderOnce(file)
      if (before.get(file) !== undefined || !isThere(join(folder, file))) continue
      const message = `${file} is there, and marc did not write it: name another folder`
      throw new ArchiveError('output-refused', message, { archive: folder })
    }
    // Whatever happens, the list names a file before it is there.
    attemptSync(folder, () => {
      log ??= openLog(folder, list)
      writeFileSync(log, files.map((file) => lineOf(file, '')).join(''))
    })
  }

  function* gone(): Generator<string> {
    const sql =
      'SELECT file FROM before WHERE file NOT IN (SELECT file FROM now) AND file > ? ORDER BY file LIMIT 1'
    const following = own.prepare<[string], string>(sql).pluck()
    for (let file = following.get(''); file !== undefined; file = following.get(file)) yield file
  }

  function closeLog(): void {
    if (log !== undefined) closeSync(log)
    log = undefined
  }

  async function* lines(made: string | undefined): AsyncGenerator<Uint8Array> {
    yield Buffer.from(`${list.header}\n`)
    const sql = `SELECT file, hash FROM now WHERE file > ? ORDER BY file LIMIT ${TOGETHER}`
    const following = own.prepare<[string], { file: string; hash: string }>(sql)
    for (let rows = following.all(''); rows.length > 0; ) {
      yield Buffer.from(rows.map(({ file, hash }) => lineOf(file, hash)).join(''))
      rows = following.all(rows.at(-1)?.file ?? '')
    }
    if (made !== undefined) yield Buffer.from(`${JSON.stringify({ source: made })}\n`)
  }
}

const foldersOf = (file: string): string[] => file.split('/').slice(0, -1)

/** Lines that are written together. */
const TOGETHER = 1000

const lineOf = (file: string, hash: string): string => `${JSON.stringify([file, hash])}\n`

/** Opens the list of a folder to add lines, with its first line. */
function openLog(folder: string, { path, header }: FolderList): number {
  const log = openToAppend(join(folder, path))
  if (fstatSync(log).size === 0) writeSync(log, `${header}\n`)
  return log
}

function* readList(folder: string, list: FolderList): Generator<Line> {
  const path = join(folder, list.path)
  const refused = (message: string) =>
    new ArchiveError('output-refused', message, { archive: folder })
  const found = statSync(folder, { throwIfNoEntry: false })
  if (found && !found.isDirectory()) throw refused('this is a file, not a folder')
  if (!hasInnerFolder(folder, foldersOf(list.path)) || !isThere(path)) {
    const isForeign = (name: string) => !list.others?.test(name)
    if (found && readdirSync(folder).some(isForeign)) throw refused('the folder has other files')
    return
  }
  if (!isPlainFile(path)) throw refused(`${list.path} is not a file; links are not followed`)
  const [header, ...lines] = readPlainFile(path).split('\n')
  if (header !== list.header) {
    throw new ArchiveError(
      'output-refused',
      `${list.path} was not written by marc: name another folder`,
      { archive: folder },
    )
  }
  for (const line of lines) {
    const entry = parse(line)
    if (entry) yield entry
  }
}

/** A file and its hash, or what the files were made from. */
type Line = [file: string, hash: string] | string

/** Undefined for a line that is not whole, and for a path out of the folder. */
function parse(line: string): Line | undefined {
  try {
    const parsed: unknown = JSON.parse(line)
    if (!Array.isArray(parsed)) {
      const { source } = Object(parsed)
      return typeof source === 'string' ? source : undefined
    }
    const [file, hash] = parsed as unknown[]
    if (typeof file !== 'string' || typeof hash !== 'string') return undefined
    const isInside = file.split('/').every((part) => part !== '' && part !== '..' && part !== '.')
    return isInside && !file.includes('\\') ? [file, hash] : undefined
  } catch {
    return undefined
  }
}
