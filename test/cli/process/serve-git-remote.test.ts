import { existsSync, mkdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { inFolder, run, shareSamples } from '../../support/run-command.ts'

const ADDRESS = 'samples/organization.tar.gz#harbour-lights/tidewatch'

shareSamples()

const speak = (address: string, stdin: string) => run(['__remote', 'origin', address], { stdin })

test('takes no pushes, and says what is wrong with an address', async () => {
  expect((await speak(ADDRESS, 'connect git-receive-pack\n')).stderr).toBe(
    'marc: an archive takes no pushes\nPush to another repository: git push <url> <branch>\n',
  )
  for (const address of ['', '#ada/kettle', 'archive.db#']) {
    const { code, stderr } = await speak(address, 'capabilities\n\n')
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('expected an address'),
    })
  }
  const unknown = await speak('samples/organization.tar.gz#ada/none', 'connect git-upload-pack\n')
  expect(unknown.stderr).toContain('the archive has no Git data of "ada/none"')
  const several = await speak('samples/organization.tar.gz', 'connect git-upload-pack\n')
  expect(several.stderr).toContain('has 2 repositories, name one: harbour-lights/almanac, ')
})

test('tells somebody who fetches in a clone to name an absolute path', async () => {
  const { stderr } = await speak('none.db#ada/kettle', 'connect git-upload-pack\n')
  expect(stderr).toContain('none.db: there is no such file')
  expect(stderr).toContain("git remote set-url origin 'marc::/path/to/none.db#ada/kettle'")
  const absolute = await speak('/none/it.db#ada/kettle', 'connect git-upload-pack\n')
  expect(absolute.stderr).not.toContain('set-url')
})

test('speaks the protocol of remote helpers', async () => {
  const { code, stdout } = await speak('x.db#ada/kettle', 'capabilities\noption verbosity 1\n\n')
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'connect\n\nunsupported\n' })
  const strange = await speak('x.db#ada/kettle', 'frob\n')
  expect(strange.stderr).toContain('something unknown')
  expect((await speak('x.db#ada/kettle', 'x'.repeat(2_000))).stderr).toContain('too long')
})

test('marc cache clear removes the bare clones that git reads from', async () => {
  inFolder()
  mkdirSync('.cache/migration-archive/clones/git', { recursive: true })
  const { stdout } = await run(['cache', 'clear'])
  expect(stdout).toMatch(/^Removed/)
  expect(existsSync('.cache/migration-archive/clones')).toBe(false)
})
