import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { smallArchive } from '../../support/archives.ts'
import { run, shareFolder } from '../../support/run-command.ts'

shareFolder({ 'a.tar.gz': smallArchive() })

test('marc site writes pages of an archive, says where to begin, and writes nothing twice', async () => {
  const first = await run(['site', 'a.tar.gz', 'pages'])
  expect(first.code).toBe(0)
  expect(first.stdout).toMatch(/^wrote (\d+) of \1 files; open pages\/index\.html\n$/)
  expect(existsSync('pages/acme/tools/issues/1.html')).toBe(true)
  const again = await run(['site', 'a.tar.gz', 'pages', '--json'])
  expect(JSON.parse(again.stdout)).toMatchObject({ folder: 'pages', written: 0, removed: 0 })
})

test('marc site refuses a folder of somebody else', async () => {
  const { code, stderr } = await run(['site', 'a.tar.gz', '.'])
  expect(code).not.toBe(0)
  expect(stderr).toContain('the folder has other files: name an empty one')
})
