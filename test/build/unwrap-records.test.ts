import { describe, expect, test } from 'vitest'
import type { Problem } from '../../src/base/errors.ts'
import { unwrapRecords } from '../../src/build/unwrap-records.ts'

/** The lists in a file, each as `stem: number of records`, and the problems. */
function unwrapped(value: unknown, stem: string | undefined) {
  const problems: Problem[] = []
  const text = typeof value === 'string' ? value : JSON.stringify([value])
  const report = (problem: Problem) => problems.push(problem)
  const lists = unwrapRecords(text, { path: 'it.json', stem, report })
  return { lists: lists.map(({ stem, records }) => `${stem}: ${records.length}`), problems }
}

const user = { url: 'https://h/ada' }

describe('Lists of records are found', () => {
  test.each([
    [
      'under the names of kinds',
      { users: [user], issues: [] },
      undefined,
      ['users: 1', 'issues: 0'],
    ],
    ['in a file named after the kind', { total: 2, items: [user, user] }, 'users', ['users: 2']],
    [
      'of the kind of the file, even if they hold no records',
      { users: [1] },
      'users',
      ['users: 1'],
    ],
  ])('%s', (_, value, stem, lists) => {
    expect(unwrapped(value, stem).lists).toEqual(lists)
  })
})

describe('There are none', () => {
  test.each([
    ['in a record, which has lists of its own', { url: 'x', labels: [] }, 'issues'],
    ['if one of several lists may be meant', { one: [], other: [] }, 'users'],
    ['in a file that no kind is named after', { items: [user] }, undefined],
    ['if a list of another program has the name of a kind', { releases: ['1.0'] }, undefined],
    ['in a text', '["users"]', 'users'],
    ['in damaged JSON', '[{"users":[', 'users'],
    ['in an object without lists', { users: {} }, 'users'],
  ])('%s', (_, value, stem) => {
    expect(unwrapped(value, stem)).toEqual({ lists: [], problems: [] })
  })
})

test('Members beside a list are reported: they are left out', () => {
  const { problems } = unwrapped({ total: 1, users: [user], next: null }, undefined)
  expect(problems.map(({ code, place }) => `${code} ${place.entry} ${place.member}`)).toEqual([
    'member-around it.json total',
    'member-around it.json next',
  ])
})

test('J5: a list that is there twice is a loss, told with its place in the object', () => {
  const { lists, problems } = unwrapped('[{"users":[{"url":"a"}],"users":[]}]', undefined)
  expect(lists).toEqual(['users: 0'])
  expect(problems).toMatchObject([
    { code: 'member-repeated', place: { entry: 'it.json', record: 1, member: 'users' } },
  ])
})

test('J9: a list named __proto__ is a list like any other', () => {
  expect(unwrapped('[{"__proto__":[{"url":"a"}]}]', 'users').lists).toEqual(['users: 1'])
})
