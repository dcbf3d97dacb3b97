import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { ArchiveError } from '../../base/errors.ts'
import { VERSION } from '../../base/version.ts'
import { openConnection } from '../../database/connection.ts'
import type { Database } from '../../database/database.ts'
import { writeOwnFile } from '../../files/own-file.ts'
import { INDEX_APPLICATION_ID, INDEX_VERSION } from './index-schema.ts'
import { type MakeIndexOptions, makeIndex } from './make-index.ts'

/** The indexes of other databases that a folder keeps: those that were written last. */
const OTHERS = 3

const NAME = /^index(?:-[0-9a-f]{16})?\.db$/

/**
 * The file of the index of databases in a folder. Servers of different databases may have one folder: each has its own index.
 * What a server keeps in folders below it, such as imports, does not count, so that after an import the same file is written.
 *
 * @param databases paths of all databases of the index, in their order
 * @param options what it is made with
 */
export function indexPath(
  folder: string,
  databases: readonly string[],
  { allEvents = false }: { readonly allEvents?: boolean } = {},
): string {
  const base = resolve(folder)
  const isKept = (path: string) => dirname(path) !== base && path.startsWith(base + sep)
  const named = databases.map((path) => resolve(path)).filter((path) => !isKept(path))
  const name = createHash('sha256')
    .update(JSON.stringify([named, allEvents]))
    .digest('hex')
    .slice(0, 16)
  return join(folder, `index-${name}.db`)
}

/** Removes the oldest indexes beside this one. A server that has one open reads on. */
function removeOldest(path: string): void {
  const folder = dirname(path)
  const written = readdirSync(folder).flatMap((name) => {
    const isOther = NAME.test(name) && name !== basename(path)
    const stats = isOther && statSync(join(folder, name), { throwIfNoEntry: false })
    return stats ? [{ name, time: stats.mtimeMs }] : []
  })
  for (const { name } of written.sort((a, b) => b.time - a.time).slice(OTHERS)) {
    try {
      rmSync(join(folder, name), { force: true })
    } catch {
      // Windows removes no file that is open. The next index tries again.
    }
  }
}

/**
 * A database file as it looks from outside. That changes with every write. The file is not opened: closing it would
 * release the locks by which SQLite holds it here.
 */
export function stampOf(path: string): string {
  const { ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true })
  // Another program may have given it a write-ahead log; ours have none.
  const log = statSync(`${path}-wal`, { bigint: true, throwIfNoEntry: false })
  const written = log && log.size > 0n ? ` ${log.size} ${log.mtimeNs}` : ''
  return `${ino} ${size} ${mtimeNs} ${ctimeNs}${written}`
}

/** A key of the sources and options of an index. An index with another key does not fit. */
export function keyOf(
  databases: readonly Database[],
  { allEvents }: { allEvents: boolean },
): string {
  const contents = databases.map((database) => {
    const archives = database
      .prepare<[], string | null>('SELECT sha256 FROM archives ORDER BY id')
      .pluck()
      .all()
    return [stampOf(database.name), archives]
  })
  return JSON.stringify([[INDEX_VERSION, VERSION, allEvents], ...contents])
}

/** How many databases an index has, if these are the first of more that another key has; else 0. */
function countKnown(former: string, key: string): number {
  const before: unknown[] = JSON.parse(former)
  const after: unknown[] = JSON.parse(key)
  const isFirst = before.every((part, i) => JSON.stringify(part) === JSON.stringify(after[i]))
  return isFirst && before.length < after.length ? before.length - 1 : 0
}

/**
 * Writes the index of databases into a folder, as `writeOwnFile` does. If the folder has that of the first of them, the others
 * are added to a copy.
 *
 * @param databases files that are open and in no transaction, the one that counts first first
 * @throws `database-busy` if a database changes meanwhile, `folder-foreign`, `output-refused`, `output-full`
 */
export function writeIndex(
  folder: string,
  databases: readonly Database[],
  options: MakeIndexOptions,
): void {
  const path = indexPath(folder, namesOf(databases), options)
  const key = keyOf(databases, options)
  writeOwnFile(path, (partial) => {
    if (!addToCopy(path, partial, databases, key, options)) {
      makeIndex(partial, databases, key, options)
    }
    if (keyOf(databases, options) !== key) throw changed(databases)
  })
  removeOldest(path)
}

/** Whether the index at `path` is one of the first databases to which the others could be added. */
function addToCopy(
  path: string,
  partial: string,
  databases: readonly Database[],
  key: string,
  options: MakeIndexOptions,
): boolean {
  const former = openIndex(path)
  const known = former ? countKnown(former.key, key) : 0
  former?.index.close()
  if (known === 0) return false
  try {
    copyFileSync(path, partial)
    makeIndex(partial, databases, key, { ...options, known })
    return true
  } catch {
    // Whatever is in the way, it is made anew.
    truncateSync(partial)
    return false
  }
}

const namesOf = (databases: readonly Database[]): string[] => databases.map(({ name }) => name)

const changed = (databases: readonly Database[]) =>
  new ArchiveError('database-busy', 'it changed while its index was made', {
    archive: namesOf(databases).join(', '),
  })

/**
 * Opens the index of these databases, if a folder has it.
 *
 * @param options what the index must have been made with
 */
export function findIndex(
  folder: string,
  databases: readonly Database[],
  options: { allEvents: boolean },
): Database | undefined {
  const found = openIndex(indexPath(folder, namesOf(databases), options))
  if (found?.key === keyOf(databases, options)) return found.index
  found?.index.close()
  return undefined
}

/** Opens an index with the key of what it was made of; undefined if there is none. */
function openIndex(path: string): { readonly index: Database; readonly key: string } | undefined {
  if (!existsSync(path)) return undefined
  let index: Database | undefined
  try {
    index = openConnection(path, { readonly: true, fileMustExist: true })
    if (
      index.pragma('application_id', { simple: true }) === INDEX_APPLICATION_ID &&
      index.pragma('user_version', { simple: true }) === INDEX_VERSION
    ) {
      const key = index.prepare<[], string>('SELECT key FROM contents').pluck().get()
      if (key !== undefined) return { index, key }
    }
  } catch {
    // Whatever is wrong with it, it is written again.
  }
  index?.close()
  return undefined
}
