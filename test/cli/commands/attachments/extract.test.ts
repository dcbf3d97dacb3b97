import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { tarGzOf } from '../../../support/build-tar.ts'
import { inFolder, run, shareInput } from '../../../support/run-command.ts'
import { THOROUGH } from '../../../support/thorough.ts'
import { archiveOf, attachment, png } from '../../../support/uploads.ts'

const archive = tarGzOf(archiveOf({ 1: [png(1)], 2: [png(2)], 3: [png(2)] }))

shareInput({ 'a.tar.gz': archive })

const extract = (...options: string[]) => run(['attachments', 'extract', ...options])

test('writes uploads of an archive into a folder, and says how many', async () => {
  const { code, stdout, stderr } = await extract('a.tar.gz', 'out/deep', '--by', 'path')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(
    /^out\/deep\n {2}written +2 {2}18 B\n {2}linked +1 {2}hard links to .+\nExtracted in .+\.\n$/,
  )
  expect(readFileSync('out/deep/attachments/1/a.png')).toEqual(png(1))
})

test('writes uploads of a database that was loaded with their contents', THOROUGH, async () => {
  await run(['load', 'a.tar.gz'])
  expect(await extract('a.db', 'out', '--quiet')).toMatchObject({ code: 0 })
  expect(readFileSync('out/o/r/issues/1/a.png')).toEqual(png(1))
})

test('says how to load missing contents', THOROUGH, async () => {
  await run(['load', 'a.tar.gz', '--no-files'])
  const { code, stderr } = await extract('a.db', 'out')
  expect(code).toBe(3)
  expect(stderr).toMatch(/^marc: a\.db, attachments\/1\/a\.png: .+ not stored\nLoad the archives/)
})

test('loads contents if the cached database has none', THOROUGH, async () => {
  inFolder({ 'a.tar.gz': archive })
  await run(['attachments', 'list', 'a.tar.gz'])
  expect(await extract('a.tar.gz', 'out')).toMatchObject({ code: 0 })
})

describe('an upload that is not written', () => {
  test('is reported: kept, because the file exists, unless --force is given', async () => {
    mkdirSync('out/o/r/issues/1', { recursive: true })
    writeFileSync('out/o/r/issues/1/a.png', 'mine')
    const { code, stdout, stderr } = await extract('a.tar.gz', 'out')
    expect(code).toBe(0)
    expect(stderr).toBe('out/o/r/issues/1/a.png: kept, because the file exists\n')
    expect(stdout).toMatch(/^ {2}kept +1 {2}.+--force$/m)
    expect(await extract('a.tar.gz', 'out', '--force')).toMatchObject({ code: 0, stderr: '' })
    expect(readFileSync('out/o/r/issues/1/a.png')).toEqual(png(1))
  })

  test('is listed up to ten times; a missing one leads to exit code 1', THOROUGH, async () => {
    const records = Array.from({ length: 12 }, (_, i) => attachment(String(i).padStart(2, '0')))
    inFolder({ 'a.tar.gz': tarGzOf({ 'attachments_000001.json': records }) })
    const { code, stdout, stderr } = await extract('a.tar.gz', 'out')
    expect(code).toBe(1)
    expect(stdout).toMatch(/^ {2}missing +12 {2}not in the archive$/m)
    const lines = stderr.trimEnd().split('\n')
    expect(lines).toHaveLength(11)
    expect(lines[0]).toBe('attachments/00/a.png: missing from the archive')
    expect(lines[10]).toBe('2 more: missing from the archive')
  })
})

test('shows each upload with --verbose', async () => {
  const { stderr } = await extract('a.tar.gz', 'out', '--by', 'hash', '--verbose')
  const [one, two, three] = stderr.split('\n')
  expect(one).toMatch(/^out\/.+\.png: written$/)
  expect(two).toMatch(/written$/)
  expect(three).toBe('attachments/3/a.png: same')
})

test('writes the summary as JSON', async () => {
  const { stdout } = await extract('a.tar.gz', 'out', '--json')
  expect(JSON.parse(stdout)).toEqual({
    folder: 'out',
    written: 2,
    linked: 0,
    same: 1,
    kept: 0,
    missing: 0,
    bytes: 18,
    seconds: expect.any(Number),
  })
})

test('respects a limit, which may be off', async () => {
  const { code, stderr } = await extract('a.tar.gz', 'out', '--max-extracted', '10')
  expect(code).toBe(3)
  expect(stderr).toBe(
    'marc: a.tar.gz, attachments/2/a.png: more than 10 bytes would be written\n' +
      'Raise --max-extracted if you trust the archive.\n',
  )
  expect(await extract('a.tar.gz', 'out2', '--max-extracted', 'off')).toMatchObject({ code: 0 })
  expect(await extract('a.tar.gz', 'out3', '--max-extracted', 'x')).toMatchObject({ code: 2 })
  expect(existsSync('out3')).toBe(false)
})

test('shows progress on a terminal, and erases it', async () => {
  const { stderr } = await run(['attachments', 'extract', 'a.tar.gz', 'out'], { tty: 'stderr' })
  expect(stderr).toContain('extracting')
  expect(stderr.endsWith('\r\x1b[2K')).toBe(true)
  expect(readdirSync('out/o/r/issues/1')).toEqual(['a-2.png', 'a.png'])
})
