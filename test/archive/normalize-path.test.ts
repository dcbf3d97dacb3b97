import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { normalizePath } from '../../src/archive/normalize-path.ts'
import { DEFAULT_LIMITS } from '../../src/base/limits.ts'

const fileAt = (name: string, limits = {}) =>
  normalizePath(name, false, { ...DEFAULT_LIMITS, ...limits })

const directoryAt = (name: string) => normalizePath(name, true, DEFAULT_LIMITS)

describe('normalizePath', () => {
  test.each([
    ['a/b.json', 'a/b.json'],
    ['./a/b.json', 'a/b.json'],
    ['././a/b.json', 'a/b.json'],
    ['a//b.json', 'a/b.json'],
    ['a/./b.json', 'a/b.json'],
    ['a/b.json/', 'a/b.json'],
    ['..a/b..', '..a/b..'],
    ['.../a', '.../a'],
    [' a . ', ' a . '],
    ['a\\b', 'a\\b'],
    ['a\n\x1b[31m\u202eb', 'a\n\x1b[31m\u202eb'],
  ])('makes %j %j', (name, path) => {
    expect(fileAt(name)).toBe(path)
  })

  test.each([
    ['a', 'a/'],
    ['a/', 'a/'],
    ['./a/b', 'a/b/'],
    ['./', ''],
    ['.', ''],
    ['', ''],
  ])('makes the directory %j %j', (name, path) => {
    expect(directoryAt(name)).toBe(path)
  })

  test.each([
    ['T1', '/etc/passwd', 'is absolute'],
    ['T1', '//server/share', 'is absolute'],
    ['T2', '../x', 'leads out of the archive'],
    ['T2', 'a/../../x', 'leads out of the archive'],
    ['T2', 'a/..', 'leads out of the archive'],
    ['T2', '..', 'leads out of the archive'],
    ['T2', './../x', 'leads out of the archive'],
    ['T3', 'C:\\x', 'names a drive'],
    ['T3', 'C:../x', 'names a drive'],
    ['T3', './C:\\x', 'names a drive'],
    ['T3', './/./\\x', 'is absolute'],
    ['T3', '\\\\server\\share', 'is absolute'],
    ['T4', '..\\x', 'leads out of the archive'],
    ['T4', 'a\\..\\..\\x', 'leads out of the archive'],
    ['T5', '', 'names no file'],
    ['T5', '.', 'names no file'],
    ['T6', 'a\0.json', 'holds a NUL'],
  ])('%s: refuses %j, which %s', (_code, name, reason) => {
    const message = `the path ${JSON.stringify(name)} ${reason}`
    const error = expect.objectContaining({ code: 'path-hostile', message })
    expect(() => fileAt(name)).toThrow(error)
  })

  test('refuses a path of more bytes than the limit', () => {
    expect(fileAt('éé', { path: 4 })).toBe('éé')
    const error = expect.objectContaining({ code: 'limit-path' })
    expect(() => fileAt('éé.', { path: 4 })).toThrow(error)
  })

  test('T15: refuses a path of more parts than the limit', () => {
    expect(fileAt('./a/b/c', { parts: 3 })).toBe('a/b/c')
    const error = expect.objectContaining({ code: 'limit-parts' })
    expect(() => fileAt('./a/b/c', { parts: 2 })).toThrow(error)
  })

  test('leaves a normalised path as it is', () => {
    const name = fc.string({ unit: fc.constantFrom('a', 'b', '.', '/', '\\', ' '), minLength: 1 })
    fc.assert(
      fc.property(name, fc.boolean(), (name, isDirectory) => {
        const once = attempt(() => normalizePath(name, isDirectory, DEFAULT_LIMITS))
        fc.pre(once !== undefined)
        expect(normalizePath(once as string, isDirectory, DEFAULT_LIMITS)).toBe(once)
      }),
    )
  })
})

function attempt<T>(action: () => T): T | undefined {
  try {
    return action()
  } catch {
    return undefined
  }
}
