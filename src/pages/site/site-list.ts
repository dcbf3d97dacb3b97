import { closeSync, fstatSync, lstatSync, readdirSync, statSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ArchiveError } from '../../base/errors.ts'
import { openTemporary } from '../../database/connection.ts'
import {
  hasInnerFolder,
  isPlainFile,
  openToAppend,
  readPlainFile,
} from '../../files/inner-folder.ts'
import { attemptSync, isThere, writeFile } from '../../files/write-file.ts'

/**
 * Names every file of a site with the SHA-256 of its content: the first line says what it is, the last one of a whole site what
 * it was made from, each other one is a file.
 */
export const LIST = '-/site.ndjson'

const HEADER = '{"site":"migration-archive","version":1}'

/** The files of a site, written or still to be written, in a temporary SQLite file: memory does not grow with the site. */
export interface SiteList {
  /** A hash of the databases and options of the site in the folder; undefined if it is not whole. */
  readonly source: string | undefined
  /** The number and bytes of its files; undefined if one is missing. */
  measure(): { files: number; bytes: number } | undefined
  /** Adds addresses of pages; those that were added before stay where they are. */
  add(addresses: readonly string[]): void
  /** The next address. */
  next(): string | undefined
  /** The hash of a file in the last site. */
  before(file: string): string | undefined
  /** Notes a file of this site with the hash of its content. Undefined if it was noted before; else what the last site had. */
  note(file: string, hash: string): { readonly before: string | undefined } | undefined
  /** Files of the last site that this one does not have. */
  gone(): Generator<string>
  /** The files of this site, in order. */
  files(): Generator<string>
  /** Names a file in the list on the disk, before the file is there: whatever happens then, it is known to be ours. */
  announce(file: string): void
  /** Writes the list in place of what was announced, and what the site was made from. */
  save(source: string | undefined): Promise<void>
  close(): void
}

/**
 * Reads the list of the site in a folder.
 *
 * @throws `output-refused` for a folder with files that is no site
 */
export function openSiteList(folder: string): SiteList {
  const own = openTemporary()
  let source: string | undefined
  try {
    own.exec(`CREATE TABLE pages (id INTEGER PRIMARY KEY, address TEXT UNIQUE NOT NULL);
      CREATE TABLE before (file TEXT PRIMARY KEY, hash TEXT NOT NULL) WITHOUT ROWID;
      CREATE TABLE now (file TEXT PRIMARY KEY, hash TEXT NOT NULL) WITHOUT ROWID;`)
    // A statement of its own would write its pages to the file.
    own.exec('BEGIN')
    const remember = own.prepare<[string, string]>('INSERT OR REPLACE INTO before VALUES (?, ?)')
    attemptSync(folder, () => {
      for (const line of readList(folder)) {
        source = typeof line === 'string' ? line : undefined
        if (typeof line !== 'string') remember.run(...line)
      }
    })
  } catch (error) {
    own.close()
    throw error
  }
  const insert = own.prepare<[string]>('INSERT OR IGNORE INTO pages (address) VALUES (?)')
  const next = own.prepare<[number], string>('SELECT address FROM pages WHERE id = ?').pluck()
  const before = own.prepare<[string], string>('SELECT hash FROM before WHERE file = ?').pluck()
  const note = own.prepare<[string, string]>('INSERT OR IGNORE INTO now VALUES (?, ?)')
  let at = 0
  let log: number | undefined
  return {
    source,
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
    add(addresses) {
      for (const address of addresses) insert.run(address)
    },
    next() {
      const address = next.get(at + 1)
      if (address !== undefined) at++
      return address
    },
    before: (file) => before.get(file),
    note(file, hash) {
      return note.run(file, hash).changes === 0 ? undefined : { before: before.get(file) }
    },
    *gone() {
      const sql =
        'SELECT file FROM before WHERE file NOT IN (SELECT file FROM now) AND file > ? ORDER BY file LIMIT 1'
      const following = own.prepare<[string], string>(sql).pluck()
      for (let file = following.get(''); file !== undefined; file = following.get(file)) yield file
    },
    *files() {
      const sql = 'SELECT file FROM now WHERE file > ? ORDER BY file LIMIT 1'
      const following = own.prepare<[string], string>(sql).pluck()
      for (let file = following.get(''); file !== undefined; file = following.get(file)) yield file
    },
    announce(file) {
      attemptSync(folder, () => {
        log ??= openLog(folder)
        writeSync(log, lineOf(file, ''))
      })
    },
    async save(made) {
      closeLog()
      await writeFile(join(folder, LIST), lines(made), { force: true, sync: false })
    },
    close() {
      closeLog()
      own.close()
    },
  }

  function closeLog(): void {
    if (log !== undefined) closeSync(log)
    log = undefined
  }

  async function* lines(made: string | undefined): AsyncGenerator<Uint8Array> {
    yield Buffer.from(`${HEADER}\n`)
    const sql = `SELECT file, hash FROM now WHERE file > ? ORDER BY file LIMIT ${TOGETHER}`
    const following = own.prepare<[string], { file: string; hash: string }>(sql)
    for (let rows = following.all(''); rows.length > 0; ) {
      yield Buffer.from(rows.map(({ file, hash }) => lineOf(file, hash)).join(''))
      rows = following.all(rows.at(-1)?.file ?? '')
    }
    if (made !== undefined) yield Buffer.from(`${JSON.stringify({ source: made })}\n`)
  }
}

/** Lines that are written together. */
const TOGETHER = 1000

const lineOf = (file: string, hash: string): string => `${JSON.stringify([file, hash])}\n`

/** Opens the list of a folder to add lines, with its first line. */
function openLog(folder: string): number {
  const log = openToAppend(join(folder, LIST))
  if (fstatSync(log).size === 0) writeSync(log, `${HEADER}\n`)
  return log
}

function* readList(folder: string): Generator<Line> {
  const path = join(folder, LIST)
  const refused = (message: string) =>
    new ArchiveError('output-refused', message, { archive: folder })
  const found = statSync(folder, { throwIfNoEntry: false })
  if (found && !found.isDirectory()) throw refused('this is a file, not a folder')
  if (!hasInnerFolder(folder, [dirname(LIST)]) || !isThere(path)) {
    if (found && readdirSync(folder).length > 0) throw refused('the folder has other files')
    return
  }
  if (!isPlainFile(path)) throw refused(`${LIST} is not a file; links are not followed`)
  const [header, ...lines] = readPlainFile(path).split('\n')
  if (header !== HEADER) {
    throw new ArchiveError(
      'output-refused',
      `${LIST} was not written by marc: name another folder`,
      { archive: folder },
    )
  }
  for (const line of lines) {
    const entry = parse(line)
    if (entry) yield entry
  }
}

/** A file and its hash, or what the site was made from. */
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
