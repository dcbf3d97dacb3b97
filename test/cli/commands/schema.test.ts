import { expect, test } from 'vitest'
import { smallArchive } from '../../support/archives.ts'
import { run, shareFolder } from '../../support/run-command.ts'
import { everyDay, THOROUGH } from '../../support/thorough.ts'

shareFolder({ 'a.tar.gz': smallArchive() })

test('describes the columns of a table', async () => {
  const { code, stdout, stderr } = await run(['schema', 'a.tar.gz', 'issues'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const rows = JSON.parse(stdout)
  expect(rows).toContainEqual({
    table: 'issues',
    column: 'user',
    type: 'TEXT',
    kind: 'stored',
    refers_to: 'users, bots',
    description: expect.any(String),
  })
  expect(rows).toContainEqual(expect.objectContaining({ column: 'number', kind: 'derived' }))
  expect(new Set(rows.map(({ table }: { table: string }) => table))).toEqual(new Set(['issues']))
})

test('describes all columns of all tables', async () => {
  const rows = JSON.parse((await run(['schema', 'a.tar.gz'])).stdout)
  for (const { table, column, description } of rows) {
    expect(description, `${table}.${column}`).toMatch(/\S/)
  }
  expect(rows.length).toBeGreaterThan(100)
})

test('suggests the closest table', THOROUGH, async () => {
  expect(await run(['schema', 'a.tar.gz', 'isues'])).toEqual({
    code: 2,
    stdout: '',
    stderr: 'marc: there is no table "isues"\nDid you mean issues?\n',
  })
  expect((await run(['schema', 'a.tar.gz', 'qqqqqq'])).stderr).toContain('marc tables a.tar.gz')
})

everyDay(1)([80, 200])('is easy to read on a terminal of %i columns', async (columns) => {
  const { stdout } = await run(['schema', 'a.tar.gz'], {
    tty: 'stdout',
    columns,
    env: { NO_COLOR: '1' },
  })
  expect(
    stdout.split('\n').filter((line) => line.length > columns && !line.includes('://')),
  ).toEqual([])
  expect(stdout).toMatch(/^issues \(table\)\nIssues\..+\n\n {2}url +TEXT +Identity/m)
  expect(stdout).toMatch(/^ {2}user +TEXT .+ → users, bots$/m)
  expect(stdout).toMatch(/^ {2}number +INTEGER .+ \(derived\)$/m)
})

test('is a table on a terminal with --table', async () => {
  const { stdout } = await run(['schema', 'a.tar.gz', 'issues', '-t'], { tty: 'stdout' })
  expect(stdout).toContain('description')
})
