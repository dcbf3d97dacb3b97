import type { Database } from '../database/open-database.ts'
import { quoteName } from '../database/quote.ts'
import { recordColumns, recordTables } from '../database/read-record.ts'
import type { Ailment } from './ailment.ts'

/** Records that are not there although they were loaded, come from nowhere, or have JSON that is none. */
export function* examineRecords(database: Database): Generator<Ailment> {
  const tables = recordTables(database)
  yield* findMissing(database, tables)
  for (const table of tables) {
    const name = quoteName(table)
    const strays = countOf(
      database,
      `${name} WHERE _archive IS NOT NULL AND _archive NOT IN (SELECT id FROM archives)`,
    )
    if (strays > 0) {
      yield { code: 'origin-unknown', where: table, message: `${strays} rows` }
    }
    const { kind } = recordColumns(table)
    const lists = Object.entries(kind.columns).filter(([, { storage }]) => storage === 'json')
    for (const column of [...lists.map(([member]) => member), '_rest', '_members']) {
      const cell = quoteName(column)
      const broken = countOf(
        database,
        `${name} WHERE ${cell} IS NOT NULL AND NOT json_valid(${cell})`,
      )
      if (broken === 0) continue
      yield { code: 'json-damaged', where: `${table}.${column}`, message: `in ${broken} rows` }
    }
  }
}

const countOf = (database: Database, from: string): number =>
  database.prepare<[], number>(`SELECT count(*) FROM ${from}`).pluck().get() ?? 0

/**
 * What a file of records held, less what gave way to later records, is there unless somebody has removed it. Several
 * entries with one path are one here, and share the count of what gave way.
 */
function* findMissing(database: Database, tables: readonly string[]): Generator<Ailment> {
  const there = tables
    .map((table) => `SELECT _archive AS archive, _entry AS path FROM ${quoteName(table)}`)
    .join(' UNION ALL ')
  const gone = database.prepare<[], Record<'name' | 'path', string> & Counted>(`
    WITH counted AS (SELECT archive, path, count(*) AS found FROM (${there}) GROUP BY 1, 2),
    held AS (SELECT archive, path, sum(records) - max(replaced) AS expected FROM shards GROUP BY 1, 2)
    SELECT name, path, expected, coalesce(found, 0) AS found
    FROM held JOIN archives ON archives.id = archive LEFT JOIN counted USING (archive, path)
    WHERE expected > coalesce(found, 0) ORDER BY archive, path LIMIT 1000`)
  const several = database.prepare('SELECT 1 FROM archives LIMIT 1 OFFSET 1').get() !== undefined
  for (const { name, path, expected, found } of gone.all()) {
    const where = several ? `${name}, ${path}` : path
    yield { code: 'records-missing', where, message: `${found} of ${expected} are there` }
  }
}

type Counted = Record<'expected' | 'found', number>
