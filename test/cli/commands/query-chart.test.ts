import { expect, test } from 'vitest'
import { issue, smallArchive } from '../../support/archives.ts'
import { inFolder, run } from '../../support/run-command.ts'

const small = smallArchive()
const SQL = "select 'ada' as who, 2 as n union all select 'grace', 1"

test('draws plain text in a pipe, blocks and colours on a terminal that has them', async () => {
  inFolder({ 'a.tar.gz': small })
  const argv = ['query', 'a.tar.gz', SQL, '--chart']
  const plain = await run(argv)
  expect(plain).toMatchObject({ code: 0, stderr: '' })
  expect(plain.stdout).toMatch(/^ada {4}2 {2}#+\ngrace {2}1 {2}#+\n$/)
  const env = { LANG: 'C.UTF-8' }
  expect((await run(argv, { env })).stdout).toMatch(/^ada {4}2 {2}█+\ngrace {2}1 {2}█+\n$/)
  const coloured = await run(argv, { tty: 'stdout', env, columns: 30 })
  expect(coloured.stdout).toContain(`ada    2  \x1b[36m${'█'.repeat(20)}\x1b[39m\n`)
  const sober = await run(argv, { tty: 'stdout', env: { ...env, NO_COLOR: '1' }, columns: 30 })
  expect(sober.stdout).toContain(`ada    2  ${'█'.repeat(20)}\n`)
})

test('draws what is limited in time, too', async () => {
  inFolder({ 'a.tar.gz': small })
  const { stdout } = await run(['query', 'a.tar.gz', SQL, '--chart', '--timeout', '20'])
  expect(stdout).toBe((await run(['query', 'a.tar.gz', SQL, '--chart'])).stdout)
})

test.each([
  ["select 'a' as b, 'c' as d", [], 'there is no column of numbers to draw\nThe first column is'],
  [SQL, ['--csv'], 'expected one format, found csv and --chart'],
])('%s with %j is refused', async (sql, more, message) => {
  inFolder({ 'a.tar.gz': small })
  const { code, stdout, stderr } = await run(['query', 'a.tar.gz', sql, '--chart', ...more])
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain(message)
})

test('inspect draws activity by month', async () => {
  inFolder({ 'a.tar.gz': small })
  const { stdout } = await run(['inspect', 'a.tar.gz'], { tty: 'stdout', env: { NO_COLOR: '1' } })
  expect(stdout).toMatch(/^By month\n.* 2021-01 to 2021-03\n-+.*\nissues {6}1 {5}1 {2}###$/m)
  const { kinds } = JSON.parse((await run(['inspect', 'a.tar.gz', '--json'])).stdout)
  expect(kinds.issues.months).toEqual({ '2021-01': 1, '2021-02': 1, '2021-03': 1 })
})

test('inspect draws nothing of times that are none', async () => {
  const issues = ['2021-13-01', '9999-01-01', '__proto__', 'x'].map((time, i) =>
    issue(i, 'Odd', { created_at: time }),
  )
  inFolder({ 'a.tar.gz': smallArchive({ 'issues_000001.json': issues }) })
  const { code, stdout } = await run(['inspect', 'a.tar.gz', '--json'])
  expect(code).toBe(0)
  expect(JSON.parse(stdout).kinds.issues.months).toBeUndefined()
})
