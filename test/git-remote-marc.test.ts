import { execFile } from 'node:child_process'
import { chmodSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { COMPILE_CACHE, ROOT, run, shareSamples } from './support/run-command.ts'
import { THOROUGH } from './support/thorough.ts'

const ADDRESS = 'marc::samples/organization.tar.gz#harbour-lights/tidewatch'
const HELPER = join(ROOT, 'src/git-remote-marc.ts')

shareSamples()
beforeAll(() => run(['repo', 'list', 'samples/organization.tar.gz']))

/** Runs git with the helper on its path. */
async function git(...args: string[]): Promise<string> {
  const cwd = process.cwd()
  const folder = join(cwd, '.cache')
  const script = join(folder, 'git-remote-marc')
  writeFileSync(script, `#!/bin/sh\nexec "${process.execPath}" "${HELPER}" "$@"\n`)
  chmodSync(script, 0o755)
  const env = {
    PATH: `${folder}:${process.env.PATH}`,
    HOME: cwd,
    XDG_CACHE_HOME: folder,
    LC_ALL: 'C',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    ...COMPILE_CACHE,
  }
  const { stdout, stderr } = await promisify(execFile)('git', args, { env, cwd })
  return stdout + stderr
}

test('git clone marc:: clones from an archive, shallow and partial', async () => {
  await git('clone', '-q', '--bare', '--depth', '1', '--filter=blob:none', ADDRESS, 'small')
  expect(await git('-C', 'small', 'rev-list', '--count', 'main')).toBe('1\n')
  expect(await git('-C', 'small', 'rev-list', '--objects', '--missing=print', 'main')).toMatch(
    /^\?/m,
  )
})

test('git clone marc:: clones whole, from the bare clone of an earlier one', THOROUGH, async () => {
  await git('clone', '-q', '--depth', '1', '--no-single-branch', ADDRESS, 'shallow')
  await git('clone', '-q', ADDRESS, 'whole')
  expect(await git('-C', 'whole', 'rev-list', '--objects', '--missing=print', 'main')).not.toMatch(
    /^\?/m,
  )
  expect(await git('-C', 'whole', 'fsck')).toBe('')
  expect(readdirSync('.cache/migration-archive/clones/git')).toHaveLength(1)
})

test('git clone marc:: needs no name if there is one repository', THOROUGH, async () => {
  await git('clone', '-q', 'marc::samples/hello.tar.gz', 'hello')
  expect(await git('-C', 'hello', 'log', '-1', '--format=%s')).not.toBe('')
})
