import { readFileSync } from 'node:fs'
import { expect, test, vi } from 'vitest'
import { smallArchive } from '../../support/archives.ts'
import { inFolder, run, runBinary, shareFolder, start } from '../../support/run-command.ts'
import { THOROUGH } from '../../support/thorough.ts'

const small = smallArchive()
const ENDLESS =
  'with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n'

shareFolder({ 'a.tar.gz': small })

test('Q1: --timeout stops an endless query', async () => {
  const outcome = await run(['query', 'a.tar.gz', ENDLESS, '--timeout', '0.1'])
  expect(outcome).toEqual({
    code: 3,
    stdout: '',
    stderr: 'marc: not finished after 0.1 s\nAllow more time with --timeout, or select less.\n',
  })
})

test('Q1: --timeout does not change the result of a fast query', THOROUGH, async () => {
  inFolder({ 'a.tar.gz': small, 'it.sql': 'select :n as n, title from issues order by title' })
  const argv = ['query', 'a.tar.gz', '-f', 'it.sql', '-p', 'n', '-7', '--csv', '--max-rows=2']
  const expected = await run(argv)
  expect(await runBinary([...argv, '--timeout', '60'])).toEqual(expected)
})

test('Q1: --timeout does not change the error of an invalid query', THOROUGH, async () => {
  const { code, stderr } = await run(['query', 'a.tar.gz', 'selec 1', '--timeout', '60'])
  expect(code).toBe(2)
  expect(stderr).toContain('near "selec": syntax error')
})

const onLinux = test.skipIf(process.platform !== 'linux')
onLinux(
  'Q1: the child process of --timeout ends with its parent, even if that is killed',
  THOROUGH,
  async () => {
    const { child, ended } = start(['query', 'a.tar.gz', ENDLESS, '--timeout', '600'])
    const children = `/proc/${child.pid}/task/${child.pid}/children`
    await vi.waitUntil(() => readFileSync(children, 'latin1'), { timeout: 20_000 })
    child.kill('SIGKILL')
    // The streams end when both processes have ended.
    await ended
  },
)

test(
  'Q1: an interrupt ends the child process of --timeout, whose rows were printed',
  THOROUGH,
  async () => {
    const endless = ENDLESS.replace('count(*)', 'i')
    const argv = ['query', 'a.tar.gz', endless, '--timeout', '600', '--csv']
    const { code, stdout } = await run(argv, { interrupt: true })
    expect(code).toBe(130)
    expect(stdout).toMatch(/^i\n1\n2\n/)
  },
)

test('Q1: a signal ends the child process of --timeout', THOROUGH, async () => {
  const endless = ENDLESS.replace('count(*)', 'i')
  const { child, ended } = start(['query', 'a.tar.gz', endless, '--timeout', '600', '--csv'])
  child.stdout.once('data', () => child.kill('SIGTERM'))
  expect((await ended).code).toBe(143)
})

test.each(['0', '-1', 'soon', '1e3'])('--timeout refuses %s', async (seconds) => {
  const { code, stderr } = await run(['query', 'a.tar.gz', 'select 1', `--timeout=${seconds}`])
  expect({ code, stderr }).toMatchObject({ code: 2 })
  expect(stderr).toContain('--timeout takes seconds or off')
})

test('Q2: --max-rows stops a query after that many rows', THOROUGH, async () => {
  const endless = ENDLESS.replace('count(*)', 'i')
  const outcome = await run(['query', 'a.tar.gz', endless, '--max-rows', '2', '--nl'])
  expect(outcome).toMatchObject({ code: 3, stdout: '{"i":1}\n{"i":2}\n' })
  expect(outcome.stderr).toContain('more than 2 rows')
  const few = await run(['query', 'a.tar.gz', 'select 1', '--max-rows', '1', '-r'])
  expect(few).toEqual({ code: 0, stdout: '1\n', stderr: '' })
})

const gather = (rows: number) =>
  `with recursive n(i) as (select 1 union all select i + 1 from n limit ${rows})
   select length(group_concat(zeroblob(0) || hex(zeroblob(1000)))) as length from n`

onLinux(
  'Q2: --max-memory does not change the result of a query that stays below',
  THOROUGH,
  async () => {
    expect(await run(['query', 'a.tar.gz', gather(3)])).toEqual(
      await run(['query', 'a.tar.gz', gather(3), '--max-memory', 'off']),
    )
  },
)

onLinux('Q2: --max-memory stops a query that collects a larger value', async () => {
  const { code, stdout, stderr } = await run([
    'query',
    'a.tar.gz',
    gather(1_000_000),
    '--max-memory',
    '40000000',
  ])
  expect({ code, stdout }).toEqual({ code: 3, stdout: '' })
  expect(stderr).toBe(
    'marc: a.tar.gz: the statement needs more than 40000000 bytes\nRaise --max-memory, or select smaller values.\n',
  )
})
