import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openConnection } from '../../../src/database/connection.ts'
import { copySamples } from '../../support/load-once.ts'
import { inFolder, run } from '../../support/run-command.ts'
import { everyDay, THOROUGH } from '../../support/thorough.ts'

let folder = ''
let database = ''
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'marc-names-'))
  database = join(folder, 'a.db')
  await copySamples(database)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the closest match is suggested for', () => {
  everyDay(1)([
    ['repositories', 'repo log DB harbour-lights/tidewach', 'harbour-lights/tidewatch'],
    [
      'repositories of a part',
      'build DB -o x --repo harbour-light/almanac',
      'harbour-lights/almanac',
    ],
    ['refs', 'repo log DB harbour-lights/tidewatch mian', 'main'],
    ['refs with steps from them', 'repo log DB harbour-lights/tidewatch mian^2', 'main^2'],
    ['tags', 'repo show DB harbour-lights/tidewatch v1.0.O', 'v1.0.0'],
    ['kinds', 'build DB -o x --kind isues', 'issues'],
    ['kinds in the singular', 'build DB -o x --kind isue', 'issue'],
    ['threads', 'show DB harbour-lights/tidewach#2', 'harbour-lights/tidewatch#2'],
    ['releases', 'show DB harbour-lights/tidewach@v1', 'harbour-lights/tidewatch@v1'],
    ['people', 'show DB jun-hal', 'jun-hale'],
    ['tables', 'schema DB isues', 'issues'],
    ['saved queries', 'query DB --saved revewers', 'reviewers'],
    ['their parameters', 'query DB --saved reviewers -p rep x', 'repo'],
    ['tables in SQL', 'query DB SELECT~*~FROM~main.isues', 'issues'],
    ['columns in SQL', 'query DB SELECT~tilte~FROM~issues', 'title'],
    ['columns of a table in SQL', 'query DB SELECT~issues.numbr~FROM~issues', 'issues.number'],
    ['columns of an alias in SQL', 'query DB SELECT~i.tite~FROM~issues~AS~i', 'i.title'],
    ['columns of a view behind an alias', 'query DB SELECT~l.labl~FROM~issues_labels~l', 'l.label'],
    [
      'a column of another table of the statement',
      'query DB SELECT~l.url~FROM~issues_labels~l~JOIN~issues~AS~i',
      'i.url',
    ],
    ['elements of JSON', 'query DB SELECT~e.valu~FROM~issues,~json_each(labels)~AS~e', 'e.value'],
    ['functions in SQL', 'query DB SELECT~cuont(*)~FROM~issues', 'count'],
    ['words of SQL', 'query DB SELECT~*~form~issues', 'FROM'],
    ['the beginning of SQL', 'query DB selct~1', 'SELECT'],
    ['filters', 'search DB tide --repo harbour-lights/tidewach', 'harbour-lights/tidewatch'],
    ['filters among words', 'search DB tide~author:jun-hal', 'jun-hale'],
    ['people who wrote', 'search DB tide --author Jun-hal', 'jun-hale'],
    ['topics', 'help exit-code', 'marc help exit-codes'],
    ['commands of the shell', 'shell DB .mod', '.mode'],
  ])('%s: %s', async (_what, line, meant) => {
    const words = line.split(' ').map((word) => word.replace('DB', database).replaceAll('~', ' '))
    const { code, stderr } = await run(words)
    expect(stderr).toMatch(/\nDid you mean [^\n]+\?\n$/)
    expect(stderr).toContain(`\nDid you mean ${meant}?\n`)
    expect([1, 2]).toContain(code)
  })
})

describe('an error in a statement has advice:', () => {
  const edit = 'To edit a database, use sqlite3; marc doctor lists the changes.'
  everyDay(1)([
    [
      'select 1; select 2',
      'expected one statement, found several',
      'Run them one after the other with: marc shell DB "<statements>"',
    ],
    ["update issues set title = ''", 'this statement writes', edit],
    ['drop table issues', 'this statement writes', edit],
    [
      'begin',
      'this statement returns no rows',
      'A query is one statement that reads and returns rows.',
    ],
    ['select :a, :b', 'the parameter :a has no value', 'Give it with: -p a <value>'],
    [
      'select ?',
      'a parameter without a name has no value',
      'Name it, such as :name in place of ?, and give it with: -p name <value>',
    ],
    [
      'select url from issues i join users',
      'ambiguous column name: url',
      'Say which: i.url or users.url',
    ],
    // Only columns of tables in the statement are suggested.
    [
      'select e.url from issues_labels e',
      'no such column: e.url',
      'See its columns with: marc schema DB issues_labels',
    ],
    [
      'select login from issues_labels',
      'no such column: login',
      'See its columns with: marc schema DB issues_labels',
    ],
    [
      'with x as (select 1 as abc) select x.abd from x',
      'no such column: x.abd',
      'See the tables and columns with: marc schema DB',
    ],
  ])('%s', async (sql, message, remedy) => {
    expect(await run(['query', database, sql])).toEqual({
      code: 2,
      stdout: '',
      stderr: `marc: ${message}\n${remedy.replace('DB', database)}\n`,
    })
  })
})

test('A file that shares only its ending with what was typed is not close', async () => {
  inFolder({ 'zeros.tar.gz': '', 'orchard.tar.gz': '' })
  const errorOf = async (name: string) => (await run(['inspect', name])).stderr
  expect(await errorOf('hello.tar.gz')).toContain('Check the path.')
  expect(await errorOf('orchrd.tar.gz')).toContain('Did you mean orchard.tar.gz?')
})

test('A word after a statement is said to have been taken for it', async () => {
  const { code, stderr } = await run(['query', database, 'select 1', '--chart', 'pie'])
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr:
      'marc: select 1: there is no such file or folder\nThe last word is the statement: pie\n',
  })
})

test('Without a close match the error has its usual remedy', THOROUGH, async () => {
  const qualms = [
    ['repo', 'log', database, 'no/such'],
    ['repo', 'log', database, 'harbour-lights/tidewatch', 'main^9'],
    ['show', database, 'harbour-lights/tidewatch#9999'],
    ['show', database, 'https://example.org/harbour-lights'],
    ['search', database, 'qqqqq', '--repo', 'HARBOUR-lights/tidewatch', '--author', 'JUN-hale'],
    ['query', database, 'SELECT a FROM issues GRUPPIEREN BY 1'],
  ]
  for (const words of qualms) expect((await run(words)).stderr).not.toContain('Did you mean')
})

describe('a database that somebody changed with SQL', () => {
  const change = (sql: string): string => {
    const path = join(folder, 'changed.db')
    copyFileSync(database, path)
    const changed = openConnection(path)
    changed.unsafeMode(true)
    changed.exec(sql)
    changed.close()
    return path
  }

  test('suggests refs beside one without a name', async () => {
    const path = change(`CREATE TABLE copy AS SELECT * FROM refs; DROP TABLE refs;
      CREATE TABLE refs AS SELECT * FROM copy; UPDATE refs SET name = NULL WHERE name LIKE '%main'`)
    const { code, stderr } = await run(['repo', 'log', path, 'harbour-lights/tidewatch', 'mian'])
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/no such ref or object\nList the refs/),
    })
  })

  test('database-damaged: an index of other records than its table', async () => {
    const root = (index: string) => `(SELECT rootpage FROM sqlite_schema WHERE name = '${index}')`
    const path = change(`PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET rootpage = ${root('users_by_url')} WHERE name = 'releases_by_url'`)
    const { code, stderr } = await run(['show', path, 'harbour-lights/tidewatch@v1.0.0'])
    expect({ code, stderr }).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/has no record/),
    })
  })
})

test.each([
  ['search', ['tide', 'DB'], 'marc search DB tide'],
  ['query', ['SELECT 1', 'DB', '--csv'], "marc query DB 'SELECT 1'"],
  ['show', ['harbour-lights/tidewatch#2', 'DB'], "marc show DB 'harbour-lights/tidewatch#2'"],
])(
  '%s with its arguments in the wrong order is answered with the right one',
  async (name, words, line) => {
    const put = (text: string) => text.replace('DB', database)
    const { code, stderr } = await run([name, ...words.map(put)])
    expect(code).toBe(2)
    expect(stderr).toContain(`Did you mean ${put(line)}?`)
  },
)

test('no order is suggested where the source is there', async () => {
  const { stderr } = await run(['repo', 'cat', database, 'harbour-lights/tidewatch', database])
  expect(stderr).toContain('there is no such ref or object')
  expect(stderr).not.toContain('Did you mean')
})

test('no order is suggested where the other argument may be a source itself', async () => {
  const { stderr } = await run(['diff', 'missing.db', database])
  expect(stderr).toContain('missing.db: there is no such file')
  expect(stderr).not.toContain('Did you mean')
})
