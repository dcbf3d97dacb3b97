import type { Database } from '../database/open-database.ts'
import { quoteName, quoteText } from '../database/quote.ts'
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
 * Of the archive that was loaded last nothing has given way to another one: what its files held, less the records
 * whose url stood again later, is there, unless somebody has removed it.
 */
function* findMissing(database: Database, tables: readonly string[]): Generator<Ailment> {
  const last = database.prepare<[], number>('SELECT max(id) FROM archives').pluck().get()
  if (typeof last !== 'number') return
  const there = tables
    .map((table) => `SELECT _entry AS path FROM ${quoteName(table)} WHERE _archive = ${last}`)
    .join(' UNION ALL ')
  const gone = database.prepare<[], { path: string; expected: number; found: number }>(`
    WITH counted AS (SELECT path, count(*) AS found FROM (${there}) GROUP BY path),
    repeated AS (SELECT entry, count(*) AS dropped FROM problems
      WHERE archive = ${last} AND code = ${quoteText('record-duplicate')} GROUP BY entry),
    held AS (SELECT path, sum(records) AS records FROM shards WHERE archive = ${last} GROUP BY path)
    SELECT held.path, records - coalesce(dropped, 0) AS expected, coalesce(found, 0) AS found
    FROM held LEFT JOIN counted USING (path) LEFT JOIN repeated ON repeated.entry = held.path
    WHERE expected > coalesce(found, 0) ORDER BY held.path LIMIT 1000`)
  for (const { path, expected, found } of gone.all()) {
    yield { code: 'records-missing', where: path, message: `${found} of ${expected} are there` }
  }
}
