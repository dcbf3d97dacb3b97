import { ArchiveError } from '../../base/errors.ts'
import { kindNamed } from '../../records/kinds/kind-of-record.ts'
import { isOfPeople } from '../../records/people-tables.ts'
import { sqliteError } from '../connection.ts'
import type { Database } from '../open-database.ts'
import { quoteName, quoteText } from '../quote.ts'
import { ownerRepository } from './owner-repository.ts'
import { inPeriod, type Period } from './period.ts'
import { hasTemporary, resolveNames } from './resolve-names.ts'
import type { Selection } from './selection.ts'

/** The conditions of a selection as SQL. */
export interface Conditions {
  /** On rows `o` of a table that are roots; undefined if none is. */
  conditionsOf(table: string): string[] | undefined
  /** On rows of the chosen repositories; undefined without repositories or owners. */
  within(table: string): string | undefined
}

/** Puts the names of a selection into temporary tables, which the conditions refer to. Throws as `selectRecords` does. */
export function createConditions(
  database: Database,
  tables: readonly string[],
  selection: Selection,
): Conditions {
  const { since, until, kinds, labels, authors, states, where } = selection
  const inRepositories = selection.repositories !== undefined || selection.owners !== undefined
  resolveNames(database, tables, selection)
  database.exec('CREATE TEMP TABLE IF NOT EXISTS urls_asked (url TEXT PRIMARY KEY) WITHOUT ROWID')
  if (selection.fromQuery !== undefined) runUrlQuery(database, selection.fromQuery)
  for (const { kind, sql } of where ?? []) {
    if (tables.includes(kind)) checkCondition(database, kind, sql)
  }
  const isListed = hasTemporary(database, 'rows_of_repositories')
  const within = (table: string) => (inRepositories ? belongs(table) : undefined)
  // Reads no other rows of a table. For rows found by their URL it would be slower: SQLite would try each of these.
  const isRoot = (table: string) =>
    inRepositories && isListed && ownerRepository(table)
      ? `o.rowid IN (SELECT id FROM temp.rows_of_repositories
          WHERE "table" = ${tables.indexOf(table)} AND url IN (SELECT url FROM temp.repositories_asked))`
      : within(table)
  const isNamed = where !== undefined || selection.fromQuery !== undefined
  const conditionsOf = (table: string): string[] | undefined => {
    if (kinds && !kinds.includes(table)) return undefined
    if (isOfPeople(table) && !isNamed && (inRepositories || since || until)) return undefined
    const columns = kindNamed(table)?.columns ?? {}
    const conditions = [
      isOfPeople(table) && isNamed ? undefined : isRoot(table),
      madeBetween(table, selection, { undated: false }),
      labels && ('labels' in columns && table !== 'repositories' ? HAS_LABEL : 'false'),
      authors && byAuthor(Object.keys(columns)),
      states && inState(table, states),
      where && meets(table, where),
      selection.fromQuery !== undefined ? `o.url IN (SELECT url FROM temp.urls_asked)` : undefined,
    ].filter((condition) => condition !== undefined)
    return conditions.includes('false') ? undefined : conditions
  }
  return { conditionsOf, within }
}

const HAS_LABEL = `EXISTS (
  SELECT 1 FROM json_each(CASE WHEN json_valid(o.labels) THEN o.labels END) AS e
  WHERE e.value IN (SELECT url FROM temp.labels_asked))`

function byAuthor(columns: readonly string[]): string {
  const asked = 'IN (SELECT url FROM temp.authors_asked)'
  const members = columns.filter((name) => name === 'user' || name === 'actor')
  return members.map((name) => `o.${name} ${asked}`).join(' OR ') || 'false'
}

const inState = (table: string, states: readonly string[]): string =>
  table === 'issues' || table === 'pull_requests'
    ? `o.state IN (${states.map(quoteText).join()})`
    : 'false'

function meets(table: string, where: NonNullable<Selection['where']>): string {
  const own = where.filter(({ kind }) => kind === table)
  const rows = own.map(({ sql }) => `SELECT rowid FROM ${quoteName(table)} WHERE (\n${sql}\n)`)
  return rows.map((select) => `o.rowid IN (${select})`).join(' OR ') || 'false'
}

/** The condition on the date of records; undefined without dates. Records without a date meet it if `undated` says so. */
export function madeBetween(
  table: string,
  period: Period,
  { undated = true } = {},
): string | undefined {
  if (!period.since && !period.until) return undefined
  const columns = kindNamed(table)?.columns ?? {}
  const dates = ['created_at', 'created_date', 'submitted_at'].filter((name) => name in columns)
  if (dates.length === 0) return String(undated)
  const conditions = dates.map(
    (name) => `(${inPeriod(`unixepoch(o.${name})`, period).join(' AND ')})`,
  )
  if (undated) conditions.push(`(${dates.map((name) => `o.${name} IS NULL`).join(' AND ')})`)
  return `(${conditions.join(' OR ')})`
}

function belongs(table: string): string {
  const asked = 'SELECT url FROM temp.repositories_asked'
  if (table === 'teams') {
    const permissions = 'CASE WHEN json_valid(o.permissions) THEN o.permissions END'
    return `(o.organization IN (SELECT url FROM temp.owners_asked) OR EXISTS (
      SELECT 1 FROM json_each(${permissions}) AS e
      WHERE CASE e.type WHEN 'object' THEN e.value ->> 'repository' END IN (${asked})))`
  }
  const repository = ownerRepository(table)
  if (repository) return `o.${quoteName(repository)} IN (${asked})`
  // A record without a repository may still have a URL below one.
  return `EXISTS (SELECT 1 FROM temp.repositories_asked AS r
    WHERE substr(o.url, 1, length(r.url) + 1) = r.url || '/')`
}

/** Runs a query for URLs. Throws `query-writes`, or `query-invalid` if it does not have one column. */
function runUrlQuery(database: Database, sql: string): void {
  const query = explain(() => database.prepare(sql))
  if (!query.reader || !query.readonly) throw writes()
  if (query.columns().length !== 1) {
    throw new ArchiveError('query-invalid', 'expected a query with one column of URLs')
  }
  const select = sql.replace(/(?<![\s;])[\s;]+$/, '')
  explain(() =>
    database.exec(`INSERT OR IGNORE INTO temp.urls_asked SELECT * FROM (\n${select}\n)`),
  )
}

/** Throws `query-invalid` if this is no expression over the columns of a table, or `query-writes`. */
function checkCondition(database: Database, table: string, sql: string): void {
  const from = `FROM ${quoteName(table)}`
  // An expression is valid in both places; text that closes the parenthesis itself is not.
  for (const select of [
    `SELECT 1 ${from} WHERE (\n${sql}\n)`,
    `SELECT CASE WHEN (\n${sql}\n) THEN 1 END ${from}`,
  ]) {
    const query = explain(() => database.prepare(select))
    if (!query.reader || !query.readonly) throw writes()
  }
}

const writes = () => new ArchiveError('query-writes', 'expected a query that only reads')

function explain<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    const cause = sqliteError(error) ?? error
    if (!(cause instanceof Error) || cause instanceof ArchiveError) throw error
    throw new ArchiveError('query-invalid', cause.message, {}, cause)
  }
}
