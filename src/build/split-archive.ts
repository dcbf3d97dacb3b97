import {
  aFunction,
  anOpenDatabase,
  checkArguments,
  checkOptions,
  oneOf,
} from '../base/check-arguments.ts'
import { ArchiveError } from '../base/errors.ts'
import { refuseLargeCells } from '../database/large-cells.ts'
import type { Database } from '../database/open-database.ts'
import { openSnapshot } from '../database/open-snapshot.ts'
import { prepareOnce } from '../database/prepare-once.ts'
import { quoteName } from '../database/quote.ts'
import { orderOf } from '../database/record-files/place-records.ts'
import { listRepositories, listRowsOfRepositories } from '../database/rows/resolve-names.ts'
import type { Selection } from '../database/rows/selection.ts'
import { kindNamed } from '../records/kinds/kind-of-record.ts'
import { isOfPeople } from '../records/people-tables.ts'
import { applySelection } from './apply-selection.ts'
import { buildSelected, translate } from './build-archive.ts'
import { BUILD_SHAPES, type BuildOptions, SPLITS, type SplitBy } from './build-options.ts'

/** One archive of several. */
export interface ArchivePart {
  /** owner/name, a login, or a year. */
  name: string
  /** Read them before the next part. */
  bytes: AsyncGenerator<Uint8Array>
}

/** How to build each part, and from which records. */
export interface SplitOptions extends BuildOptions {
  /** Called after the last part with the number of records in no part. */
  leftOut?: ((records: number) => void) | undefined
}

/**
 * Builds an archive for each repository, owner or year of a database, all from one snapshot. Each holds the records of its
 * part and everything they refer to, so a person may be in several.
 *
 * @param source an open database
 * @param by what makes a part
 * @param options what to write, and how; another selection narrows each part
 * @returns the parts by name; read the bytes of each before the next one
 * @throws the codes of `buildArchive`; `option-invalid` for `not`, or for a selection of what makes a part
 * @example
 * for (const { name, bytes } of splitArchive(database, 'owner')) {
 *   await pipeline(bytes, createWriteStream(`${name}.tar.gz`))
 * }
 */
export function* splitArchive(
  source: Database,
  by: SplitBy,
  options: SplitOptions = {},
): Generator<ArchivePart> {
  checkArguments({ source, by }, { source: anOpenDatabase, by: oneOf(...SPLITS) })
  checkOptions(options, { ...BUILD_SHAPES, leftOut: aFunction })
  const { leftOut, ...building } = options
  refuseOther(by, building)
  refuseLargeCells(source)
  const database = openSnapshot(source)
  try {
    const { tables } = orderOf(database)
    database.exec(
      'CREATE TEMP TABLE written_rows ("table" INTEGER, id INTEGER, PRIMARY KEY ("table", id))',
    )
    if (by !== 'year') listRowsOfRepositories(database, tables)
    let count = 0
    for (const { name, selection } of partsOf(database, tables, by)) {
      const selected = applySelection(database, { ...building, ...selection })
      const isEmpty = database.prepare('SELECT 1 FROM temp.chosen LIMIT 1').get() === undefined
      if (!isEmpty) {
        count++
        yield { name, bytes: named(buildSelected(database, selected), source.name, building) }
      }
      endPart(database)
    }
    if (count === 0) throw new ArchiveError('records-not-found', 'there are no records to write')
    leftOut?.(countOthers(database, tables))
  } catch (error) {
    throw translate(error, source.name, options)
  } finally {
    database.close()
  }
}

function refuseOther(by: SplitBy, options: BuildOptions): void {
  const { not, cutReferences, repositories, owners, since, until } = options
  const others = by === 'year' ? { since, until } : { repositories, owners }
  for (const [name, value] of Object.entries({ not, cutReferences, ...others })) {
    if (value !== undefined) {
      const message = `${name}: does not go with parts by ${by}`
      throw new ArchiveError('option-invalid', message).about(name)
    }
  }
}

async function* named(
  bytes: AsyncGenerator<Uint8Array>,
  name: string,
  options: BuildOptions,
): AsyncGenerator<Uint8Array> {
  try {
    yield* bytes
  } catch (error) {
    throw translate(error, name, options)
  }
}

/** The parts and what each selects. */
function partsOf(
  database: Database,
  tables: readonly string[],
  by: SplitBy,
): { name: string; selection: Selection }[] {
  if (by === 'year') {
    return yearsOf(database, tables).map((year) => ({
      name: String(year).padStart(4, '0'),
      selection: {
        since: new Date(Date.UTC(year, 0)),
        until: new Date(Date.UTC(year + 1, 0) - 1),
      },
    }))
  }
  listRepositories(database, tables)
  const name = by === 'repo' ? 'full_name' : "substr(full_name, 1, instr(full_name, '/') - 1)"
  const names = database
    .prepare<[], string>(
      `SELECT min(${name}) FROM temp.known_repositories WHERE instr(full_name, '/') > 1
       GROUP BY lower(${name}) ORDER BY lower(${name})`,
    )
    .pluck()
    .all()
  return names.map((name) => ({
    name,
    selection: by === 'repo' ? { repositories: [name] } : { owners: [name] },
  }))
}

/** The years in which records were created. */
function yearsOf(database: Database, tables: readonly string[]): number[] {
  const dates = ['created_at', 'created_date', 'submitted_at']
  const years = tables
    .filter((table) => !isOfPeople(table))
    .flatMap((table) =>
      dates
        .filter((name) => name in (kindNamed(table)?.columns ?? {}))
        .map((name) => `SELECT strftime('%Y', ${name}) AS year FROM ${quoteName(table)}`),
    )
  if (years.length === 0) return []
  return database
    .prepare<[], number>(
      `SELECT DISTINCT CAST(year AS INTEGER) FROM (${years.join(' UNION ')})
       WHERE year IS NOT NULL ORDER BY 1`,
    )
    .pluck()
    .all()
}

// The same for all parts.
const LASTING = [
  'written_rows',
  'rows_of_repositories',
  'known_repositories',
  'known_files',
  'label_urls',
  'shared_labels',
  'shared_files',
  'deleted_files',
]

/**
 * Remembers which rows were written, and empties the temporary tables of a build. They stay, and so do statements on them: a
 * part has some hundred, which take longer to prepare than to run.
 */
function endPart(database: Database): void {
  const temporary = prepareOnce<[], string>(
    database,
    "SELECT name FROM sqlite_temp_schema WHERE type = 'table'",
  )
    .pluck()
    .all()
  if (temporary.includes('chosen')) {
    prepareOnce(
      database,
      'INSERT OR IGNORE INTO temp.written_rows SELECT "table", id FROM temp.chosen',
    ).run()
  }
  for (const name of temporary) {
    if (LASTING.includes(name)) continue
    prepareOnce(database, `DELETE FROM temp.${quoteName(name)}`).run()
  }
}

function countOthers(database: Database, tables: readonly string[]): number {
  const counts = tables.map((table) => `(SELECT count(*) FROM ${quoteName(table)})`)
  return database
    .prepare<[], number>(
      `SELECT ${counts.join(' + ') || '0'} - (SELECT count(*) FROM temp.written_rows)`,
    )
    .pluck()
    .get() as number
}
