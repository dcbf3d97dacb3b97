import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT, run, shareFolder } from '../../support/run-command.ts'

shareFolder({})
const HELLO = join(ROOT, 'samples/hello.tar.gz')

test('marc site writes pages of an archive, says where to begin, and writes nothing twice', async () => {
  const first = await run(['site', HELLO, 'pages'])
  expect(first.code).toBe(0)
  expect(first.stdout).toMatch(/^wrote (\d+) of \1 files; open pages\/index\.html\n$/)
  expect(existsSync('pages/mona-lindqvist/tea-timer/pull/5.html')).toBe(true)
  const again = await run(['site', HELLO, 'pages', '--json'])
  expect(JSON.parse(again.stdout)).toMatchObject({ folder: 'pages', written: 0, removed: 0 })
})

test('marc site refuses a folder of somebody else', async () => {
  const { code, stderr } = await run(['site', HELLO, '.'])
  expect(code).not.toBe(0)
  expect(stderr).toContain('the folder has other files: name an empty one')
})
