import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { sha256Of } from '../../../src/http/access/accounts.ts'
import { createAuthorizations } from '../../../src/rest/state/authorizations.ts'
import { openStateDatabase } from '../../../src/rest/state/state-database.ts'
import { folderOf } from '../../support/folder.ts'

const asked = {
  owner: 'Ada',
  clientId: undefined,
  note: 'laptop',
  noteUrl: undefined,
  fingerprint: undefined,
  scopes: ['repo', 'user'],
}
const NOW = 1_700_000_000_000

function opened(folder = ':memory:') {
  const state = openStateDatabase(folder)
  onTestFinished(() => state.close())
  return { state, ...createAuthorizations(state, { clock: () => new Date(NOW) }) }
}

test('A token is known by its hash alone, on every server of the state', async () => {
  const folder = join(await folderOf(), 'it.serve')
  const one = opened(folder)
  const other = opened(folder)
  const made = one.create(asked)
  expect(made?.token).toMatch(/^[0-9a-f]{40}$/)
  const { token = '' } = made ?? {}
  expect(other.findTokenByHash(sha256Of(token))).toEqual({
    ...asked,
    id: 1,
    owner: 'ada',
    tokenSha256: sha256Of(token),
    tokenLastEight: token.slice(-8),
    createdAt: NOW,
    updatedAt: NOW,
  })
  expect(one.state.database.serialize().includes(token)).toBe(false)
  expect(other.findTokenByHash(sha256Of(`${token} `))).toBeUndefined()
  expect(other.delete(1, 'ada')).toBe(true)
  expect(one.findTokenByHash(sha256Of(token))).toBeUndefined()
})

test('A note is there once for a person, client and fingerprint', () => {
  const { create } = opened()
  expect(create(asked)).toBeDefined()
  expect(create({ ...asked, owner: 'ADA', scopes: [] })).toBeUndefined()
  for (const other of [
    { note: 'Laptop' },
    { clientId: 'k' },
    { fingerprint: 'f' },
    { owner: 'bob' },
  ]) {
    expect(create({ ...asked, ...other }), JSON.stringify(other)).toBeDefined()
  }
})

test('Only their person sees and deletes them, and no number is used twice', () => {
  const { create, find, list, count, listOfClient, delete: remove } = opened()
  create(asked)
  create({ ...asked, note: 'desk', clientId: 'kettle' })
  create({ ...asked, owner: 'bob' })
  expect(list('ADA', { offset: 0, limit: 9 }).map(({ id }) => id)).toEqual([1, 2])
  expect(list('ada', { offset: 1, limit: 1 }).map(({ id }) => id)).toEqual([2])
  expect([count('ada'), count('bob'), count('eve')]).toEqual([2, 1, 0])
  expect(listOfClient('ada', 'kettle').map(({ id }) => id)).toEqual([2])
  expect(find(3, 'ada')).toBeUndefined()
  expect(remove(3, 'ada')).toBe(false)
  expect(remove(3, 'bob')).toBe(true)
  expect(remove(3, 'bob')).toBe(false)
  expect(create({ ...asked, owner: 'bob' })?.authorization.id).toBe(4)
})

test('A grant goes with its token', () => {
  const { create, grant, isGranted, delete: remove } = opened()
  const { tokenSha256 = '' } = create(asked)?.authorization ?? {}
  grant(tokenSha256, 'Forge')
  grant(tokenSha256, 'forge')
  expect(isGranted(tokenSha256, 'FORGE')).toBe(true)
  expect(isGranted(tokenSha256, 'other')).toBe(false)
  remove(1, 'ada')
  expect(isGranted(tokenSha256, 'forge')).toBe(false)
})
