import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { describeAuditLog } from '../../../src/database/audit-log.ts'
import type { Database } from '../../../src/database/open-database.ts'
import { recordTables } from '../../../src/database/rows/read-record.ts'
import { diffDatabases } from '../../../src/transform/diff/diff-databases.ts'
import { diffAsSql } from '../../../src/transform/diff/sql-patch.ts'
import { filesOf, worlds } from '../../support/arbitrary-world.ts'
import { issue, user } from '../../support/archives.ts'
import { built } from '../../support/build.ts'
import type { Files } from '../../support/build-tar.ts'
import { describeWhere } from '../../support/describe-where.ts'
import { listOf } from '../../support/entries.ts'
import { objectsWith } from '../../support/json-objects.ts'
import { BARE, columnOf, copyOf, type Loaded, loaded, rowsOf } from '../../support/load.ts'
import { runs } from '../../support/property-runs.ts'
import { runProgram } from '../../support/run-program.ts'
import { everyDay, THOROUGH } from '../../support/thorough.ts'

const sqlOf = (a: Loaded, b: Loaded): string => [...diffAsSql(a.database, b.database)].join('')

/** Copies a database, and applies the statements that make it into another. */
async function patched(a: Loaded, b: Loaded): Promise<Database> {
  const copy = await copyOf(a.path)
  copy.exec(sqlOf(a, b))
  return copy
}

const pairOf = async (one: Files, other: Files) => [await loaded(one), await loaded(other)] as const

const SHELL = 'sqlite3'
const hasShell = runProgram(SHELL, ['--version']).status === 0

/** The same by the shell of SQLite. */
async function patchedByShell(a: Loaded, b: Loaded): Promise<Database> {
  const copy = await copyOf(a.path)
  const { status, stdout, stderr } = runProgram(SHELL, ['-bail', copy.name], {
    input: sqlOf(a, b),
  })
  expect([String(stdout), String(stderr), status]).toEqual(['', '', 0])
  return copy
}

const differences = (one: Database, other: Database, options = {}) =>
  listOf(diffDatabases(one, other, options))

/** Texts that end lines, literals and statements, and that look like what the patch writes. */
const oddTexts = fc
  .array(
    fc.oneof(
      fc.constantFrom('\r\n', '\r', '\n', '\0', "'", '\\r', '\\n', '\\0', '(\\n', ';', '--', '/*'),
      fc.constantFrom(
        '\n.quit\n',
        '\n;\n',
        '\n/\n',
        '\ngo\n',
        '\u2028',
        '\ufeff',
        '𝄞',
        '\x1a',
        '"',
      ),
      fc.string(),
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.join(''))

const odd = fc
  .record({
    issues: fc.array(objectsWith(['url', 'title', 'labels', 'created_at', 'type']), {
      maxLength: 4,
    }),
    texts: fc.array(fc.record({ title: oddTexts, body: oddTexts }), { maxLength: 4 }),
    gadgets: fc.array(objectsWith(['url', 'type']), { maxLength: 3 }),
  })
  .map(
    ({ issues, texts, gadgets }): Files => ({
      'issues_000001.json': JSON.stringify(issues),
      'issue_comments_000001.json': texts.map((text, i) => ({
        type: 'issue_comment',
        url: `https://host.example/a/b/issues/1#issuecomment-${i}`,
        ...text,
      })),
      ...(gadgets.length > 0 && { 'gadgets_000001.json': JSON.stringify(gadgets) }),
    }),
  )

const archives = fc
  .tuple(worlds, odd)
  .map(([world, records]): Files => ({ ...filesOf(world), ...records }))

describe('The audit log of an account', () => {
  const log = (csv: string) => ({ ...BARE, 'audit_log.csv': csv })
  const LINES = "action,rowid\nrepo.create,1\nit's,\n"

  everyDay(1)([
    ['comes with its table', BARE, log(LINES)],
    ['goes with it', log(LINES), BARE],
    ['is replaced with other columns', log('other\nx\n'), log(LINES)],
  ])('%s', async (_, one, other) => {
    const [a, b] = await pairOf(one, other)
    const copy = await patched(a, b)
    expect(await differences(copy, b.database)).toEqual([])
    const logOf = (database: Database) =>
      describeAuditLog(database) && rowsOf(database, 'SELECT * FROM audit_log')
    expect(logOf(copy)).toEqual(logOf(b.database))
  })
})

describe('The SQL of a diff makes the first into the second:', () => {
  it('arbitrary records', THOROUGH, async () => {
    await fc.assert(
      fc.asyncProperty(archives, archives, async (one, other) => {
        const [a, b] = await pairOf(one, other)
        expect(await differences(await patched(a, b), b.database)).toEqual([])
      }),
      { numRuns: runs(8) },
    )
  })

  it('the table of a new kind with its index, and no others', async () => {
    const [a, b] = await pairOf(
      { 'users_000001.json': [] },
      {
        'issues_000001.json': [{ type: 'issue', url: 'https://host.example/a/b/issues/1' }],
        'gadgets_000001.json': [{ url: 'x' }],
      },
    )
    expect(sqlOf(a, b).match(/CREATE TABLE "?\w+"?/g)).toEqual(['CREATE TABLE "gadgets"'])
    const copy = await patched(a, b)
    expect(await differences(copy, b.database)).toEqual([])
    const schema = `SELECT type, name, sql FROM sqlite_schema WHERE tbl_name = 'gadgets'`
    expect(rowsOf(copy, schema)).toEqual(rowsOf(b.database, schema))
  })

  it('but runs nothing that stands in the name of a table', THOROUGH, async () => {
    const a = await loaded({ 'users_000001.json': [user('ada')] })
    const b = await loaded({ 'users_000001.json': [user('ada')] })
    const name = 'odd\n); DROP TABLE users; CREATE TABLE x (y'
    b.database.exec(`CREATE TABLE "${name}" (url TEXT, _extra TEXT, _member_order TEXT)`)
    expect(recordTables(await patched(a, b))).toEqual(expect.arrayContaining(['users', name]))
  })

  it('apostrophes, ends of lines and U+0000 within literals', THOROUGH, async () => {
    const title = "it's\0 '); DROP TABLE users; --\r\n.quit\r\\r\\n\\0"
    const [a, b] = await pairOf(
      { 'users_000001.json': [user('ada')], 'issues_000001.json': [issue(1, 'First')] },
      { 'users_000001.json': [user('ada')], 'issues_000001.json': [issue(1, title)] },
    )
    expect(sqlOf(a, b).split(/[\0\r]|\n\./)).toHaveLength(1)
    const copy = await patched(a, b)
    expect(columnOf(copy, 'SELECT title FROM issues')).toEqual([title])
    expect(recordTables(copy)).toContain('users')
  })

  it('and leaves no chunks of contents behind', THOROUGH, async () => {
    const [a, b] = await pairOf({ 'attachments/a/x': 'one' }, { 'attachments/a/x': 'two' })
    const chunks = 'SELECT CAST(bytes AS TEXT) FROM chunks'
    expect(columnOf(await patched(a, b), chunks)).toEqual(['two'])
  })
})

describeWhere(
  'The sqlite3 shell applies it',
  'MARC_TOOLS',
  hasShell ? undefined : 'the sqlite3 shell is not installed',
  () => {
    it('with each end of a line in each text', async () => {
      const title = ['\r\n', '\r', '\n', '\0', '\r\n.quit\r\n', '\\r\\n', "';\n"].join("'")
      const [a, b] = await pairOf(
        { 'issues_000001.json': [issue(1, 'First')] },
        { 'issues_000001.json': [issue(1, title)] },
      )
      expect(columnOf(await patchedByShell(a, b), 'SELECT title FROM issues')).toEqual([title])
    })

    it('to arbitrary records, files and Git data', THOROUGH, async () => {
      await fc.assert(
        fc.asyncProperty(archives, archives, async (one, other) => {
          const [a, b] = await pairOf(one, other)
          const copy = await patchedByShell(a, b)
          expect(await differences(copy, b.database)).toEqual([])
          const again = await loaded(await built(copy))
          expect(await differences(again.database, b.database)).toEqual([])
        }),
        { numRuns: runs(24) },
      )
    })
  },
)
