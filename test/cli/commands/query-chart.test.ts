import { expect, test } from 'vitest'
import { issue, smallArchive } from '../../support/archives.ts'
import { inFolder, run, shareFolder } from '../../support/run-command.ts'
import { everyDay, THOROUGH } from '../../support/thorough.ts'

const small = smallArchive()
const SQL = "select 'ada' as who, 2 as n union all select 'grace', 1"

shareFolder({ 'a.tar.gz': small })

test('draws ASCII in a pipe, blocks and colours on a terminal', THOROUGH, async () => {
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

test.each([
  [
    "select 'a' as b, 'c' as d",
    [],
    'there is no numeric column to draw\nSelect what is counted first',
  ],
  [SQL, ['--csv'], 'expected one format, found csv and --chart'],
])('%s with %j is refused', async (sql, more, message) => {
  const { code, stdout, stderr } = await run(['query', 'a.tar.gz', sql, '--chart', ...more])
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain(message)
})

const COUNTS = "select 'ada' as who, 2 as seen, 5 as done union all select 'grace', 1, 10"

test('draws the named columns, with or without --chart', THOROUGH, async () => {
  const bars = await run(['query', 'a.tar.gz', COUNTS, '--chart-column', 'done'])
  expect(bars.stdout).toMatch(/^ada {5}5 {2}(#+)\ngrace {2}10 {2}\1#+\n$/)
  const again = ['query', 'a.tar.gz', COUNTS, '--chart', '--chart-column', 'done']
  expect((await run(again)).stdout).toBe(bars.stdout)
  const months = COUNTS.replace('ada', '2024-01').replace('grace', '2024-02')
  const names = ['--chart-column', 'done', '--chart-column', 'seen']
  const lines = await run(['query', 'a.tar.gz', months, ...names])
  expect(lines.stdout).toMatch(/^done +5 +10 {2}..\nseen +1 +2 {2}..$/m)
})

test('draws the same under a time limit', THOROUGH, async () => {
  const argv = ['query', 'a.tar.gz', COUNTS, '--chart', '--chart-column', 'done']
  const bars = await run(argv)
  expect(bars.stdout).toContain('#')
  expect(await run([...argv, '--timeout', '20'])).toEqual(bars)
})

everyDay(1)([
  ['dome', 'the result has no column "dome"\nDid you mean done?'],
  ['nothing', 'the result has no column "nothing"\nExpected one of who, seen, done.'],
  ['who', 'not all of who are numeric columns'],
])('refuses to draw %s', async (name, message) => {
  const { code, stdout, stderr } = await run(['query', 'a.tar.gz', COUNTS, '--chart-column', name])
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain(message)
})

test('inspect draws the largest repositories and the most active people, if there are several', async () => {
  const [HOST, written] = ['https://host.example', { user: 'https://host.example/grace' }]
  const elsewhere = { ...written, repository: `${HOST}/acme/pots` }
  const wordy = [issue(1, 'A', written), issue(2, 'B', written), issue(3, 'C', elsewhere)]
  const files = { 'issues_000001.json': [...wordy, issue(4, 'D'), issue(5, 'E', { user: null })] }
  inFolder({ 'a.tar.gz': smallArchive(files), 'b.tar.gz': small })
  const { stdout } = await run(['inspect', 'a.tar.gz'])
  expect(stdout).toMatch(
    /^Repositories by records\nacme\/tools {2}4 {2}(#+)\nacme\/pots {3}1 {2}#+$/m,
  )
  expect(stdout).toMatch(/^People by records\ngrace {2}3 {2}#+\nada {4}1 {2}#+$/m)
  expect((await run(['inspect', 'b.tar.gz'])).stdout).not.toMatch(/^(People|Repositories) by/m)
  const { writers } = JSON.parse((await run(['inspect', 'a.tar.gz', '--json'])).stdout)
  expect(writers).toEqual([
    { login: 'grace', records: 3 },
    { login: 'ada', records: 1 },
  ])
})

test('inspect draws activity by month', async () => {
  const { stdout } = await run(['inspect', 'a.tar.gz'], { tty: 'stdout', env: { NO_COLOR: '1' } })
  expect(stdout).toMatch(/^By month\n.* 2021-01 to 2021-03\n-+.*\nissues {4}1 {4}1 {2}###$/m)
  const { kinds } = JSON.parse((await run(['inspect', 'a.tar.gz', '--json'])).stdout)
  expect(kinds.issues.months).toEqual({ '2021-01': 1, '2021-02': 1, '2021-03': 1 })
})

test('inspect ignores invalid times', async () => {
  const issues = ['2021-13-01', '9999-01-01', '__proto__', 'x'].map((time, i) =>
    issue(i, 'Odd', { created_at: time }),
  )
  inFolder({ 'a.tar.gz': smallArchive({ 'issues_000001.json': issues }) })
  const { code, stdout } = await run(['inspect', 'a.tar.gz', '--json'])
  expect(code).toBe(0)
  expect(JSON.parse(stdout).kinds.issues.months).toBeUndefined()
})
