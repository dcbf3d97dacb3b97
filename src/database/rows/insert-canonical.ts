import type { CanonicalBatch } from '../../records/canonical/read-canonical.ts'
import type { Kind } from '../../records/kinds/kind.ts'
import type { Database, Statement } from '../database.ts'
import { quoteName, quoteText } from '../quote.ts'

/**
 * Inserts canonical records into the table of their kind, as `toRow` and `openRowInserter` would, but lets SQLite parse
 * the JSON: no JavaScript objects, no bound values.
 */
export function openCanonicalInserter(
  database: Database,
  table: string,
  kind: Kind,
  archive: number,
): (entry: string, run: CanonicalBatch) => void {
  const columns = Object.entries(kind.columns)
  const prepare = (present: readonly string[], hasNull: boolean) => {
    // Looking for an absent member takes as long as finding it, so skip those that no record has.
    const names = columns
      .filter(([name, column]) => !column.optional || present.includes(name))
      .map(([name]) => name)
    const values = {
      ...Object.fromEntries(names.map((name) => [name, `value ->> ${quoteText(`$.${name}`)}`])),
      ...(hasNull && {
        _member_order: '(SELECT json_group_array(key) FROM jsonb_each(record.value))',
      }),
      ...{ _archive: archive, _entry: ':entry', _record_number: 'key + :index' },
    }
    return database.prepare(
      `INSERT INTO ${quoteName(table)} (${Object.keys(values).map(quoteName).join(', ')})
       SELECT ${Object.values(values).join(', ')} FROM jsonb_each(CAST(:json AS TEXT)) AS record`,
    )
  }
  const statements = new Map<string, Statement>()
  return (entry, { json, records, index, present, hasNull }) => {
    const key = `${hasNull} ${present}`
    let statement = statements.get(key)
    if (!statement) {
      statement = prepare(present, hasNull)
      statements.set(key, statement)
    }
    const { changes } = statement.run({ entry, json, index })
    if (changes !== records) throw new Error(`${changes} rows of ${records} records in ${entry}`)
  }
}
