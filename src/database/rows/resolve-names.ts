import { ArchiveError, type ErrorCode } from '../../base/errors.ts'
import { lastPart, percentDecoded } from '../../base/text.ts'
import { kindNamed } from '../../records/kinds/kind-of-record.ts'
import type { Database } from '../open-database.ts'
import { quoteName } from '../quote.ts'
import { ownerRepository } from './owner-repository.ts'
import type { Selection } from './selection.ts'

/**
 * Puts the URLs of the names in a selection into temporary tables. Throws `repository-not-found`,
 * `person-not-found` or `label-not-found`.
 */
export function resolveNames(
  database: Database,
  tables: readonly string[],
  selection: Selection,
): void {
  database.exec(`
    CREATE TEMP TABLE IF NOT EXISTS repositories_asked (url TEXT PRIMARY KEY) WITHOUT ROWID;
    CREATE TEMP TABLE IF NOT EXISTS owners_asked (url TEXT PRIMARY KEY) WITHOUT ROWID;
    CREATE TEMP TABLE IF NOT EXISTS labels_asked (url TEXT PRIMARY KEY) WITHOUT ROWID;
    CREATE TEMP TABLE IF NOT EXISTS authors_asked (url TEXT PRIMARY KEY) WITHOUT ROWID`)
  const { repositories, owners, labels, authors } = selection
  if (repositories ?? owners) resolveRepositories(database, tables, selection)
  for (const name of labels ?? []) addNamed(database, 'labels_asked', labelUrls(database), name)
  for (const login of authors ?? []) {
    addNamed(database, 'authors_asked', personUrls(database, tables), login)
  }
}

/** Adds the URLs of repositories, even if only their issues name them, and of their owners. */
function resolveRepositories(
  database: Database,
  tables: readonly string[],
  { repositories, owners }: Selection,
): void {
  listRepositories(database, tables)
  const select = database
    .prepare<[string], string>(
      'SELECT url FROM temp.known_repositories WHERE lower(full_name) GLOB ?',
    )
    .pluck()
  const byUrl = database
    .prepare<[string], string>('SELECT url FROM temp.known_repositories WHERE url = ?')
    .pluck()
  const find = (pattern: string) => select.all(globOf(pattern))
  const asked = (repositories ?? ['*']).map((name) => {
    const urls = name.includes('://') ? byUrl.all(name) : find(name)
    if (urls.length > 0) return urls
    throw notFound('repository', name)
  })
  const owned = owners?.map((login) => {
    const urls = find(`${login}/*`)
    const own = ownerUrls(database, tables, login)
    for (const url of own) addUrl(database, 'owners_asked', url)
    if (urls.length === 0 && own.length === 0) throw notFound('person', login)
    return urls
  })
  const isOwned = new Set(owned?.flat())
  for (const url of asked.flat()) {
    if (!owned || isOwned.has(url)) addUrl(database, 'repositories_asked', url)
  }
}

/** Fills the temporary table `known_repositories`: the URL and name of each that is there or has an issue or pull request. */
export function listRepositories(database: Database, tables: readonly string[]): void {
  if (hasTemporary(database, 'known_repositories')) return
  const selects = ['repositories', 'issues', 'pull_requests']
    .filter((table) => tables.includes(table))
    .map((table) => {
      const url = table === 'repositories' ? 'url' : 'repository'
      return `SELECT DISTINCT ${url} AS url, full_name FROM ${table} WHERE ${url} IS NOT NULL`
    })
  const known = selects.join(' UNION ') || 'SELECT NULL AS url, NULL AS full_name WHERE false'
  database.exec(`CREATE TEMP TABLE known_repositories AS ${known}`)
}

/** `*` and `?` match any characters; letters match in either case. */
const globOf = (name: string) => name.toLowerCase().replaceAll('[', '[[]')

/** The URLs of an owner, of whom there need not be a record. */
function ownerUrls(database: Database, tables: readonly string[], login: string): string[] {
  const wanted = login.toLowerCase()
  const selects = [
    "SELECT url, login AS name FROM people WHERE typeof(url) = 'text'",
    ...[['teams', 'organization'] as const, ['repositories', 'owner'] as const]
      .filter(([table]) => tables.includes(table))
      .map(
        ([table, owner]) => `SELECT ${owner}, NULL FROM ${table} WHERE typeof(${owner}) = 'text'`,
      ),
  ]
  return database
    .prepare<[], Named>(selects.join(' UNION '))
    .all()
    .filter(({ url, name }) => (name ?? lastPart(url)).toLowerCase() === wanted)
    .map(({ url }) => url)
}

/** Adds the URLs whose last part is a name, whatever its case. Throws if there are none. */
function addNamed(
  database: Database,
  asked: 'labels_asked' | 'authors_asked',
  urls: () => Iterable<{ url: string; name: string | null }>,
  name: string,
): void {
  const wanted = name.toLowerCase()
  let isFound = false
  for (const { url, name: own } of urls()) {
    if (own?.toLowerCase() !== wanted && percentDecoded(lastPart(url)).toLowerCase() !== wanted)
      continue
    addUrl(database, asked, url)
    isFound = true
  }
  if (!isFound) throw notFound(asked === 'labels_asked' ? 'label' : 'person', name)
}

type Named = { url: string; name: string | null }

const labelUrls = (database: Database) => () =>
  database
    .prepare<[], Named>(
      `SELECT url, name FROM labels WHERE typeof(url) = 'text' UNION
       SELECT label, NULL FROM issues_labels WHERE typeof(label) = 'text' UNION
       SELECT label, NULL FROM pull_requests_labels WHERE typeof(label) = 'text' UNION
       SELECT label, NULL FROM discussions_labels WHERE typeof(label) = 'text'`,
    )
    .all()

function personUrls(database: Database, tables: readonly string[]) {
  const used = tables.flatMap((table) =>
    Object.keys(kindNamed(table)?.columns ?? {})
      .filter((name) => name === 'user' || name === 'actor')
      .map((name) => `SELECT DISTINCT ${name}, NULL FROM ${table} WHERE typeof(${name}) = 'text'`),
  )
  const people = `SELECT url, login AS name FROM people WHERE typeof(url) = 'text'`
  return () => database.prepare<[], Named>([people, ...used].join(' UNION ')).all()
}

const addUrl = (database: Database, table: string, url: string) =>
  database.prepare(`INSERT OR IGNORE INTO temp.${table} VALUES (?)`).run(url)

const NOT_FOUND = {
  repository: 'repository-not-found',
  person: 'person-not-found',
  label: 'label-not-found',
} as const satisfies Record<string, ErrorCode>

const notFound = (kind: keyof typeof NOT_FOUND, name: string) =>
  new ArchiveError(NOT_FOUND[kind], `there is no ${kind} ${JSON.stringify(name)}`).about(name)

/**
 * Lists the rows of every repository in a temporary table, so that choosing one repository after the other reads each
 * table once.
 */
export function listRowsOfRepositories(database: Database, tables: readonly string[]): void {
  database.exec(`CREATE TEMP TABLE rows_of_repositories (
    "table" INTEGER, url TEXT, id INTEGER, PRIMARY KEY ("table", url, id)) WITHOUT ROWID`)
  tables.forEach((table, i) => {
    const repository = ownerRepository(table)
    if (!repository) return
    const url = quoteName(repository)
    database.exec(`INSERT INTO temp.rows_of_repositories
      SELECT ${i}, ${url}, rowid FROM ${quoteName(table)} WHERE typeof(${url}) = 'text'`)
  })
}

/** Whether there is a temporary table with this name. */
export const hasTemporary = (database: Database, name: string): boolean =>
  database.prepare('SELECT 1 FROM sqlite_temp_schema WHERE name = ?').get(name) !== undefined
