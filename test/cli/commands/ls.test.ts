import { expect, test } from 'vitest'
import { smallArchive } from '../../support/archives.ts'
import { inFolder, run } from '../../support/run-command.ts'
import { everyDay } from '../../support/thorough.ts'

const small = smallArchive({ 'attachments/a2/': '', 'bots_000001.json': [{ url: 'x:1' }] })

test('lists entries in their order with size, records and time', async () => {
  inFolder({ 'a.tar.gz': small })
  const { code, stdout, stderr } = await run(['ls', 'a.tar.gz'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toBe(
    [
      '      50 B                  2017-07-14T02:40:00Z  schema.json',
      '     300 B       2 records  2017-07-14T02:40:00Z  users_000001.json',
      '     780 B       3 records  2017-07-14T02:40:00Z  issues_000001.json',
      '       9 B                  2017-07-14T02:40:00Z  attachments/a1/picture.txt',
      '                            2017-07-14T02:40:00Z  attachments/a2/',
      '      28 B       1 record   2017-07-14T02:40:00Z  bots_000001.json',
      '',
    ].join('\n'),
  )
})

everyDay(1)([
  ['schema.json', ['schema.json']],
  ['attachments', ['attachments/a1/picture.txt', 'attachments/a2/']],
  ['attachments/', ['attachments/a1/picture.txt', 'attachments/a2/']],
  ['attachments/a1', ['attachments/a1/picture.txt']],
  ['./attachments/a1', ['attachments/a1/picture.txt']],
])('lists only %s', async (path, paths) => {
  inFolder({ 'a.tar.gz': small })
  const { code, stdout } = await run(['ls', 'a.tar.gz', path])
  expect(code).toBe(0)
  expect(stdout.match(/\S+$/gm)).toEqual(paths)
})

test('ends with code 1 for a missing path', async () => {
  inFolder({ 'a.tar.gz': small })
  expect(await run(['ls', 'a.tar.gz', 'attach'])).toEqual({
    code: 1,
    stdout: '',
    stderr:
      'marc: a.tar.gz, attach: the archive has no such entry\nList the entries with: marc ls a.tar.gz\n',
  })
})

test('--json prints an array of objects, one per line', async () => {
  inFolder({ 'a.tar.gz': small })
  const { stdout } = await run(['ls', 'a.tar.gz', 'users_000001.json', '--json'])
  expect(JSON.parse(stdout)).toEqual([
    {
      mode: '0644',
      size: 300,
      records: 2,
      modified_at: '2017-07-14T02:40:00Z',
      role: 'users',
      path: 'users_000001.json',
    },
  ])
  const { stdout: all } = await run(['ls', 'a.tar.gz', '--json'])
  expect(all.trimEnd().split('\n')).toHaveLength(6)
  expect(JSON.parse(all).map(({ role }: { role: string }) => role)).toEqual([
    'schema',
    'users',
    'issues',
    'attachment',
    'directory',
    'bots',
  ])
})

test('reads standard input', async () => {
  inFolder()
  const { code, stdout } = await run(['ls', '-', 'schema.json'], { stdin: small })
  expect({ code, stdout }).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('schema.json'),
  })
})

test('reports a damaged archive, after its readable entries', async () => {
  inFolder({ 'a.tar.gz': smallArchive({ 'users_000001.json': '{}' }) })
  const { code, stdout, stderr } = await run(['ls', 'a.tar.gz'])
  expect(code).toBe(3)
  expect(stdout).toContain('schema.json')
  expect(stderr).toMatch(/^marc: a\.tar\.gz, users_000001\.json: expected an array/)
})
