import { kindNamed } from '../../records/kinds/kind-of-record.ts'
import { SIGNS, uploadLinks } from '../../records/upload-links.ts'
import type { Database } from '../open-database.ts'
import { prepareOnce } from '../prepare-once.ts'
import { quoteName } from '../quote.ts'
import { readPages } from '../read-pages.ts'
import { hasRows } from './read-record.ts'
import { type Reference, referencesOf } from './references.ts'

/** SQL that holds for the rows `o` of a table that may be chosen; undefined if all may. */
type Condition = (table: string) => string | undefined

/** False for references that would select a whole organization. */
const bringsAlong = (table: string, { member }: Reference): boolean =>
  table !== 'organizations' && !(table === 'teams' && member === 'permissions')

/**
 * Members that name the thread, comment or review that a record belongs to: without it, the record has no place. An event
 * also names other issues, but those are not its place.
 */
const PARENTS: Readonly<Record<string, string>> = {
  issue: 'issues',
  pull_request: 'pull_requests',
  discussion: 'discussions',
  issue_comment: 'issue_comments',
  pull_request_review: 'pull_request_reviews',
  pull_request_review_thread: 'pull_request_review_threads',
  pull_request_review_comment: 'pull_request_review_comments',
}

/** The members of a table that name what its records belong to. */
const parentsOf = (table: string): string[] =>
  Object.keys(PARENTS).filter((member) => member in (kindNamed(table)?.columns ?? {}))

/** Adds what belongs to the chosen issues, pull requests and discussions, in rounds until nothing is new. */
export function addBelonging(
  database: Database,
  tables: readonly string[],
  condition: Condition,
): void {
  const parts = tables.flatMap((table) => {
    const allowed = condition(table)
    return parentsOf(table).flatMap((member) => {
      const parent = tables.indexOf(PARENTS[member] as string)
      return parent < 0 || allowed === undefined ? [] : [{ table, member, parent, allowed }]
    })
  })
  // Only threads among the roots bring records along.
  const threads = ['issues', 'pull_requests', 'discussions'].map((name) => tables.indexOf(name))
  for (let round = 0, found = true; found; round++) {
    found = false
    for (const { table, member, parent, allowed } of parts) {
      if (round === 0 && !threads.includes(parent)) continue
      const column = `o.${quoteName(member)}`
      const { changes } = database
        .prepare(`
          INSERT OR IGNORE INTO temp.chosen
          SELECT ${round + 1}, ${tables.indexOf(table)}, o.rowid FROM temp.chosen AS c
          CROSS JOIN ${quoteName(tables[parent] as string)} AS p ON p.rowid = c.id
          CROSS JOIN ${quoteName(table)} AS o ON ${column} = p.url AND ${column} IS NOT NULL
          WHERE c.round = ${round} AND c."table" = ${parent} AND ${allowed}`)
        .run()
      found ||= changes > 0
    }
  }
  // All of them are new to those who look for references.
  database.exec('UPDATE temp.chosen SET round = 0 WHERE round > 0')
}

/** Adds the records that chosen ones refer to and uploads that their texts link to, in rounds until nothing is new. */
export function addReferenced(
  database: Database,
  tables: readonly string[],
  condition: Condition,
): void {
  const isNew = prepareOnce(database, 'SELECT 1 FROM temp.chosen WHERE round = ? AND "table" = ?')
  const bringUploads = openUploads(database, tables, condition)
  let found = true
  for (let round = 0; found; round++) {
    found = false
    tables.forEach((table, i) => {
      const kind = kindNamed(table)
      if (!kind || !isNew.get(round, i)) return
      for (const reference of referencesOf(kind)) {
        if (!bringsAlong(table, reference)) continue
        const targets = reference.tables.filter((name) => tables.includes(name))
        if (targets.length === 0) continue
        // Each row is read once, whatever the number of tables that may have the record.
        prepareOnce(database, 'DELETE FROM temp.linked_urls').run()
        prepareOnce(
          database,
          `INSERT OR IGNORE INTO temp.linked_urls
          SELECT ${reference.url} FROM temp.chosen AS c
          CROSS JOIN ${quoteName(table)} AS o ON o.rowid = c.id ${reference.from}
          WHERE c.round = ? AND c."table" = ${i}`,
        ).run(round)
        for (const target of targets) {
          const added = prepareOnce(
            database,
            `INSERT OR IGNORE INTO temp.chosen
            SELECT ?, ${tables.indexOf(target)}, o.rowid FROM temp.linked_urls AS l
            CROSS JOIN ${quoteName(target)} AS o ON o.url = l.url
            WHERE ${condition(target) ?? 'true'}`,
          )
          found = added.run(round + 1).changes > 0 || found
        }
      }
      if ('body' in kind.columns) found = bringUploads(table, i, round) || found
    })
  }
}

const UPLOADS = ['attachments', 'repository_files']
const PAGE = 500

/** Adds the records of uploads that texts link to. Says whether there were new ones. */
function openUploads(database: Database, tables: readonly string[], condition: Condition) {
  const isAny = UPLOADS.some((table) => tables.includes(table) && hasRows(database, table))
  database.exec('CREATE TEMP TABLE IF NOT EXISTS linked_urls (url TEXT PRIMARY KEY) WITHOUT ROWID')
  const insert = database.prepare('INSERT OR IGNORE INTO temp.linked_urls VALUES (?)')
  return (table: string, i: number, round: number): boolean => {
    if (!isAny) return false
    database.exec('DELETE FROM temp.linked_urls')
    const signs = SIGNS.map((sign) => `instr(o.body, '${sign}')`).join(' OR ')
    const pages = readPages(database, {
      columns: 'NULL',
      from: `temp.chosen AS c CROSS JOIN ${quoteName(table)} AS o ON o.rowid = c.id`,
      where: `c."table" = ${i} AND c.round = ${round} AND typeof(o.body) = 'text' AND (${signs})`,
      key: 'c.id',
      size: PAGE,
    })
    const read = database
      .prepare<[bigint], string>(`SELECT body FROM ${quoteName(table)} WHERE rowid = ?`)
      .pluck()
    for (const rows of pages) {
      // One by one: a text may be as large as a record may be.
      for (const { position } of rows) {
        for (const link of uploadLinks(read.get(position) ?? '')) insert.run(link)
      }
    }
    let changes = 0
    for (const target of UPLOADS.filter((name) => tables.includes(name))) {
      const added = database.prepare(`
        INSERT OR IGNORE INTO temp.chosen
        SELECT ${round + 1}, ${tables.indexOf(target)}, o.rowid FROM ${target} AS o
        WHERE o.url IN (SELECT url FROM temp.linked_urls) AND ${condition(target) ?? 'true'}`)
      changes += added.run().changes
    }
    return changes > 0
  }
}
