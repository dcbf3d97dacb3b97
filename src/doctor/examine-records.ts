import type { Database } from '../database/open-database.ts'
import { quoteName } from '../database/quote.ts'
import { recordColumns, recordTables } from '../database/rows/read-record.ts'
import type { DatabaseFault } from './database-fault.ts'

/** Records that come from an archive that is not there, or have JSON that is none. */
export function* examineRecords(database: Database): Generator<DatabaseFault> {
  for (const table of recordTables(database)) {
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
    for (const column of [...lists.map(([member]) => member), '_extra', '_member_order']) {
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
