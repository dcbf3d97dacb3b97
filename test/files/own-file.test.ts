import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { writeOwnFile } from '../../src/files/own-file.ts'
import { folderOf } from '../support/folder.ts'

describe('A file of our own', () => {
  test('gets its name when it is complete, and replaces the one there', async () => {
    const folder = join(await folderOf(), 'ours')
    const path = join(folder, 'index.db')
    for (const text of ['one', 'two']) {
      writeOwnFile(path, (partial) => {
        expect(partial).not.toBe(path)
        writeFileSync(partial, text)
      })
    }
    expect(readFileSync(path, 'utf8')).toBe('two')
    expect(readdirSync(folder)).toEqual(['index.db'])
  })

  test('can be read by nobody else', async () => {
    const path = join(await folderOf(), 'ours', 'index.db')
    writeOwnFile(path, (partial) => writeFileSync(partial, 'secret'))
    expect(statSync(path).mode & 0o077).toBe(0)
  })

  test('stays as it was if the new one is not complete', async () => {
    const folder = join(await folderOf(), 'ours')
    const path = join(folder, 'index.db')
    writeOwnFile(path, (partial) => writeFileSync(partial, 'whole'))
    const write = (partial: string) => {
      writeFileSync(partial, 'half')
      throw new Error('no more room')
    }
    expect(() => writeOwnFile(path, write)).toThrow('no more room')
    expect(readFileSync(path, 'utf8')).toBe('whole')
    expect(readdirSync(folder)).toEqual(['index.db'])
  })
})
