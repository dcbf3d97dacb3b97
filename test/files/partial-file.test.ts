import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { hasEnded, ownProcess, partialOf, removeStale } from '../../src/files/partial-file.ts'
import { folderOf } from '../support/folder.ts'
import { outputOf } from '../support/run-program.ts'

/** A process that has ended. */
const gone = outputOf('sh', ['-c', 'printf $$'])
const ofGone = (name: string) => basename(partialOf(name)).replace(`-${process.pid}-`, `-${gone}-`)

describe('removeStale', () => {
  test('removes what a process that is gone has left, be it a file, its journal or a folder', async () => {
    const folder = await folderOf({ 'it.db': 'whole' })
    writeFileSync(join(folder, ofGone('it.db')), 'half')
    writeFileSync(join(folder, `${ofGone('it.db')}-journal`), 'half')
    mkdirSync(join(folder, ofGone('it.db'), 'objects'), { recursive: true })
    removeStale(join(folder, 'it.db'))
    expect(readdirSync(folder)).toEqual(['it.db'])
  })

  test.each([
    ['what a process is still writing', basename(partialOf('it.db'))],
    ['what another machine writes', ofGone('it.db').replace(/\.[0-9a-f]{8}-/, '.00000000-')],
    ['what is beside another name', ofGone('my-it.db')],
    ['what is called by somebody else', 'it.db.partial'],
    ['what only begins like it', `${ofGone('it.db')}.txt`],
  ])('leaves %s', async (_what, name) => {
    const folder = await folderOf({ [name]: 'x' })
    removeStale(join(folder, 'it.db'))
    expect(readdirSync(folder)).toEqual([name])
  })

  test('cleans a whole folder on request', async () => {
    const folder = await folderOf({ [ofGone('a.png')]: 'x', [ofGone('b.png')]: 'x', 'c.png': 'x' })
    removeStale(folder, { anyName: true })
    expect(readdirSync(folder)).toEqual(['c.png'])
  })

  test('minds no folder that is not there', () => {
    expect(() => removeStale('/nowhere/at/all')).not.toThrow()
  })
})

test('hasEnded knows processes of this machine alone', () => {
  const ended = ownProcess().replace(/\d+$/, String(gone))
  expect(hasEnded(ended)).toBe(true)
  expect(hasEnded(ownProcess())).toBe(false)
  expect(hasEnded(ended.replace(/^\w+/, '00000000'))).toBe(false)
  expect(hasEnded('')).toBe(false)
})

test('partialOf gives a name that fits beside any other', async () => {
  const folder = await folderOf()
  for (const name of ['a', 'x'.repeat(255), 'ä'.repeat(127)]) {
    const partial = partialOf(join(folder, name))
    expect(Buffer.byteLength(basename(partial))).toBeLessThanOrEqual(255)
    expect(() => writeFileSync(partial, 'x')).not.toThrow()
  }
})
