import { mkdirSync, readdirSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { makeTemporaryFolder } from '../../src/files/temporary-folder.ts'
import { folderOf } from '../support/folder.ts'
import { outputOf } from '../support/run-program.ts'

beforeEach(async () => {
  vi.stubEnv('TMPDIR', await folderOf())
  onTestFinished(() => void vi.unstubAllEnvs())
})

test('P1: creates a new private folder, and removes those of killed processes', () => {
  const { path } = makeTemporaryFolder()
  expect(statSync(path).mode & 0o777).toBe(0o700)
  const gone = outputOf('sh', ['-c', 'printf $$'])
  mkdirSync(join(path.replace(`-${process.pid}-`, `-${gone}-`), 'deep'), { recursive: true })
  const another = makeTemporaryFolder()
  expect(readdirSync(tmpdir()).sort()).toEqual([basename(path), basename(another.path)].sort())
})

test('goes with all that is in it', () => {
  const { path, remove } = makeTemporaryFolder()
  mkdirSync(join(path, 'deep'))
  remove()
  expect(readdirSync(tmpdir())).toEqual([])
})
