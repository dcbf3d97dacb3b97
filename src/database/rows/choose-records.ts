import { ArchiveError } from '../../errors.ts'
import { kindNamed } from '../../records/kinds/kind-of-record.ts'
import { KINDS } from '../../records/kinds/kinds.ts'
import type { Database } from '../open-database.ts'
import { quoteName } from '../quote.ts'
import { ownerRepository } from './owner-repository.ts'
import { type Reference, referencesOf } from './references.ts'

/** A selection of records. A record must meet all conditions. */
export interface Choice {
  /**
   * owner/name of repositories: records that belong to them, and teams with access to them. Other members of their
   * organizations are left out, so `organizations[].members[].user` may refer to users not in the selection.
   */
  repositories?: readonly string[] | undefined
  /** Created at this time or later. */
  since?: Date | undefined
  /** Records of these kinds. */
  kinds?: readonly string[] | undefined
  /** Records of these kinds are left out, even if others refer to them. */
  withoutKinds?: readonly string[] | undefined
}

/** These are selected only if a selected record refers to them. */
const PEOPLE = ['users', 'bots', 'organizations']

/** False for references that would select a whole organization. */
const bringsAlong = (table: string, { member }: Reference): boolean =>
  table !== 'organizations' && !(table === 'teams' && member === 'permissions')

/**
 * Fills the temporary table `chosen` with the selected records and all records they refer to, directly or indirectly:
 * table (its index in `tables`) and rowid. With repositories, records of other repositories are left out. Throws
 * `repository-not-found` or `kind-not-found`.
 */
export function chooseRecords(
  database: Database,
  tables: readonly string[],
  { repositories, since, kinds, withoutKinds = [] }: Choice,
): void {
  const strange = [...(kinds ?? []), ...withoutKinds].find(
    (kind) => !tables.includes(kind) && !(kind in KINDS),
  )
  if (strange !== undefined) {
    throw new ArchiveError('kind-not-found', `there is no kind ${JSON.stringify(strange)}`)
  }
  database.exec(`
    CREATE TEMP TABLE repositories_asked (url TEXT PRIMARY KEY) WITHOUT ROWID;
    CREATE TEMP TABLE chosen (round INTEGER, "table" INTEGER, id INTEGER, PRIMARY KEY ("table", id));
    CREATE INDEX temp.chosen_by_round ON chosen (round, "table")`)
  for (const name of repositories ?? []) askFor(database, tables, name)
  const within = (table: string) => (repositories ? belongs(table) : undefined)
  tables.forEach((table, i) => {
    if ((kinds && !kinds.includes(table)) || withoutKinds.includes(table)) return
    if (PEOPLE.includes(table) && (repositories || since)) return
    const conditions = [within(table), since && madeSince(table, since)]
    database.exec(`
      INSERT INTO temp.chosen SELECT 0, ${i}, o.rowid FROM ${quoteName(table)} AS o
      WHERE ${conditions.filter((condition) => condition !== undefined).join(' AND ') || 'true'}`)
  })
  bringAlong(database, tables, (table) => {
    if (withoutKinds.includes(table)) return 'false'
    return [...PEOPLE, 'teams'].includes(table) ? undefined : within(table)
  })
}

/** Adds the URLs of a repository, even if only its issues name it. */
function askFor(database: Database, tables: readonly string[], name: string): void {
  const selects = ['repositories', 'issues', 'pull_requests']
    .filter((table) => tables.includes(table))
    .map((table) => {
      const url = table === 'repositories' ? 'url' : 'repository'
      return `SELECT ${url} FROM ${table} WHERE full_name = :name COLLATE NOCASE AND ${url} IS NOT NULL`
    })
  const { changes } = database
    .prepare(`INSERT OR IGNORE INTO temp.repositories_asked ${selects.join(' UNION ')}`)
    .run({ name })
  const known = database.prepare('SELECT 1 FROM temp.repositories_asked').get()
  if (changes > 0 || (known && selects.length === 0)) return
  throw new ArchiveError('repository-not-found', `there is no repository ${JSON.stringify(name)}`)
}

function belongs(table: string): string {
  const asked = 'SELECT url FROM temp.repositories_asked'
  if (table === 'teams') {
    const permissions = 'CASE WHEN json_valid(o.permissions) THEN o.permissions END'
    return `EXISTS (SELECT 1 FROM json_each(${permissions}) AS e
      WHERE CASE e.type WHEN 'object' THEN e.value ->> 'repository' END IN (${asked}))`
  }
  const repository = ownerRepository(table)
  if (repository) return `o.${quoteName(repository)} IN (${asked})`
  // A record without a repository may still have a URL below one.
  return `EXISTS (SELECT 1 FROM temp.repositories_asked AS r
    WHERE substr(o.url, 1, length(r.url) + 1) = r.url || '/')`
}

function madeSince(table: string, since: Date): string {
  const columns = kindNamed(table)?.columns ?? {}
  const dates = ['created_at', 'created_date', 'submitted_at'].filter((name) => name in columns)
  const seconds = Math.ceil(since.getTime() / 1000)
  return `(${dates.map((name) => `unixepoch(o.${name}) >= ${seconds}`).join(' OR ') || 'false'})`
}

/** Adds the records that chosen ones refer to, in rounds until nothing is new. */
function bringAlong(
  database: Database,
  tables: readonly string[],
  condition: (table: string) => string | undefined,
): void {
  const isNew = database.prepare('SELECT 1 FROM temp.chosen WHERE round = ? AND "table" = ?')
  let found = true
  for (let round = 0; found; round++) {
    found = false
    tables.forEach((table, i) => {
      const kind = kindNamed(table)
      if (!kind || !isNew.get(round, i)) return
      for (const reference of referencesOf(kind)) {
        if (!bringsAlong(table, reference)) continue
        for (const target of reference.tables.filter((name) => tables.includes(name))) {
          const added = database.prepare(`
            INSERT OR IGNORE INTO temp.chosen
            SELECT ${round + 1}, ${tables.indexOf(target)}, o.rowid FROM ${quoteName(target)} AS o
            WHERE o.url IN (
              SELECT ${reference.url} FROM temp.chosen AS c
              CROSS JOIN ${quoteName(table)} AS o ON o.rowid = c.id ${reference.from}
              WHERE c.round = ${round} AND c."table" = ${i})
            AND ${condition(target) ?? 'true'}`)
          found = added.run().changes > 0 || found
        }
      }
    })
  }
}
