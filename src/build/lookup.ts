import type { Database } from '../database/open-database.ts'
import { prepareOnce } from '../database/prepare-once.ts'
import { quoteName } from '../database/quote.ts'
import { hasTemporary } from '../database/rows/resolve-names.ts'
import { hasRelation } from '../database/schema/schema.ts'
import { SHARED_PATHS } from '../rules/files.ts'
import { SHARED_LABELS } from '../rules/urls.ts'

/** Looks up what records may refer to, in a database that does not change during the build. */
export interface Lookup {
  hasRecord(table: string, url: string): boolean
  /** Whether a kind has any record with a URL. */
  hasAny(table: string): boolean
  /** Whether several labels have this URL. */
  isSharedLabel(url: string): boolean
  isFile(path: string): boolean
  /** Whether there are files below this path. */
  hasFolder(path: string): boolean
  /** Whether there is a file with this path or below it. */
  hasFile(path: string): boolean
  /** Whether several records refer to the file with this path. */
  isSharedFile(path: string): boolean
  /** Whether an archive defines URLs of another host. */
  hasOwnShapes(): boolean
}

/** Answers about a table that are remembered: most references are to few people. */
const MOST_KNOWN = 4000

export function createLookup(database: Database): Lookup {
  const tables = new Map<string, (url: string) => boolean>()
  const filled = new Map<string, boolean>()
  const exists = <Values extends string[]>(select: string) => {
    const statement = prepareOnce<Values, number>(database, `SELECT EXISTS (${select})`).pluck()
    return (...values: Values) => statement.get(...values) === 1
  }
  const isFile = exists<[string]>('SELECT 1 FROM files WHERE path = ?')
  const isFolder = exists<[string, string]>('SELECT 1 FROM files WHERE path > ? AND path < ?')
  return {
    hasRecord(table, url) {
      let has = tables.get(table)
      if (!has) {
        has = openTable(database, table)
        tables.set(table, has)
      }
      return has(url)
    },
    hasAny(table) {
      const has =
        filled.get(table) ??
        (hasRelation(database, table) &&
          exists<[]>(`SELECT 1 FROM ${quoteName(table)} WHERE url IS NOT NULL`)())
      filled.set(table, has)
      return has
    },
    isSharedLabel: openShared(database, 'shared_labels', SHARED_LABELS),
    isFile,
    hasFolder: (path) => isFolder(`${path}/`, `${path}0`),
    isSharedFile: openShared(database, 'shared_files', SHARED_PATHS),
    hasFile: (path) => isFile(path) || isFolder(`${path}/`, `${path}0`),
    hasOwnShapes: exists<[]>('SELECT 1 FROM archives WHERE urls IS NOT NULL'),
  }
}

function openTable(database: Database, table: string): (url: string) => boolean {
  if (!hasRelation(database, table)) return () => false
  let from = quoteName(table)
  if (table === 'labels') {
    // Labels are in lists of repositories, without an index.
    from = 'temp.label_urls'
    if (!hasTemporary(database, 'label_urls')) {
      database.exec(`CREATE TEMP TABLE label_urls (url PRIMARY KEY) WITHOUT ROWID;
        INSERT OR IGNORE INTO temp.label_urls SELECT url FROM main.labels WHERE url IS NOT NULL`)
    }
  }
  const select = prepareOnce(database, `SELECT 1 FROM ${from} WHERE url = ?`).pluck()
  const known = new Map<string, boolean>()
  return (url) => {
    let has = known.get(url)
    if (has === undefined) {
      has = select.get(url) !== undefined
      if (known.size === MOST_KNOWN) known.clear()
      known.set(url, has)
    }
    return has
  }
}

/** Looks values up in the result of a SELECT, which runs at the first lookup. */
function openShared(database: Database, table: string, select: string) {
  let find: { get(value: string): unknown } | undefined
  return (value: string): boolean => {
    if (!find) {
      if (!hasTemporary(database, table)) {
        database.exec(`CREATE TEMP TABLE ${table} (value PRIMARY KEY) WITHOUT ROWID;
          INSERT OR IGNORE INTO temp.${table} ${select}`)
      }
      find = database.prepare<[string]>(`SELECT 1 FROM temp.${table} WHERE value = ?`)
    }
    return find.get(value) !== undefined
  }
}
