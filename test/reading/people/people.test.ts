import { describe, expect, onTestFinished, test } from 'vitest'
import { madeNumber } from '../../../src/reading/numbers.ts'
import { HOST, worldRecords } from '../../support/rest-world.ts'
import { shareCatalog } from '../../support/serve-world.ts'

const catalog = shareCatalog([worldRecords()])
const reader = () => catalog().read()

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
