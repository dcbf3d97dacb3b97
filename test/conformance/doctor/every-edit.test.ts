import { copyFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import Sqlite from 'better-sqlite3'
import { beforeAll, describe, expect, test } from 'vitest'
import { indexCommits } from '../../../src/git/history/index-commits.ts'
import { loadArchive } from '../../../src/load/load-archive.ts'
import { examineAt, updateIndexAt } from '../../support/by-path.ts'
import { folderOf } from '../../support/folder.ts'
import { ROOT, shareFolder } from '../../support/run-command.ts'
import { everyDay, firstOfEach, THOROUGH } from '../../support/thorough.ts'

const HELLO = join(ROOT, 'samples/hello.tar.gz')
/** What somebody may do to a database with SQL, and where doctor finds it. */
const EDITS: [sql: string, where: string][] = [
  // The schema
  ['CREATE TRIGGER evil AFTER UPDATE ON issues BEGIN DELETE FROM users; END', 'trigger evil'],
  ['CREATE TRIGGER search_evil AFTER INSERT ON users BEGIN SELECT 1; END', 'trigger search_evil'],
  [
    'DROP TRIGGER search_insert_issues; CREATE TRIGGER search_insert_issues AFTER INSERT ON issues BEGIN SELECT 1; END',
    'trigger search_insert_issues',
  ],
  ['CREATE TABLE mine (x)', 'table mine'],
  [
    `CREATE TABLE gadgets (url TEXT, type TEXT AS (coalesce(_extra ->> 'type', '')), _extra TEXT, _member_order TEXT,
      _archive INTEGER, _entry TEXT, _record_number INTEGER); CREATE UNIQUE INDEX gadgets_by_url ON gadgets (url)`,
    'table gadgets',
  ],
  ['CREATE VIRTUAL TABLE mine USING fts5(x)', 'table mine'],
  ['CREATE VIEW my_view AS SELECT 1 AS x', 'view my_view'],
  ['CREATE INDEX my_index ON issues (title)', 'index my_index'],
  ['ALTER TABLE issues ADD COLUMN mine TEXT', 'column issues.mine'],
  ["ALTER TABLE refs ADD COLUMN mine AS (name || 'x')", 'column refs.mine'],
  ['ALTER TABLE entries DROP COLUMN whole_header', 'entries'],
  ['ALTER TABLE milestones RENAME title TO name', 'milestones'],
  ['DROP TABLE projects', 'projects'],
  ['ALTER TABLE projects RENAME TO projects2', 'projects'],
  [
    'DROP TABLE tar_headers; CREATE TABLE tar_headers (id INTEGER PRIMARY KEY, bytes TEXT)',
    'table tar_headers',
  ],
  ['DROP VIEW threads', 'threads'],
  ['DROP VIEW threads; CREATE VIEW threads AS SELECT url FROM issues', 'threads'],
  ['DROP VIEW threads; CREATE TABLE threads AS SELECT url FROM issues', 'threads'],
  ['DROP INDEX refs_by_name', 'refs_by_name'],
  ['DROP INDEX refs_by_name; CREATE INDEX refs_by_name ON refs (packed)', 'refs_by_name'],
  ['ANALYZE', 'table sqlite_stat1'],
  // Archives and entries
  ["UPDATE archives SET name = 'other.tar.gz'", 'archives'],
  ['UPDATE archives SET size = size + 1', 'archives'],
  ['UPDATE archives SET sha256 = lower(hex(zeroblob(32)))', 'archives'],
  ["UPDATE archives SET state = 'salvaged'", 'archives'],
  ["UPDATE archives SET exported_at = '2001-01-01T00:00:00Z'", 'archives'],
  ["UPDATE archives SET form = '{}'", 'archives'],
  ['UPDATE archives SET "schema" = \'{"version":"9"}\'', 'schema'],
  ["UPDATE archives SET urls = '{}'", 'urls'],
  [
    "INSERT INTO archives (name, sha256, state, form, loaded_at, loaded_by) VALUES ('x', 'x', 'complete', '{}', '', '')",
    'archives',
  ],
  ['DELETE FROM entries WHERE id = 1', 'entries'],
  ["UPDATE entries SET path = 'x' WHERE id = 1", 'entries'],
  ['UPDATE entries SET mode = 0 WHERE id = 1', 'entries'],
  ["UPDATE entries SET modified_at = '' WHERE id = 1", 'entries'],
  ['UPDATE entries SET header = NULL WHERE id = 1', 'entries'],
  ["UPDATE entries SET whole_header = x'' WHERE id = 1", 'entries'],
  ["UPDATE tar_headers SET bytes = CAST(bytes AS TEXT) || 'x' WHERE id = 1", 'tar_headers'],
  // Record files and records
  ['UPDATE record_files SET records = records + 1 WHERE rowid = 1', 'record_files'],
  ['UPDATE record_files SET crc32 = 0 WHERE rowid = 1', 'record_files'],
  ["UPDATE record_files SET layout = 'other' WHERE rowid = 1", 'record_files'],
  ['UPDATE record_files SET replaced = 1 WHERE rowid = 1', 'record_files'],
  ["UPDATE record_files SET checksums = x'' WHERE kind = 'issues'", 'record_files'],
  ['DELETE FROM record_files WHERE rowid = 1', 'record_files'],
  ["UPDATE issues SET title = 'x' WHERE rowid = 1", 'issues'],
  ['UPDATE issues SET title = NULL WHERE rowid = 1', 'issues'],
  ['UPDATE issues SET _record_number = 99 WHERE rowid = 1', 'issues'],
  ['DELETE FROM users WHERE rowid = 1', 'users'],
  // Files
  [
    "UPDATE files SET path = 'attachments/1/x' WHERE id = (SELECT id FROM files WHERE role = 'attachment')",
    'attachment',
  ],
  ["UPDATE files SET repository = NULL WHERE role = 'git'", 'files'],
  [
    "UPDATE files SET stored = 0 WHERE role = 'attachment'",
    'its content is there but not marked as stored',
  ],
  [
    'UPDATE files SET stored = 11 WHERE id = 2',
    'it is marked as stored by something else than 0 and 1',
  ],
  ['UPDATE files SET size = size + 1 WHERE id = 1', 'git'],
  ['DELETE FROM file_chunks WHERE rowid = 1', '0 of 21 bytes found'],
  ['INSERT INTO file_chunks VALUES (99, 0, 1)', 'file_chunks'],
  ['UPDATE file_chunks SET position = 7 WHERE rowid = 1', '0 of 21 bytes found'],
  ['UPDATE chunks SET bytes = zeroblob(length(bytes)) WHERE id = 1', 'chunk 1'],
  ['UPDATE chunks SET sha256 = randomblob(32) WHERE id = 1', 'chunk 1'],
  ['INSERT INTO chunks (sha256, bytes) VALUES (randomblob(32), randomblob(9))', 'chunks'],
  // Git data
  ["UPDATE refs SET oid = 'ffffffffffffffffffffffffffffffffffffffff' WHERE rowid = 1", 'refs'],
  ["UPDATE refs SET name = 'refs/heads/x' WHERE rowid = 2", 'refs'],
  ["UPDATE refs SET target = 'refs/heads/x' WHERE name = 'HEAD'", 'refs'],
  ['UPDATE refs SET packed = 1 - packed', 'refs'],
  ['DELETE FROM refs WHERE rowid = 1', 'refs'],
  [
    "INSERT INTO refs SELECT archive, repository, 'refs/heads/x', oid, NULL, NULL, 0 FROM refs LIMIT 1",
    'refs',
  ],
  ['UPDATE git_packs SET objects = 1', 'git_packs'],
  ['DELETE FROM git_packs', 'git_packs'],
  ["UPDATE commits SET author_email = 'x@example.org' WHERE rowid = 1", 'commits'],
  ['DELETE FROM commits', 'commits'],
  ['DELETE FROM commits_files WHERE rowid = 1', 'commits_files'],
  // The rest
  ["INSERT INTO problems VALUES (1, 'x', NULL, NULL, NULL, 'x', NULL, 1)", 'problems'],
  ["UPDATE event_types SET meaning = 'x' WHERE event = 'closed'", 'event_types'],
  ["DELETE FROM row_checksums WHERE name = 'refs'", 'row_checksums'],
  ["UPDATE row_checksums SET checksums = x'' WHERE name = 'entries'", 'entries'],
]

/** Edits of rows, which can be made together. */
const OF_ROWS = /^(?:UPDATE|DELETE|INSERT)/
/** Places that are not named where there are greater faults. */
const HIDDEN = ['0 of 21 bytes found', 'file_chunks', 'refs']

describe('doctor', () => {
  let original: string
  shareFolder({})
  beforeAll(async () => {
    original = await complete()
  })

  const copy = async (): Promise<string> => {
    const path = join(await folderOf(), 'it.db')
    copyFileSync(original, path)
    return path
  }

  const [[first], [others]] = firstOfEach(EDITS, ([, where]) => where.split(/[ .]/)[0])
  const together = first.filter(([sql, where]) => OF_ROWS.test(sql) && !HIDDEN.includes(where))
  const alone = first.filter((edit) => !together.includes(edit))
  const ofSchema = first.filter(([sql]) => !OF_ROWS.test(sql))
  everyDay(1)(alone.filter((edit) => !ofSchema.includes(edit)))(
    'tells of an edit by %s',
    expectTold,
  )
  test.each([together, ofSchema, others].flat())('tells of an edit by %s', THOROUGH, expectTold)

  test('tells of edits of rows of many tables, made together', THOROUGH, async () => {
    const path = await copy()
    for (const [sql] of together) change(path, sql)
    expect(placesIn(path)).toEqual(expect.arrayContaining(together.map(([, where]) => where)))
  })

  // Where something of ours is missing or another, nobody asks what was added.
  const [added, changed] = [true, false].map((isNew) =>
    ofSchema.filter(([, where]) => where.includes(' ') === isNew),
  )
  everyDay(1)([
    ['what was added to the schema', added],
    ['what was changed in the schema', changed],
  ])('tells of %s, made together', async (_, edits = []) => {
    const path = await copy()
    // In this order columns are changed before the views that have them are gone.
    for (const [sql] of edits.toSorted()) change(path, sql)
    expect(placesIn(path)).toEqual(expect.arrayContaining(edits.map(([, where]) => where)))
  })

  async function expectTold(sql: string, where: string) {
    const path = await copy()
    change(path, sql)
    expect(placesIn(path)).toContain(where)
  }

  function placesIn(path: string): string[] {
    const { faults, edits, unverified } = examineAt(path)
    expect(unverified).toEqual([])
    const faulty = faults.flatMap(({ where, message }) => [where, message])
    return [...faulty, ...edits.map(({ kind }) => kind)]
  }

  test('tells of at least 38 edits', () => {
    expect(EDITS.length).toBeGreaterThanOrEqual(38)
  })
})

/** The path of a database with a sample, its commits and an index for searches. */
async function complete(): Promise<string> {
  const path = 'complete.db'
  await loadArchive(HELLO, path)
  await indexCommits(path, { files: true })
  await updateIndexAt(path)
  return resolve(path)
}

function change(path: string, sql: string): void {
  const database = new Sqlite(path)
  database.pragma('foreign_keys = OFF')
  database.exec(sql).close()
}
