import {
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { openTemporary } from '../../database/connection.ts'
import { ArchiveError } from '../../errors.ts'
import { attemptSync, writeFile } from '../../files/write-file.ts'

/** Names every file of a site with the SHA-256 of its content: the first line says what it is, each other one is a file. */
export const LIST = '-/site.ndjson'

const HEADER = '{"site":"migration-archive","version":1}'

/** The files of a site, written or still to be written, in a temporary SQLite file: memory does not grow with the site. */
export interface SiteList {
  /** Adds addresses of pages; those that were added before stay where they are. */
  add(addresses: readonly string[]): void
  /** The next address. */
  next(): string | undefined
  /** Notes a file of this site with the hash of its content. Undefined if it was noted before; else what the last site had. */
  note(file: string, hash: string): { readonly before: string | undefined } | undefined
  /** Files of the last site that this one does not have. */
  gone(): Generator<string>
  /** The files of this site, in order. */
  files(): Generator<string>
  /** Names a file in the list on the disk, before the file is there: whatever happens then, it is known to be ours. */
  announce(file: string): void
  /** Writes the list in place of what was announced. */
  save(): Promise<void>
  close(): void
}

/**
 * Reads the list of the site in a folder.
 *
 * @throws `output-refused` for a folder with files that is no site
 */
export function openSiteList(folder: string): SiteList {
  const own = openTemporary()
  try {
    own.exec(`CREATE TABLE pages (id INTEGER PRIMARY KEY, address TEXT UNIQUE NOT NULL);
      CREATE TABLE before (file TEXT PRIMARY KEY, hash TEXT NOT NULL) WITHOUT ROWID;
      CREATE TABLE now (file TEXT PRIMARY KEY, hash TEXT NOT NULL) WITHOUT ROWID;`)
    // A statement of its own would write its pages to the file.
    own.exec('BEGIN')
    const remember = own.prepare<[string, string]>('INSERT OR REPLACE INTO before VALUES (?, ?)')
    attemptSync(folder, () => {
      for (const [file, hash] of readList(folder)) remember.run(file, hash)
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
    add(addresses) {
      for (const address of addresses) insert.run(address)
    },
    next() {
      const address = next.get(at + 1)
      if (address !== undefined) at++
      return address
    },
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
    async save() {
      closeLog()
      await writeFile(join(folder, LIST), lines(), { force: true, sync: false })
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

  async function* lines(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(`${HEADER}\n`)
    const sql = `SELECT file, hash FROM now WHERE file > ? ORDER BY file LIMIT ${TOGETHER}`
    const following = own.prepare<[string], { file: string; hash: string }>(sql)
    for (let rows = following.all(''); rows.length > 0; ) {
      yield Buffer.from(rows.map(({ file, hash }) => lineOf(file, hash)).join(''))
      rows = following.all(rows.at(-1)?.file ?? '')
    }
  }
}

/** Lines that are written together. */
const TOGETHER = 1000

const lineOf = (file: string, hash: string): string => `${JSON.stringify([file, hash])}\n`

/** Opens the list of a folder to add lines, with its first line. */
function openLog(folder: string): number {
  const log = openSync(join(folder, LIST), 'a')
  if (fstatSync(log).size === 0) writeSync(log, `${HEADER}\n`)
  return log
}

function* readList(folder: string): Generator<[string, string]> {
  const path = join(folder, LIST)
  const refused = (message: string) =>
    new ArchiveError('output-refused', message, { archive: folder })
  if (!existsSync(path)) {
    const found = statSync(folder, { throwIfNoEntry: false })
    if (found && !found.isDirectory()) throw refused('this is a file, not a folder')
    if (found && readdirSync(folder).length > 0) throw refused('the folder has other files')
    return
  }
  const [header, ...lines] = readFileSync(path, 'utf8').split('\n')
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

/** A file and its hash; undefined for a line that is not whole, and for a path out of the folder. */
function parse(line: string): [string, string] | undefined {
  try {
    const [file, hash] = JSON.parse(line) as unknown[]
    if (typeof file !== 'string' || typeof hash !== 'string') return undefined
    const isInside = file.split('/').every((part) => part !== '' && part !== '..' && part !== '.')
    return isInside && !file.includes('\\') ? [file, hash] : undefined
  } catch {
    return undefined
  }
}
