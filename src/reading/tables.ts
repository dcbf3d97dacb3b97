import type { Relation } from '../database/schema/relation.ts'
import { countRows, describeDatabase } from '../query/describe-database.ts'
import { Memo, type Store } from './store.ts'

const TABLES = new Memo<readonly Relation[]>((tables) => tables.length * 4_000)

/** All tables and views: to list them, SQLite compiles every view. */
export const tablesOf = (store: Store): readonly Relation[] =>
  store.remember(TABLES, '', () => describeDatabase(store.database))

const ROWS = new Memo<number>()

/** The number of rows of a table. */
export const rowsOf = (store: Store, table: string): number =>
  store.remember(ROWS, table, () => countRows(store.database, table))
