import { expect, test } from 'vitest'
import { openPair } from '../../src/database/open-pair.ts'
import { user } from '../support/archives.ts'
import { loaded } from '../support/load.ts'
import { tablesWith } from '../support/tables.ts'
import { THOROUGH } from '../support/thorough.ts'

const two = async () => {
  const [a, b] = [
    await loaded({ 'users_000001.json': [user('ada')] }),
    await loaded({ 'users_000001.json': [user('bob'), user('carol')] }),
  ]
  return [a.database, b.database] as const
}

test('One connection reads a snapshot of both, and changes neither', THOROUGH, async () => {
  const [a, b] = await two()
  const pair = openPair(a, b)
  const count = (name: string) => pair.prepare(`SELECT count(*) FROM ${name}.users`).pluck().get()
  expect([count('main'), count('b')]).toEqual([1, 2])
  for (const name of ['main', 'b']) {
    expect(() => pair.exec(`DELETE FROM ${name}.users`)).toThrow('readonly')
  }
  pair.exec('CREATE TEMP TABLE notes (x)')
  pair.close()
  expect(b.prepare('SELECT count(*) FROM users').pluck().get()).toBe(2)
})

test('A database in memory is refused', async () => {
  const [a] = await two()
  expect(() => openPair(a, tablesWith())).toThrow('expected databases in files')
})
