import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../../src/database/open-database.ts'
import { cloneRepository } from '../../../src/git/clone/clone-repository.ts'
import { openRepository } from '../../../src/git/open-repository.ts'
import { verifyRepository } from '../../../src/git/verify/verify-repository.ts'
import { loadArchive } from '../../../src/load/load-archive.ts'
import { listOf } from '../../support/entries.ts'
import { type GitHistory, gitHistory, gitText } from '../../support/git-history.ts'

let history: GitHistory
let root: string
let database: Database

beforeAll(async () => {
  history = await gitHistory()
  root = mkdtempSync(join(tmpdir(), 'index-1-'))
  for (const name of ['kettle', 'spoiled']) {
    const directory = join(root, `archive/repositories/ada/${name}.git`)
    cpSync(history.directory, directory, { recursive: true })
    const packs = join(directory, 'objects/pack')
    const pack = readdirSync(packs).find((file) => file.endsWith('.pack')) ?? ''
    const index = join(packs, pack.replace(/pack$/, 'idx'))
    rmSync(index)
    gitText(packs, ['index-pack', '--index-version=1', pack])
    if (name === 'kettle') continue
    const bytes = readFileSync(index)
    bytes.writeUInt32BE(bytes.readUInt32BE(1024) + 1, 1024)
    rmSync(index)
    writeFileSync(index, bytes)
  }
  const path = join(root, 'it.db')
  await loadArchive(join(root, 'archive'), path)
  database = openDatabase(path)
})

afterAll(() => {
  database.close()
  history.close()
  rmSync(root, { recursive: true })
})

describe('An index of version 1', () => {
  test('leads to every object', () => {
    const { objects } = openRepository(database, 'ada/kettle')
    const known = gitText(history.directory, ['cat-file', '--batch-all-objects', '--batch-check'])
    const lines = known.trimEnd().split('\n')
    const mine = lines.map((line) => objects.read(line.slice(0, 40)))
    expect(mine.map(({ oid, type, content }) => `${oid} ${type} ${content.length}`)).toEqual(lines)
    expect(objects.startingWith(lines[0]?.slice(0, 12) ?? '')).toEqual([lines[0]?.slice(0, 40)])
    expect(objects.has('a'.repeat(40))).toBe(false)
  })

  test('is whole, though it has no checksums of objects', async () => {
    expect(await listOf(verifyRepository(database, 'ada/kettle'))).toEqual([])
  })

  test('is found to be damaged', async () => {
    const faults = await listOf(verifyRepository(database, 'ada/spoiled'))
    expect(faults.map(({ code }) => code)).toContain('git-index-damaged')
  })

  test('is cloned, and git reads it', async () => {
    const directory = join(root, 'clone.git')
    await cloneRepository(database, 'ada/kettle', directory)
    expect(gitText(directory, ['fsck', '--full', '--strict', '--no-dangling'])).toBe('')
    const all = ['rev-list', '--all', '--objects']
    expect(gitText(directory, all)).toBe(gitText(history.directory, all))
  })
})
