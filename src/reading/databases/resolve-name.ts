import { ArchiveError } from '../../base/errors.ts'
import type { Database } from '../../database/open-database.ts'
import { quoteName } from '../../database/quote.ts'
import { hasRelation } from '../../database/schema/schema.ts'
import type { Kind } from '../../records/kinds/kind.ts'
import { KINDS } from '../../records/kinds/kinds.ts'
import { closestName, labelName, loginOf, nearestRepositoryName, repositoryOf } from '../names.ts'
import { resolveTarget } from '../resolve-target.ts'

/** The type of a name that somebody may ask for. */
export type NameType = 'repository' | 'person' | 'label' | 'milestone' | 'kind'

interface Source {
  /** Selects the names of records. */
  readonly names: string
  /** Names that only references have. Finding them takes longer, so they are used only if no record matches. */
  readonly others?: {
    /** Selects them, in a source that has these tables. */
    select(has: (table: string) => boolean): string
    nameOf(text: string): string | null
  }
}

const SOURCES: Readonly<Record<NameType, Source>> = {
  repository: {
    names: 'SELECT full_name FROM repositories UNION SELECT repository FROM refs ORDER BY 1',
    others: {
      select: (has) => references('repositories', has),
      nameOf: repositoryOf,
    },
  },
  person: {
    names: 'SELECT login FROM people WHERE login IS NOT NULL',
    others: {
      select: (has) => `${references('users', has)} UNION ${AUTHORS}`,
      nameOf: (text) => (text.includes('://') ? loginOf(text) : text),
    },
  },
  label: {
    names: 'SELECT DISTINCT name FROM labels WHERE name IS NOT NULL',
    others: {
      select: () => 'SELECT label FROM issues_labels UNION SELECT label FROM pull_requests_labels',
      nameOf: (url) => labelName(url) || null,
    },
  },
  milestone: { names: 'SELECT DISTINCT title FROM milestones WHERE title IS NOT NULL' },
  kind: { names: 'SELECT DISTINCT kind FROM record_files ORDER BY 1' },
}

/** The names and addresses of authors of commits. */
const AUTHORS = 'SELECT author_name FROM commits UNION SELECT author_email FROM commits'

/** Finds the names in a source. */
export interface NameSource {
  /** The texts in the first column of a query. */
  texts(sql: string): Promise<string[]>
  has(table: string): boolean
  kinds(): Promise<string[]>
  hasThread(repository: string, number: string): Promise<boolean>
}

/** The names in a database. */
export const namesIn = (database: Database): NameSource => ({
  texts: async (sql) => column(database, sql),
  has: (table) => hasRelation(database, table),
  kinds: async () => namesOf(database, 'kind'),
  hasThread: async (repository, number) => hasThread(database, repository, number),
})

/** The names in several databases. */
export function namesInAll(databases: readonly Database[]): NameSource {
  const all = databases.map(namesIn)
  const each = async (ask: (source: NameSource) => Promise<string[]>) =>
    (await Promise.all(all.map(ask))).flat()
  return {
    texts: (sql) => each((one) => one.texts(sql)),
    has: (table) => all.every((one) => one.has(table)),
    kinds: () => each((one) => one.kinds()),
    hasThread: async (repository, number) =>
      databases.some((database) => hasThread(database, repository, number)),
  }
}

/** What checks the values of parameters by the names in a source. */
export const namesFor = (source: NameSource) => ({
  resolve: (type: NameType, text: string) => resolveName(source, type, text),
  checkThread: (repository: string, number: string) => checkThread(source, repository, number),
})

/** The names of one type that have records. */
export const namesOf = (database: Database, type: NameType): string[] =>
  column(database, SOURCES[type].names)

/**
 * Finds a name regardless of case; a repository also without its owner, if that is unambiguous. Throws `record-ambiguous`, and
 * for an unknown name with the closest one `repository-not-found`, `person-not-found`, `label-not-found`, `milestone-not-found`
 * or `kind-not-found`.
 */
export async function resolveName(
  source: NameSource,
  type: NameType,
  text: string,
): Promise<string> {
  const { names, others } = SOURCES[type]
  const wanted = type === 'person' ? text.replace(/^@/, '') : text
  let known = await (type === 'kind' ? source.kinds() : source.texts(names))
  let found = matching(type, wanted, known)
  if (found.length === 0 && others) {
    const texts = await source.texts(others.select(source.has))
    known = [...known, ...texts.flatMap((each) => others.nameOf(each) ?? [])]
    found = matching(type, wanted, known)
  }
  const [first, ...more] = [...new Set(found)]
  if (first === undefined) {
    const meant = nearestName(type, wanted, known)
    throw new ArchiveError(`${type}-not-found`, `no such ${type}: ${text}`).about(text, meant)
  }
  if (more.length > 0) {
    const several = [first, ...more].slice(0, 5).join(', ')
    const message = `several repositories are called ${JSON.stringify(text)}: ${several}`
    throw new ArchiveError('record-ambiguous', message)
  }
  return first
}

/** A login as in URLs, by which records refer to people; the login of an app may differ. */
export function loginInUrls(database: Database, login: string): string {
  const url = database.prepare<unknown[], string>('SELECT url FROM people WHERE login = ?').pluck()
  return loginOf(url.get(login)) ?? login
}

/** Throws `record-not-found` if a repository has no issue or pull request with a number. */
export async function checkThread(
  source: NameSource,
  repository: string,
  number: string,
): Promise<void> {
  if (await source.hasThread(repository, number)) return
  const message = `${repository} has no issue or pull request ${number}`
  throw new ArchiveError('record-not-found', message)
}

function hasThread(database: Database, repository: string, number: string): boolean {
  try {
    const found = resolveTarget(database, `${repository}#${number}`)
    return found.some(({ table }) => table !== 'discussions')
  } catch (error) {
    if (error instanceof ArchiveError && error.code === 'record-not-found') return false
    throw error
  }
}

/** The identical name, or else names that differ only in case, or in the missing owner. */
function matching(type: NameType, text: string, names: readonly string[]): string[] {
  if (names.includes(text)) return [text]
  const lower = text.toLowerCase()
  const same = names.filter((name) => name.toLowerCase() === lower)
  if (same.length > 0 || type !== 'repository' || text.includes('/')) return same.slice(0, 1)
  return names.filter((name) => name.toLowerCase().endsWith(`/${lower}`))
}

const nearestName = (type: NameType, text: string, names: readonly string[]) =>
  type === 'repository' ? nearestRepositoryName(text, names) : closestName(text, names)

/** The repository that was probably meant. */
export function nearestRepository(database: Database, text: string): string | undefined {
  const names = namesOf(database, 'repository')
  const [short] = matching('repository', text, names)
  if (short !== undefined) return short.toLowerCase() === text.toLowerCase() ? undefined : short
  return nearestName('repository', text, names)
}

/** The login that was probably meant. */
export function nearestPerson(database: Database, text: string): string | undefined {
  const names = namesOf(database, 'person')
  return matching('person', text, names).length > 0 ? undefined : nearestName('person', text, names)
}

// A member of a record may have any type. Rows as arrays may hold any, too.
const column = (database: Database, sql: string): string[] =>
  database
    .prepare<[], unknown[]>(sql)
    .raw()
    .all()
    .flat()
    .filter((name) => typeof name === 'string')

/** Selects the URLs in all columns that refer to a table; each column has an index. */
const references = (table: string, has: (table: string) => boolean): string =>
  Object.entries(KINDS as Record<string, Kind>)
    .filter(([name]) => has(name))
    .flatMap(([name, { columns }]) =>
      Object.entries(columns)
        .filter(([, { refersTo }]) => refersTo?.includes(table))
        .map(([member]) => ({ table: quoteName(name), column: quoteName(member) })),
    )
    .map(
      ({ table, column }) => `SELECT DISTINCT ${column} FROM ${table} WHERE ${column} IS NOT NULL`,
    )
    .join(' UNION ALL ')
