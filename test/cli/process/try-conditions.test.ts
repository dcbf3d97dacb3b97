import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { issue, smallArchive } from '../../support/archives.ts'
import { run, shareFolder } from '../../support/run-command.ts'
import { everyDay, THOROUGH } from '../../support/thorough.ts'

const ENDLESS =
  'with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n'

shareFolder({ 'a.tar.gz': smallArchive({ 'issues_000001.json': [issue(1, 'a'), issue(2, 'b')] }) })

everyDay(1)([
  ['build', ['-o', 'b.tar.gz']],
  ['map', ['--rename', 'ada=eve', '-o', 'b.tar.gz']],
  ['export', ['--parquet', 'lake']],
])('A condition that never ends stops marc %s, which writes nothing', async (command, words) => {
  const condition = ['--where', `issues=number > (${ENDLESS})`, '--timeout', '0.01']
  const { code, stdout, stderr } = await run([command, 'a.tar.gz', ...words, ...condition])
  expect({ code, stdout, stderr }).toEqual({
    code: 3,
    stdout: '',
    stderr: 'marc: not finished after 0.01 s\nAllow more time with --timeout, or select less.\n',
  })
  expect(existsSync('b.tar.gz') || existsSync('lake')).toBe(false)
})

test('A query for URLs that never ends is stopped as well', THOROUGH, async () => {
  const query = ['--from-query', ENDLESS.replace('count(*)', 'i'), '--timeout', '0.01']
  expect(await run(['diff', 'a.tar.gz', 'a.tar.gz', ...query])).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('not finished after 0.01 s'),
  })
})

test('Statements that end select as without a limit', THOROUGH, async () => {
  const words = ['build', 'a.tar.gz', '-o', 'c.tar.gz', '--force', '--quiet', '--json']
  const where = ['--where', 'issues=number = (SELECT max(number) FROM issues AS i) -- ;']
  const limited = await run([...words, ...where, '--timeout', '60'])
  expect(limited.code).toBe(0)
  const { stdout } = await run([...words, ...where, '--timeout', 'off'])
  const sha256 = (text: string) => JSON.parse(text).archives[0].sha256
  expect(sha256(stdout)).toBe(sha256(limited.stdout))
})

test('A bad limit is refused before anything is read', async () => {
  expect(await run(['build', 'a.tar.gz', '-o', 'c.tar.gz', '--timeout', 'soon'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--timeout takes seconds or off'),
  })
})
