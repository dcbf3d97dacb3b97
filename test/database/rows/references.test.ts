import { describe, expect, test } from 'vitest'
import { quoteName } from '../../../src/database/quote.ts'
import { referencesOf } from '../../../src/database/rows/references.ts'
import { KINDS, type KindName } from '../../../src/records/kinds/kinds.ts'
import { columnOf } from '../../support/load.ts'
import { tablesWith } from '../../support/tables.ts'
import { everyDay } from '../../support/thorough.ts'

/** The urls that are found in the records of a kind, by the member that holds them. */
function found(name: KindName, record: object, change?: string): Record<string, unknown[]> {
  const database = tablesWith({ [name]: [record] })
  if (change) database.exec(change)
  const urls = referencesOf(KINDS[name]).map(({ member, from, url }) => {
    const sql = `SELECT ${url} FROM ${quoteName(name)} AS o ${from}`
    return [member, columnOf(database, sql).filter((value) => value !== null)] as const
  })
  const members = new Set(urls.map(([member]) => member))
  return Object.fromEntries(
    [...members]
      .map((member) => [
        member,
        urls.filter(([name]) => name === member).flatMap(([, values]) => values),
      ])
      .filter(([, values]) => values?.length),
  )
}

describe('referencesOf', () => {
  test('finds urls that stand alone, in lists, in lists of objects and in objects', () => {
    expect(found('issues', { user: 'u', labels: ['a', 'b'], reactions: [{ user: 'v' }] })).toEqual({
      user: ['u'],
      labels: ['a', 'b'],
      reactions: ['v'],
    })
    expect(found('pull_requests', { base: { user: 'u', repo: 'r' }, head: null })).toEqual({
      base: ['u', 'r'],
    })
  })

  test('accepts elements that are not objects, and values that SQL stored in place of JSON', () => {
    expect(found('issues', { reactions: [1, 'x', null, [], { user: 'u' }] })).toEqual({
      reactions: ['u'],
    })
    const change = `UPDATE pull_requests SET labels = 'x', reactions = ''`
    expect(found('pull_requests', { user: 'u', labels: ['a'], base: {} }, change)).toEqual({
      user: ['u'],
    })
  })

  test('knows the tables that have the records', () => {
    const tables = (name: KindName) =>
      Object.fromEntries(referencesOf(KINDS[name]).map(({ member, tables }) => [member, tables]))
    expect(tables('milestones')).toEqual({
      repository: ['repositories'],
      user: ['users', 'bots', 'organizations'],
    })
  })

  everyDay(2)(Object.keys(KINDS) as KindName[])('runs on %s', (name) => {
    expect(found(name, { type: KINDS[name].type, url: 'x' })).toEqual({})
  })
})
