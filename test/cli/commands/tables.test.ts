import { expect, test } from 'vitest'
import { smallArchive } from '../../support/archives.ts'
import { inFolder, run, shareFolder } from '../../support/run-command.ts'
import { everyDay, THOROUGH } from '../../support/thorough.ts'

const namesIn = (json: string) => JSON.parse(json).map(({ name }: { name: string }) => name)

shareFolder({ 'a.tar.gz': smallArchive() })

test('lists tables that have rows, with their count', async () => {
  const { code, stdout, stderr } = await run(['tables', 'a.tar.gz'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const rows = JSON.parse(stdout)
  expect(rows).toContainEqual({
    name: 'issues',
    type: 'table',
    rows: 3,
    summary: expect.stringContaining('Issues'),
  })
  expect(rows).toContainEqual(expect.objectContaining({ name: 'threads', type: 'view', rows: 3 }))
  expect(namesIn(stdout)).not.toContain('teams')
})

test('lists everything with --all', THOROUGH, async () => {
  const names = namesIn((await run(['tables', 'a.tar.gz', '--all'])).stdout)
  expect(names).toEqual(expect.arrayContaining(['issues', 'teams', 'issues_labels']))
  expect(namesIn((await run(['tables', 'a.tar.gz', '-a'])).stdout)).toEqual(names)
})

test('lists tables of unknown kinds', THOROUGH, async () => {
  inFolder({ 'a.tar.gz': smallArchive({ 'gadgets_000001.json': [{ url: 'x:1' }] }) })
  expect(namesIn((await run(['tables', 'a.tar.gz'])).stdout)).toContain('gadgets')
})

test('accepts formats', async () => {
  const { stdout } = await run(['tables', 'a.tar.gz', '--csv', '--no-headers'])
  expect(stdout).toMatch(/^issues,table,3,/m)
  expect(stdout).not.toMatch(/^name,/)
})

everyDay(1)([80, 200])('fits a terminal of %i columns', async (columns) => {
  const { stdout } = await run(['tables', 'a.tar.gz', '--all'], {
    tty: 'stdout',
    columns,
    env: { NO_COLOR: '1' },
  })
  expect(stdout.split('\n').filter((line) => line.length > columns)).toEqual([])
  expect(stdout).toMatch(/^table +rows +summary$/m)
  expect(stdout).toMatch(/^view +rows +summary$/m)
  expect(stdout).toMatch(columns === 80 ? /^issues +3 +Issues\.$/m : /^issues +3 +Issues\. .+\.$/m)
})
