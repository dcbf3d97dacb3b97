import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makePrivateFolder } from '../../src/files/private-folder.ts'
import { inFolder, runBinary } from '../support/run-command.ts'
import { THOROUGH } from '../support/thorough.ts'

/** A folder for `XDG_CACHE_HOME`, and the folder for compiled code in it. */
function inCache() {
  const folder = inFolder()
  const cache = join(folder, 'migration-archive')
  return { folder, cache, make: () => makePrivateFolder('compiled', { XDG_CACHE_HOME: folder }) }
}

const NOBODY = 65_534
const isRoot = process.getuid?.() === 0

describe('M1: The folder for compiled code', () => {
  test('belongs to the user alone', () => {
    const { cache, make } = inCache()
    expect(make()).toBe(join(cache, 'compiled'))
    for (const path of [cache, join(cache, 'compiled')])
      expect(statSync(path).mode & 0o777).toBe(0o700)
    expect(make()).toBe(join(cache, 'compiled'))
  })

  test('may be on another disk if the user has linked the cache to it', () => {
    const { folder, cache, make } = inCache()
    mkdirSync('disk', { mode: 0o700 })
    symlinkSync('disk', cache)
    expect(make()).toBe(join(folder, 'disk/compiled'))
  })

  test('is not used if others can write to it or to the cache', () => {
    for (const name of ['migration-archive/compiled', 'migration-archive']) {
      const { make } = inCache()
      mkdirSync('migration-archive/compiled', { recursive: true, mode: 0o700 })
      chmodSync(name, 0o777)
      expect(make()).toBeUndefined()
    }
  })

  test('is not used if it is a link', () => {
    const { cache, make } = inCache()
    mkdirSync(cache, { mode: 0o700 })
    mkdirSync('elsewhere', { mode: 0o700 })
    symlinkSync('../elsewhere', join(cache, 'compiled'))
    expect(make()).toBeUndefined()
  })

  test('is not used if others can rename a folder above it', () => {
    const { folder, make } = inCache()
    chmodSync(folder, 0o777)
    expect(make()).toBeUndefined()
    chmodSync(folder, 0o1777)
    expect(make()).toBeDefined()
  })

  test.runIf(isRoot)('is not used if it, the cache or a link to it belongs to another', () => {
    for (const name of ['migration-archive/compiled', 'migration-archive']) {
      const { make } = inCache()
      mkdirSync('migration-archive/compiled', { recursive: true, mode: 0o700 })
      chownSync(name, NOBODY, NOBODY)
      expect(make()).toBeUndefined()
    }
  })

  test('M2: is not used if it cannot be created', () => {
    expect(makePrivateFolder('compiled', { XDG_CACHE_HOME: '/proc/none/x' })).toBeUndefined()
    inFolder({ file: '' })
    expect(makePrivateFolder('compiled', { XDG_CACHE_HOME: 'file/x' })).toBeUndefined()
  })
})

describe('M1: A command', () => {
  test('keeps compiled code in the cache folder, not among temporary files', THOROUGH, async () => {
    inFolder()
    mkdirSync('tmp')
    await runBinary(['--version'], { env: { NODE_COMPILE_CACHE: '', TMPDIR: 'tmp' } })
    expect(readdirSync('.cache/migration-archive/compiled')).toHaveLength(1)
    expect(readdirSync('tmp')).toEqual([])
  })

  test('keeps no compiled code in folders that others can write to', THOROUGH, async () => {
    inFolder()
    mkdirSync('.cache')
    chmodSync('.cache', 0o777)
    mkdirSync('tmp')
    const { code } = await runBinary(['--version'], {
      env: { NODE_COMPILE_CACHE: '', TMPDIR: 'tmp' },
    })
    expect(code).toBe(0)
    expect(existsSync('.cache/migration-archive/compiled')).toBe(false)
    expect(readdirSync('tmp')).toEqual([])
  })
})
