import Sqlite from 'better-sqlite3'
import { quoteName } from '../../src/database/quote.ts'
import type { Random } from '../bench/random.ts'
import { mutateBytes } from './mutate-bytes.ts'

type Database = Sqlite.Database

/** The same pages with some bits flipped, or with bytes left out and put in. */
export function mutatePages(bytes: Buffer, random: Random): Buffer {
  if (random.chance(0.2)) return mutateBytes(bytes, random)
  const copy = Buffer.from(bytes)
  const size = copy.readUInt16BE(16) === 1 ? 65_536 : copy.readUInt16BE(16)
  for (let left = 1 + random.skewed(40); left > 0; left--) {
    const page = random.chance(0.3) ? random.skewed(8) : random.below(copy.length / size)
    // Headers of pages and of the file say more than what is in them, and what is empty says nothing.
    const from = page * size + random.below(random.chance(0.3) ? 112 : size)
    const at =
      from +
      Math.max(
        0,
        copy.subarray(from, from + size).findIndex((byte) => byte !== 0),
      )
    copy[at] = random.chance(0.5) ? random.below(256) : flipped(copy, at, random)
  }
  return copy
}

const flipped = (bytes: Buffer, at: number, random: Random) =>
  (bytes[at] as number) ^ (1 << random.below(8))

/** Values in SQL that no column expects, and names that lead elsewhere. */
const ODD: readonly string[] = [
  'NULL',
  '0',
  '-1',
  '1.5',
  '-0.0',
  '9e999',
  '9007199254740993',
  '9223372036854775807',
  '-9223372036854775808',
  "''",
  "' '",
  "'text'",
  "'7'",
  "'{'",
  "'\"'",
  "'null'",
  "'[]'",
  "'{}'",
  "'[1,[2],{}]'",
  "'[null]'",
  '\'{"url":{}}\'',
  '\'{"type":[]}\'',
  '\'[{"content":{}}]\'',
  "x''",
  "x'00ff'",
  "x'80'",
  "x'7b7d'",
  'zeroblob(3000000)',
  "char(0) || 'x'",
  'char(10, 13, 27)',
  `'${'['.repeat(1500)}'`,
  `'${'x'.repeat(70_000)}'`,
  'randomblob(40)',
  'hex(randomblob(20))',
  "'../../../escaped'",
  "'/tmp/../escaped'",
  "'../escaped.git'",
  "'refs/heads/../../../escaped'",
  "'ref: ' || char(10) || 'escaped'",
  "'a/../../escaped'",
  "'CON'",
  "'https://['",
  "'javascript:1'",
  "'https://host.example/../..'",
  "'9999-99-99T99:99:99Z'",
  "'+292277026596-12-04'",
  "'%ff%00'",
]

/** Moves rowids beyond what a number holds, to the largest, and to the smallest. */
const FAR = ['+ 9007199254740992', '+ 9223372036854770000', '- 9223372036854775807 - 2']

/** A database in which some cells hold what their columns do not expect. */
export const mutateValues = (bytes: Buffer, random: Random): Buffer =>
  changed(bytes, (database) => {
    if (random.chance(0.5)) forgetConstraints(database)
    for (let left = 1 + random.skewed(6); left > 0; left--) {
      const table = random.pick(tablesIn(database))
      const columns = database
        .prepare<[string], string>('SELECT name FROM pragma_table_info(?)')
        .pluck()
        .all(table)
      const set = random.chance(0.1) ? 'rowid' : quoteName(random.pick(columns))
      const from = random.chance(0.15) ? quoteName(random.pick(columns)) : random.pick(ODD)
      const some = random.chance(0.3) ? 'true' : `rowid % ${1 + random.below(5)} = 0`
      const moved = random.chance(0.5) ? from : `rowid ${random.pick(FAR)}`
      const value = set === 'rowid' ? moved : from
      attempt(database, `UPDATE OR IGNORE ${quoteName(table)} SET ${set} = ${value} WHERE ${some}`)
      if (random.chance(0.15)) attempt(database, `DELETE FROM ${quoteName(table)} WHERE ${some}`)
    }
  })

/** A database whose tables, views, indexes and triggers are not those that were made. */
export const mutateSchema = (bytes: Buffer, random: Random): Buffer =>
  changed(bytes, (database) => {
    for (let left = 1 + random.skewed(4); left > 0; left--) {
      const name = random.pick(tablesIn(database))
      const table = quoteName(name)
      const other = quoteName(random.pick(tablesIn(database)))
      const column = quoteName(
        database
          .prepare<[string], string>('SELECT name FROM pragma_table_info(?) ORDER BY random()')
          .pluck()
          .get(name) ?? 'url',
      )
      const evil = random.pick([
        "load_extension('x')",
        'zeroblob(1e9)',
        "json('{')",
        'abs(-9223372036854775807 - 1)',
        'NULL',
        "'../../escaped'",
      ])
      attempt(
        database,
        random.pick([
          `DROP TABLE ${table}`,
          `DROP TABLE ${table}; CREATE VIEW ${table} AS SELECT * FROM ${other}`,
          `DROP TABLE ${table}; CREATE VIEW ${table} AS SELECT ${evil} AS ${column}, 1 AS url`,
          `DROP TABLE ${table}; CREATE TABLE ${table} (x)`,
          `DROP TABLE ${table}; CREATE VIRTUAL TABLE ${table} USING fts5(url, title, body)`,
          `ALTER TABLE ${table} RENAME TO "odd one"`,
          `ALTER TABLE ${table} RENAME COLUMN ${column} TO odd`,
          `ALTER TABLE ${table} ADD COLUMN odd GENERATED ALWAYS AS (${evil})`,
          `CREATE TRIGGER "on ${left}" AFTER INSERT ON ${table} BEGIN SELECT RAISE(ABORT, 'no'); END`,
          `CREATE TRIGGER "at ${left}" AFTER UPDATE ON ${table} BEGIN DELETE FROM ${table}; END`,
          `DROP VIEW IF EXISTS uploads; CREATE VIEW uploads AS SELECT ${evil} AS url`,
          `DROP VIEW IF EXISTS threads; CREATE VIEW threads AS SELECT ${evil} AS full_name, ${evil} AS number`,
          `CREATE INDEX "odd ${left}" ON ${table} (${column}, 1)`,
          `CREATE TABLE "odd_${left}" (url, _extra, _member_order, _archive, _entry, _record_number)`,
          `CREATE VIEW "odd${left}" AS SELECT * FROM gone`,
        ]),
      )
    }
  })

/** The bytes of a database after a change that nothing refuses. */
function changed(bytes: Buffer, change: (database: Database) => void): Buffer {
  const database = new Sqlite(bytes)
  try {
    database.unsafeMode(true)
    database.pragma('foreign_keys = OFF')
    change(database)
    return database.serialize()
  } finally {
    database.close()
  }
}

function attempt(database: Database, sql: string): void {
  try {
    database.exec(sql)
  } catch {
    // What SQLite does not do is no case.
  }
}

const tablesIn = (database: Database): string[] =>
  database
    .prepare<[], string>(
      `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'
       AND name NOT GLOB 'sqlite_*' ORDER BY name`,
    )
    .pluck()
    .all()

/** Takes NOT NULL and the like out of all tables: a page can be written without SQLite. */
function forgetConstraints(database: Database): void {
  database.pragma('writable_schema = ON')
  database.exec(
    `UPDATE sqlite_schema SET sql = replace(replace(sql, ' NOT NULL,', ','), ' NOT NULL --', ' --')
     WHERE type = 'table'`,
  )
  database.pragma('writable_schema = RESET')
}
