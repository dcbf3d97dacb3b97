import type { Database } from '../database/open-database.ts'
import { quoteName } from '../database/quote.ts'
import { createStatement } from '../database/schema/relation.ts'
import type { DatabaseFault } from './database-fault.ts'
import { expectedRelations } from './expected-relations.ts'

/** Tables, views and indexes that are not as this version makes them. What somebody has added is nothing wrong. */
export function* examineRelations(database: Database): Generator<DatabaseFault> {
  const find = database.prepare<[string], { type: string; sql: string }>(
    'SELECT type, sql FROM sqlite_schema WHERE name = ?',
  )
  const columnsOf = database
    .prepare<[string], string>('SELECT name FROM pragma_table_xinfo(?)')
    .pluck()
  for (const relation of expectedRelations(database)) {
    const { name, type, columns, indexes = [] } = relation
    const found = find.get(name)
    if (type === 'view') {
      if (!found) yield { code: 'view-changed', where: name, message: 'it is not there' }
      else if (found.type !== 'view' || found.sql !== createStatement(relation)) {
        yield { code: 'view-changed', where: name, message: 'it is another one' }
      }
      continue
    }
    if (found?.type !== 'table') {
      yield { code: 'table-missing', where: name, message: 'it is not there' }
      continue
    }
    const there = new Set(columnsOf.all(name))
    const missing = columns.filter((column) => !there.has(column.name)).map(({ name }) => name)
    if (missing.length > 0) {
      yield { code: 'table-changed', where: name, message: `without ${missing.join(', ')}` }
    }
    for (const index of indexes) {
      if (find.get(index.name)) continue
      yield { code: 'index-missing', where: index.name, message: `of the table ${name}` }
      if (index.unique && index.on === '"url"') yield* findRepeated(database, name)
    }
  }
}

function* findRepeated(database: Database, table: string): Generator<DatabaseFault> {
  const { times } = database
    .prepare<[], { times: number }>(
      `SELECT count("url") - count(DISTINCT "url") AS times FROM ${quoteName(table)}`,
    )
    .get() ?? { times: 0 }
  if (times > 0) yield { code: 'url-repeated', where: table, message: `${times} rows too many` }
}
