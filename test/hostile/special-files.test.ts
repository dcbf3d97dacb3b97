import { createWriteStream, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { describe, expect, test } from 'vitest'
import { openArchive } from '../../src/archive/open-archive.ts'
import { smallArchive } from '../support/archives.ts'
import { tarOf } from '../support/build-tar.ts'
import { pathsOf } from '../support/entries.ts'
import { inFolder, run } from '../support/run-command.ts'
import { outputOf } from '../support/run-program.ts'
import { THOROUGH } from '../support/thorough.ts'

describe('An archive', () => {
  test('T16: that is a symlink is read', async () => {
    inFolder({ 'a.tar.gz': smallArchive() })
    symlinkSync('a.tar.gz', 'link')
    expect(await run(['inspect', 'link'])).toMatchObject({ code: 0 })
  })

  test('T16: that is a symlink to nothing, or to itself, is not there', async () => {
    inFolder()
    symlinkSync('nothing', 'dangling')
    symlinkSync('loop', 'loop')
    expect(await run(['inspect', 'dangling'])).toMatchObject({ code: 2 })
    expect((await run(['load', 'loop', '-o', 'x.db'])).code).toBeGreaterThan(1)
  })

  test('T16: that is a pipe is read', async () => {
    inFolder()
    outputOf('mkfifo', ['pipe'])
    const writing = pipeline(Readable.from([smallArchive()]), createWriteStream('pipe'))
    expect(await run(['load', 'pipe', '-o', 'it.db'])).toMatchObject({ code: 0 })
    await writing
  })

  test('T16, P5: that is a pipe nobody writes to is waited for until an interrupt', async () => {
    inFolder()
    outputOf('mkfifo', ['pipe'])
    const interrupt = new AbortController()
    const waiting = run(['inspect', 'pipe'], { signal: interrupt.signal })
    setImmediate(() => interrupt.abort())
    expect(await waiting).toMatchObject({
      code: 130,
      stderr: expect.stringContaining('interrupted'),
    })
  })

  test.skipIf(process.platform !== 'linux')(
    'T16: that cannot be read says so in every command',
    async () => {
      inFolder()
      for (const argv of [['inspect'], ['load', '-o', 'x.db'], ['check'], ['query', 'select 1']]) {
        const [command = '', ...more] = argv
        const { code, stderr } = await run([command, '/proc/self/mem', ...more])
        expect({ code, stderr }).toMatchObject({
          stderr: expect.stringMatching(/^marc: .*i\/o error/),
        })
        expect(code).toBeGreaterThan(1)
      }
    },
  )

  test('T16: that is a folder is read', THOROUGH, async () => {
    inFolder({ 'it/users_000001.json': '[]' })
    expect(await run(['load', 'it', '-o', 'it.db'])).toMatchObject({ code: 0 })
  })

  test('T16: that is cut while it is read is refused', async () => {
    inFolder({ 'a.tar': tarOf({ 'attachments/1/a': 'x'.repeat(2 ** 20), 'attachments/1/b': 'x' }) })
    const { entries } = await openArchive('a.tar')
    expect((await entries.next()).value).toMatchObject({ path: 'attachments/1/a' })
    truncateSync('a.tar', 500_000)
    await expect(pathsOf(entries)).rejects.toMatchObject({ code: 'tar-truncated' })
  })

  test('T16: that grows while it is read is refused', async () => {
    const tar = tarOf({ 'attachments/1/a': 'x'.repeat(2 ** 20) })
    inFolder({ 'a.tar': tar })
    const { entries } = await openArchive('a.tar')
    await entries.next()
    writeFileSync('a.tar', 'garbage '.repeat(64), { flag: 'a' })
    await expect(pathsOf(entries)).rejects.toMatchObject({ code: 'tar-damaged' })
  })
})

test.skipIf(process.platform !== 'linux')(
  'M2: A folder of output below /proc, where none can be made, is refused at once by every command that makes one',
  async () => {
    inFolder({ 'it.tar.gz': smallArchive({ 'repositories/a/b.git/HEAD': 'ref: refs/heads/main' }) })
    const to = '/proc/none/x'
    for (const argv of [
      ['site', 'it.tar.gz', to],
      ['attachments', 'extract', 'it.tar.gz', to],
      ['export', 'it.tar.gz', '--csv', to],
      ['repo', 'clone', 'it.tar.gz', 'a/b', to],
      ['build', 'it.tar.gz', '--split-by', 'owner', '-o', to],
    ]) {
      const { code, stderr } = await run(argv)
      expect([code, stderr]).toEqual([
        3,
        expect.stringMatching(/^marc: \/proc\/none\/x.*there is no folder \/proc\/none/),
      ])
    }
  },
)
