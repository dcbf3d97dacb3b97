import { lstatSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ArchiveError } from '../../src/base/errors.ts'
import { attemptSync } from '../../src/files/attempt.ts'
import { linkFile, writeFile, writeTogether } from '../../src/files/write-file.ts'
import { inFolder } from '../support/run-command.ts'
import { outputOf } from '../support/run-program.ts'

async function* bytesOf(...texts: string[]) {
  for (const text of texts) yield Buffer.from(text)
}

const there = { code: 'output-exists', place: { archive: 'a' } }

describe('writeFile', () => {
  test('gives a file its name when it is whole', async () => {
    inFolder()
    const seen: string[][] = []
    const bytes = async function* () {
      yield Buffer.from('one ')
      seen.push(readdirSync('.'))
      yield Buffer.from('two')
    }
    await writeFile('a', bytes())
    expect(seen).toEqual([[expect.stringMatching(/^a\.[0-9a-f]{8}-\d+-[0-9a-f]{8}\.partial$/)]])
    expect(readFileSync('a', 'utf8')).toBe('one two')
    expect(readdirSync('.')).toEqual(['a'])
  })

  test('leaves nothing behind when the content fails', async () => {
    inFolder()
    const bytes = async function* () {
      yield Buffer.from('one ')
      throw new ArchiveError('database-damaged', 'cut')
    }
    await expect(writeFile('a', bytes())).rejects.toMatchObject({ code: 'database-damaged' })
    expect(readdirSync('.')).toEqual([])
  })

  test('replaces a file by force alone', async () => {
    inFolder({ a: 'old' })
    await expect(writeFile('a', bytesOf('new'))).rejects.toMatchObject(there)
    expect(readFileSync('a', 'utf8')).toBe('old')
    await writeFile('a', bytesOf('new'), { force: true })
    expect(readFileSync('a', 'utf8')).toBe('new')
    expect(readdirSync('.')).toEqual(['a'])
  })

  test('neither writes through a link nor replaces one without force, even if it is dangling', async () => {
    inFolder({ target: 'precious' })
    symlinkSync('nowhere', 'a')
    await expect(writeFile('a', bytesOf('new'))).rejects.toMatchObject(there)
    expect(lstatSync('a').isSymbolicLink()).toBe(true)
    symlinkSync('target', 'b')
    await writeFile('b', bytesOf('new'), { force: true })
    expect(lstatSync('b').isSymbolicLink()).toBe(false)
    expect(readFileSync('target', 'utf8')).toBe('precious')
    expect(readdirSync('.')).toEqual(['a', 'b', 'target'])
  })

  test('never replaces a device or a pipe', async () => {
    inFolder()
    outputOf('mkfifo', ['a'])
    const refused = { code: 'output-refused', place: { archive: 'a' } }
    await expect(writeFile('a', bytesOf('new'), { force: true })).rejects.toMatchObject(refused)
    expect(lstatSync('a').isFIFO()).toBe(true)
    expect(readdirSync('.')).toEqual(['a'])
  })

  test('writes a name as long as a name may be', async () => {
    const folder = inFolder()
    const name = 'n'.repeat(255)
    await writeFile(join(folder, name), bytesOf('x'))
    expect(readdirSync('.')).toEqual([name])
  })

  test('reports a missing folder', async () => {
    inFolder()
    const error = { code: 'output-refused', place: { archive: 'no/a' } }
    await expect(writeFile('no/a', bytesOf('x'))).rejects.toMatchObject(error)
  })
})

test('A folder that does not exist is named, and not a temporary file', async () => {
  const path = join(inFolder(), 'no-such-folder', 'x')
  await expect(writeFile(path, bytesOf('x'))).rejects.toMatchObject({
    code: 'output-refused',
    message: `there is no folder ${dirname(path)}`,
  })
})

test.each(['ENOSPC', 'EDQUOT', 'EFBIG'])('%s of the system is output-full', (code) => {
  const write = () => {
    throw Object.assign(new Error(`${code}: no room`), { code })
  }
  const full = { code: 'output-full', place: { archive: 'a' }, message: `${code}: no room` }
  expect(() => attemptSync('a', write)).toThrow(expect.objectContaining(full))
})

describe('linkFile', () => {
  test('gives a file one more name', async () => {
    inFolder({ first: 'x' })
    linkFile('first', 'a')
    expect(lstatSync('a').ino).toBe(lstatSync('first').ino)
  })

  test('takes the place of another file by force alone, and leaves nothing behind', async () => {
    inFolder({ first: 'x', a: 'old' })
    expect(() => linkFile('first', 'a')).toThrow(expect.objectContaining(there))
    linkFile('first', 'a', { force: true })
    linkFile('first', 'a', { force: true })
    expect(readFileSync('a', 'utf8')).toBe('x')
    writeFileSync('a', 'y')
    expect(readFileSync('first', 'utf8')).toBe('y')
    expect(readdirSync('.')).toEqual(['a', 'first'])
  })
})

describe('writeTogether', () => {
  const pair = (second: AsyncIterable<Uint8Array>) => [
    { path: 'a', bytes: bytesOf('one') },
    { path: 'b', bytes: second },
  ]

  test('gives no file its name before all are whole', async () => {
    inFolder()
    const seen: string[] = []
    const second = async function* () {
      seen.push(...readdirSync('.').filter((name) => !name.endsWith('.partial')))
      yield Buffer.from('two')
    }
    await writeTogether(pair(second()))
    expect(seen).toEqual([])
    expect(readdirSync('.')).toEqual(['a', 'b'])
    expect(readFileSync('b', 'utf8')).toBe('two')
  })

  test.each([false, true])('leaves things as they were when one fails, force %s', async (force) => {
    inFolder(force ? { a: 'old' } : {})
    const second = async function* () {
      yield Buffer.from('two')
      throw new ArchiveError('database-damaged', 'cut')
    }
    const written = writeTogether(pair(second()), { force })
    await expect(written).rejects.toMatchObject({ code: 'database-damaged' })
    expect(readdirSync('.')).toEqual(force ? ['a'] : [])
    if (force) expect(readFileSync('a', 'utf8')).toBe('old')
  })

  test('takes no name where somebody took another one meanwhile', async () => {
    inFolder()
    const second = async function* () {
      yield Buffer.from('two')
      writeFileSync('b', 'theirs')
    }
    await expect(writeTogether(pair(second()))).rejects.toMatchObject({ code: 'output-exists' })
    expect(readdirSync('.')).toEqual(['b'])
    expect(readFileSync('b', 'utf8')).toBe('theirs')
  })
})
