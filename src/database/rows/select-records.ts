import { ArchiveError } from '../../base/errors.ts'
import { KINDS } from '../../records/kinds/kinds.ts'
import { isOfPeople } from '../../records/people-tables.ts'
import type { Database } from '../open-database.ts'
import { prepareOnce } from '../prepare-once.ts'
import { quoteName } from '../quote.ts'
import { addBelonging, addReferenced } from './add-related.ts'
import { createConditions, madeBetween } from './root-conditions.ts'
import type { Selection } from './selection.ts'

/**
 * Fills the temporary table `chosen` with the selected records and all records they refer to, directly or indirectly:
 * table (its index in `tables`) and rowid. With repositories or owners, records of other repositories are left out. Throws
 * `repository-not-found`, `person-not-found`, `label-not-found`, `kind-not-found`, `query-invalid` or `query-writes`.
 */
export function selectRecords(
  database: Database,
  tables: readonly string[],
  selection: Selection,
): void {
  const { kinds = [], withoutKinds = [], where = [] } = selection
  for (const kind of [...kinds, ...withoutKinds, ...where.map(({ kind }) => kind)]) {
    if (!tables.includes(kind) && !(kind in KINDS)) {
      throw new ArchiveError('kind-not-found', `there is no kind ${JSON.stringify(kind)}`).about(
        kind,
      )
    }
  }
  database.exec(`
    CREATE TEMP TABLE IF NOT EXISTS chosen (
      round INTEGER, "table" INTEGER, id INTEGER, PRIMARY KEY ("table", id));
    CREATE INDEX IF NOT EXISTS temp.chosen_by_round ON chosen (round, "table")`)
  const { conditionsOf, within } = createConditions(database, tables, selection)
  tables.forEach((table, i) => {
    const conditions = conditionsOf(table)
    if (conditions === undefined || withoutKinds.includes(table)) return
    prepareOnce(
      database,
      `INSERT INTO temp.chosen SELECT 0, ${i}, o.rowid FROM ${quoteName(table)} AS o
       WHERE ${conditions.join(' AND ') || 'true'}`,
    ).run()
  })
  if (selection.with !== 'none' && mayLackParts(selection)) {
    addBelonging(database, tables, (table) =>
      withoutKinds.includes(table) || (selection.kinds && !kinds.includes(table))
        ? undefined
        : (madeBetween(table, selection) ?? 'true'),
    )
  }
  if (selection.not) {
    invert(database, tables)
    return
  }
  addReferenced(database, tables, (table) => {
    if (withoutKinds.includes(table)) return 'false'
    return isOfPeople(table) || table === 'teams' ? undefined : within(table)
  })
}

/** Whether a root thread may have parts that are no roots. */
const mayLackParts = ({
  repositories: _,
  owners: __,
  kinds,
  not: ___,
  with: ____,
  ...others
}: Selection) => Object.values(others).some((value) => value !== undefined) && kinds?.length !== 0

/** Chooses all records but the chosen ones. */
function invert(database: Database, tables: readonly string[]): void {
  database.exec(`
    ALTER TABLE temp.chosen RENAME TO removed;
    DROP INDEX temp.chosen_by_round;
    CREATE TEMP TABLE chosen (round INTEGER, "table" INTEGER, id INTEGER, PRIMARY KEY ("table", id))`)
  tables.forEach((table, i) => {
    database.exec(`
      INSERT INTO temp.chosen SELECT 0, ${i}, o.rowid FROM ${quoteName(table)} AS o
      WHERE NOT EXISTS (SELECT 1 FROM temp.removed WHERE "table" = ${i} AND id = o.rowid)`)
  })
}

/** How many records the snapshots have, to which parts of one are compared. */
const totals = new WeakMap<Database, number>()

/** Whether the temporary table `chosen` of a snapshot holds every record. */
export function isEverything(database: Database, tables: readonly string[]): boolean {
  const count = (sql: string) => prepareOnce<[], number>(database, sql).pluck().get() as number
  const counts = tables.map((table) => `(SELECT count(*) FROM ${quoteName(table)})`)
  const total = totals.get(database) ?? count(`SELECT ${counts.join(' + ') || '0'}`)
  totals.set(database, total)
  return total === count('SELECT count(*) FROM temp.chosen')
}
