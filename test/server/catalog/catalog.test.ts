import { copyFileSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../../src/database/open-database.ts'
import { openCatalog } from '../../../src/server/catalog/catalog.ts'
import { madeNumber } from '../../../src/server/catalog/numbers.ts'
import type { Viewer } from '../../../src/server/catalog/permissions.ts'
import type { Repository } from '../../../src/server/catalog/repositories.ts'
import { folderOf } from '../../support/folder.ts'
import { loaded } from '../../support/load.ts'
import { filesOf, HOST, KETTLE, repository, worldRecords } from '../../support/rest-world.ts'
import { shareCatalog } from '../../support/serve-world.ts'
import { THOROUGH } from '../../support/thorough.ts'

const catalog = shareCatalog([worldRecords()])
const reader = () => catalog().read()
const named = (name: string) => reader().repositories.findByName(name) as Repository

const viewer = (login: string, ...scopes: string[]): Viewer => ({ login, scopes })

describe('A permission in a private repository', () => {
  const permissionOf = (who: Viewer) =>
    reader().permissions.permissionOf(who, named('forge/secret'))

  test.each([
    ['an administrator of the organization', viewer('ada', 'repo'), 'admin'],
    ['a member of the organization, who may read by default', viewer('Carol', 'repo'), 'pull'],
    ['a collaborator', viewer('bob', 'repo'), 'pull'],
    ['a member of a team', viewer('dave', 'repo'), 'push'],
    ['somebody else', viewer('twin', 'repo'), undefined],
    ['a token without the scope', viewer('ada', 'user'), undefined],
    ['a stranger', undefined, undefined],
  ])('of %s', (_, who, expected) => {
    expect(permissionOf(who)).toBe(expected)
  })

  test('of a member by the accounts file follows from the role there', () => {
    const organization = (role: 'admin' | 'member') => ({
      accounts: [],
      organizations: [{ login: 'forge', sso: false, members: [{ login: 'twin', role }] }],
    })
    onTestFinished(() => catalog().useAccounts({ accounts: [], organizations: [] }))
    catalog().useAccounts(organization('member'))
    expect(permissionOf(viewer('twin', 'repo'))).toBe('pull')
    expect(reader().permissions.repositoriesOf('twin', ['organization_member'])).toHaveLength(2)
    catalog().useAccounts(organization('admin'))
    expect(permissionOf(viewer('twin', 'repo'))).toBe('admin')
  })
})

test.each([
  ['owner', 'ada', ['ada/notes']],
  ['collaborator', 'bob', ['forge/secret']],
  ['organization_member', 'ada', ['forge/kettle', 'forge/secret']],
  ['organization_member', 'dave', ['forge/secret']],
] as const)('Repositories by affiliation %s of %s', (affiliation, login, expected) => {
  const ids = reader().permissions.repositoriesOf(login, [affiliation])
  expect(ids.map((id) => reader().repositories.byId(id)?.fullName).sort()).toEqual(expected)
})

describe('A person', () => {
  test('is found by login in any case; of several, the one with the smallest url', () => {
    expect(reader().people.findByLogin('ADA')?.url).toBe(`${HOST}/ada`)
  })

  test('is the ghost if there is none', () => {
    const { url, number } = reader().people.byUrl(null, 'forge.example')
    expect([url, number]).toEqual([`${HOST}/ghost`, 10137])
  })

  test('has the number of the accounts file, and the previous owner of the number gets another', () => {
    onTestFinished(() => catalog().useAccounts({ accounts: [], organizations: [] }))
    const accounts = [{ login: 'Bob', id: 17, siteAdmin: false }]
    catalog().useAccounts({ accounts, organizations: [] })
    expect(catalog().numberOfAccount('bob')).toBe(17)
    expect(catalog().numberOfAccount('ada')).toBe(madeNumber('User', `${HOST}/ada`))
    expect(catalog().numberOfAccount('new')).toBe(madeNumber('User', `${HOST}/new`))
  })
})

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

test('Databases are counted as one, and records that are not served are reported', async () => {
  expect(reader().counts()).toEqual({ repositories: 3, shadowed: 1, unserved: 0 })
})

test('A catalog of databases that are not there writes nothing', async () => {
  const folder = join(await folderOf(), 'state')
  await expect(openCatalog(['/nowhere/it.db'], { folder })).rejects.toMatchObject({
    code: 'database-not-found',
  })
  expect(existsSync(folder)).toBe(false)
})
