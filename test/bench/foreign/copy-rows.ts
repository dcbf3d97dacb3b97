// node copy-rows.ts DATABASE COPY: inserts the rows of a database into an empty one with the same tables and indexes, in SQLite
// itself: the least that a loader of these rows can do.
import Database from 'better-sqlite3'

const [from = '', to = ''] = process.argv.slice(2)
const copy = new Database(to)
copy.pragma('journal_mode = OFF')
copy.pragma('synchronous = OFF')
copy.prepare('ATTACH ? AS source').run(from)
const made = copy
  .prepare<[], { type: string; name: string; sql: string }>(
    "SELECT type, name, sql FROM source.sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'",
  )
  .all()
const tables = made.filter(({ type }) => type === 'table')
copy.exec('BEGIN')
for (const { name, sql } of tables) {
  copy.exec(sql)
  const columns = copy
    .prepare<[string], string>('SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0')
    .pluck()
    .all(name)
    .map((column) => `"${column}"`)
    .join(', ')
  copy.exec(`INSERT INTO main."${name}" (${columns}) SELECT ${columns} FROM source."${name}"`)
}
for (const { type, sql } of made) if (type === 'index') copy.exec(sql)
copy.exec('COMMIT')
copy.close()
