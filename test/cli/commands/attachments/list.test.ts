import { expect, test } from 'vitest'
import { tarGzOf } from '../../../support/build-tar.ts'
import { inFolder, run, shareFolder } from '../../../support/run-command.ts'
import { THOROUGH } from '../../../support/thorough.ts'
import { archiveOf, attachment, png } from '../../../support/uploads.ts'

const archive = tarGzOf({
  ...archiveOf({ 1: [png()], 2: [png()] }),
  'attachments_000002.json': [attachment('3')],
  'attachments/4/b.png': png('b'),
})

shareFolder({ 'a.tar.gz': archive })

test('lists every upload as JSON in a pipe', async () => {
  const { code, stdout, stderr } = await run(['attachments', 'list', 'a.tar.gz'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const rows = JSON.parse(stdout)
  expect(rows[0]).toEqual({
    kind: 'attachment',
    full_name: 'o/r',
    number: 1,
    name: 'a.png',
    media_type: 'image/png',
    size: 8,
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    state: 'present',
    copies: 2,
    parent_kind: 'issue',
    parent: 'https://H/o/r/issues/1',
    user_login: 'ada',
    url: attachment('1').url,
    path: 'attachments/1/a.png',
  })
  const states = rows.map(({ state }: { state: string }) => state)
  expect(states).toEqual(['present', 'present', 'missing', 'orphaned'])
})

test('lists them on a terminal in a table that fits', async () => {
  const argv = ['attachments', 'list', 'a.tar.gz']
  const { stdout } = await run(argv, { tty: 'stdout', env: { NO_COLOR: '1' } })
  const [header, , first, , third, last] = stdout.split('\n')
  expect(header?.split(/ +/)).toEqual([
    'full_name',
    'number',
    'name',
    'media_type',
    'size',
    'state',
    'copies',
  ])
  expect(first).toMatch(/^o\/r +1 {2}a\.png +image\/png +8 B +present +2$/)
  expect(third).toMatch(/missing/)
  expect(last).toMatch(/attachments\/4.+orphaned/)
  expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([])
})

test('accepts formats and a database', THOROUGH, async () => {
  await run(['load', 'a.tar.gz'])
  const { stdout } = await run(['attachments', 'list', 'a.db', '--csv', '--no-headers'])
  expect(stdout).toMatch(/^attachment,o\/r,1,a\.png,image\/png,8,/)
  expect(await run(['attachments', 'list', 'a.db', '--csv', '--nl'])).toMatchObject({ code: 2 })
})

test('lists nothing without uploads', THOROUGH, async () => {
  inFolder({ 'a.tar.gz': tarGzOf({ 'schema.json': '{}' }) })
  expect(await run(['attachments', 'list', 'a.tar.gz'])).toMatchObject({ code: 0, stdout: '[]\n' })
})
