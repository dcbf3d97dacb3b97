import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { smallArchive } from '../../support/archives.ts'
import { tarGzOf } from '../../support/build-tar.ts'
import { repository } from '../../support/rest-world.ts'
import { inFolder, run, shareFolder } from '../../support/run-command.ts'
import { THOROUGH } from '../../support/thorough.ts'

shareFolder({ 'a.tar.gz': smallArchive() })

test(
  'marc site writes pages of an archive, says where to begin, and writes nothing twice',
  THOROUGH,
  async () => {
    const first = await run(['site', 'a.tar.gz', 'pages'])
    expect(first.code).toBe(0)
    expect(first.stdout).toMatch(/^wrote (\d+) of \1 files; open pages\/index\.html\n$/)
    expect(existsSync('pages/acme/tools/issues/1.html')).toBe(true)
    const again = await run(['site', 'a.tar.gz', 'pages', '--json'])
    expect(JSON.parse(again.stdout)).toMatchObject({ folder: 'pages', written: 0, removed: 0 })
  },
)

test('marc site says that a repository is left out, as another has its name', async () => {
  const repositories = ['one', 'two'].map((host) => repository(`https://${host}.example/a/b`))
  inFolder({ 'a.tar.gz': tarGzOf({ 'repositories_000001.json': repositories }) })
  expect((await run(['site', 'a.tar.gz', 'pages'])).stdout).toMatch(
    /index\.html\n1 repository is left out: another has its name\n$/,
  )
  const { stdout } = await run(['site', 'a.tar.gz', 'pages', '--json'])
  expect(JSON.parse(stdout)).toMatchObject({ written: 0, shadowed: 1 })
})

test('marc site refuses a folder of somebody else', async () => {
  expect(await run(['site', 'a.tar.gz', '.'])).toMatchObject({
    code: 3,
    stderr:
      'marc: .: the folder has other files\nName a new or an empty folder, or a site that marc wrote.\n',
  })
})

test('marc site refuses a file in place of a folder', async () => {
  const { code, stderr } = await run(['site', 'a.tar.gz', 'a.tar.gz'])
  expect([code, stderr]).toEqual([
    3,
    expect.stringMatching(/^marc: a\.tar\.gz: this is a file, not a folder\nName a new/),
  ])
})

test('marc site does not speak of what is in a folder that the system refuses to make', async () => {
  const { code, stderr } = await run(['site', 'a.tar.gz', 'x'.repeat(300)])
  expect([code, stderr]).toEqual([
    3,
    expect.stringMatching(/: name too long\nCheck that the folder exists and is writable\.\n$/),
  ])
})

test('marc site takes a repository without its owner, in any case', THOROUGH, async () => {
  const { code } = await run(['site', 'a.tar.gz', 'one', '--repo', 'Tools'])
  expect([code, existsSync('one/acme/tools/issues/1.html')]).toEqual([0, true])
})

test.each(['--public', '--repo'])(
  'marc site --archive is refused with %s, before anything is written',
  async (part) => {
    const parts = part === '--repo' ? [part, 'tools'] : [part]
    const { code, stderr } = await run(['site', 'a.tar.gz', 'whole', '--archive', ...parts])
    expect([code, existsSync('whole')]).toEqual([2, false])
    expect(stderr).toContain(
      `marc: --archive goes without ${part}: an archive has everything, also what is private\n`,
    )
  },
)

test('marc site says after an interrupt that pages stay, and how to complete the site', async () => {
  const { code, stderr } = await run(['site', 'a.tar.gz', 'half'], { signal: AbortSignal.abort() })
  expect([code, stderr]).toEqual([
    130,
    'marc: interrupted\nPages that were written stay. Run the command again to complete the site.\n',
  ])
})
