import type { Database, Statement } from './database.ts'

const prepared = new WeakMap<Database, Map<string, Statement<unknown[], unknown>>>()

/**
 * Prepares a statement once for each connection: to prepare one takes longer than to look up a row. Only for our own
 * statements, since there are few. All callers share the statement and its settings of `pluck`, `raw` and `safeIntegers`.
 */
export function prepareOnce<Values extends unknown[], Row>(
  database: Database,
  sql: string,
): Statement<Values, Row> {
  let known = prepared.get(database)
  if (!known) {
    known = new Map()
    prepared.set(database, known)
  }
  let statement = known.get(sql)
  if (!statement) {
    statement = database.prepare<unknown[], unknown>(sql)
    known.set(sql, statement)
  }
  return statement as unknown as Statement<Values, Row>
}
