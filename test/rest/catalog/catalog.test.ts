import { copyFileSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../../src/database/open-database.ts'
import { openCatalog } from '../../../src/rest/catalog/catalog.ts'
import { folderOf } from '../../support/folder.ts'
import { loaded } from '../../support/load.ts'
import { filesOf, KETTLE, repository, worldRecords } from '../../support/rest-world.ts'
import { THOROUGH } from '../../support/thorough.ts'

describe('A database that changes while it is served', () => {
  test('is busy until its index is made anew', THOROUGH, async () => {
    const { path: original } = await loaded(filesOf(worldRecords()))
    const path = join(await folderOf(), 'it.db')
    copyFileSync(original, path)
    const changing = await openCatalog([path], { lookEvery: 5 })
    onTestFinished(() => changing.close())
    const before = changing.read()
    const database = openDatabase(path, { readonly: false })
    database.prepare('UPDATE repositories SET private = 1 WHERE url = ?').run(KETTLE)
    database.close()
    await expect.poll(() => changing.status, { interval: 1, timeout: 5000 }).toBe('busy')
    expect(() => changing.read()).toThrow(expect.objectContaining({ code: 'database-busy' }))
    await expect.poll(() => changing.status, { timeout: 20_000 }).toBe('ready')
    const after = changing.read()
    expect(after).not.toBe(before)
    expect(after.repositories.findByName('forge/kettle')?.isPrivate).toBe(true)
  })

  test('is busy while another program has it locked, and nothing waits for that', async () => {
    const { path, database } = await loaded(filesOf({ repositories: [repository(KETTLE)] }))
    const changing = await openCatalog([path], { lookEvery: 5 })
    onTestFinished(() => changing.close())
    database.exec('BEGIN EXCLUSIVE')
    const started = performance.now()
    await expect.poll(() => changing.status, { interval: 1, timeout: 5000 }).toBe('busy')
    await setTimeout(20)
    expect(performance.now() - started).toBeLessThan(4000)
    database.exec('ROLLBACK')
    await expect.poll(() => changing.status, { interval: 5, timeout: 20_000 }).toBe('ready')
  })

  async function removed() {
    const { path: original } = await loaded(filesOf({ repositories: [repository(KETTLE)] }))
    const path = join(await folderOf(), 'it.db')
    copyFileSync(original, path)
    const changing = await openCatalog([path], { lookEvery: 5 })
    onTestFinished(() => changing.close())
    rmSync(path)
    await expect.poll(() => changing.status, { interval: 1, timeout: 5000 }).toBe('busy')
    return { changing, putBack: () => copyFileSync(original, path) }
  }

  test('is busy while it is gone', async () => {
    const { changing } = await removed()
    expect(() => changing.read()).toThrow(expect.objectContaining({ code: 'database-busy' }))
  })

  test('is ready once it is there again', THOROUGH, async () => {
    const { changing, putBack } = await removed()
    putBack()
    await expect.poll(() => changing.status, { interval: 5, timeout: 20_000 }).toBe('ready')
  })
})

test('A catalog of databases that are not there writes nothing', async () => {
  const folder = join(await folderOf(), 'state')
  await expect(openCatalog(['/nowhere/it.db'], { folder })).rejects.toMatchObject({
    code: 'database-not-found',
  })
  expect(existsSync(folder)).toBe(false)
})
