import { describe, expect, test } from 'vitest'
import { at, HOST, issue, KETTLE, SECRET, worldRecords } from '../../support/rest-world.ts'
import { accountsOf, as, shareServer } from '../../support/serve-world.ts'
import { expectShape, labelShape, milestoneShape } from '../../support/shapes.ts'

const [kettle, secret, ...others] = worldRecords().repositories
const [summer] = worldRecords().milestones
const milestone = (number: number, more: object = {}) => ({
  ...summer,
  url: `${KETTLE}/milestones/${number}`,
  title: `Number ${number}`,
  ...more,
})
const label = (home: string, name: string, more: object = {}) => ({
  url: `${home}/labels/${encodeURIComponent(name)}`,
  name,
  color: '00ff00',
  description: null,
  ...more,
})
const planned = (number: number, on: number, more: object = {}) =>
  issue(`${KETTLE}/issues/${number}`, { milestone: `${KETTLE}/milestones/${on}`, ...more })
const closed = { closed_at: at('07:00:00') }

const ask = shareServer(
  [
    {
      ...worldRecords(),
      repositories: [
        {
          ...kettle,
          labels: [
            label(KETTLE, 'zinc', { description: 'A metal' }),
            label(KETTLE, 'good first issue'),
            label(KETTLE, 'a/b', { color: '<b>' }),
            label(KETTLE, 'Bug'),
            { url: 7, name: 'no url' },
            null,
          ],
        },
        { ...secret, labels: [label(SECRET, 'hush')] },
        ...others,
      ],
      milestones: [
        milestone(1, { due_on: at('10:00:00') }),
        milestone(2, { state: 'closed', closed_at: at('09:00:00'), user: null }),
        milestone(3, { due_on: at('09:00:00') }),
        milestone(4, { due_on: 'soon', created_at: 'once', updated_at: null }),
        { ...milestone(1), url: `${SECRET}/milestones/1`, repository: SECRET },
      ],
      issues: [
        planned(1, 1, { labels: [`${KETTLE}/labels/Bug`, `${KETTLE}/labels/gone`] }),
        planned(3, 1, { ...closed, labels: [`${KETTLE}/labels/zinc`] }),
        planned(4, 3, { ...closed, labels: [`${KETTLE}/labels/a%2Fb`] }),
        issue(`${KETTLE}/issues/5`, { user: `${HOST}/bob` }),
      ],
    },
  ],
  { accounts: accountsOf({ ada: ['repo'] }) },
)

describe('Labels of a repository', () => {
  const LIST = '/repos/forge/kettle/labels'
  const names = async (path: string, headers = {}) =>
    (await ask<{ name: string }[]>(path, headers)).body.map(({ name }) => name)

  test('have the order of its record; anything that is not a label is left out', async () => {
    const { body } = await ask<object[]>(LIST)
    for (const each of body) expectShape(each, labelShape)
    expect(await names(LIST)).toEqual(['zinc', 'good first issue', 'a/b', 'Bug'])
  })

  test('come in pages, and a page past the end is empty', async () => {
    expect(await names(`${LIST}?per_page=3&page=2`)).toEqual(['Bug'])
    expect(await names(`${LIST}?page=9`)).toEqual([])
  })

  test.each([
    ['zinc', 'zinc'],
    ['good%20first%20issue', 'good first issue'],
    ['a%2Fb', 'a/b'],
    ['BUG', 'Bug'],
  ])('are found by name: %s', async (segment, name) => {
    const { body } = await ask(`${LIST}/${segment}`)
    expectShape(body, labelShape)
    expect(body).toMatchObject({ name })
  })

  test('are not there if the record has none of that name', async () => {
    expect((await ask(`${LIST}/tin`)).status).toBe(404)
  })

  test('are those of its issues, and of its milestones; without a record they are left out', async () => {
    const R = '/repos/forge/kettle'
    expect(await names(`${R}/issues/1/labels`)).toEqual(['Bug'])
    expect((await ask(`${R}/issues/1`)).body.labels).toMatchObject([{ name: 'Bug' }])
    expect(await names(`${R}/issues/5/labels`)).toEqual([])
    expect(await names(`${R}/milestones/1/labels`)).toEqual(['zinc', 'Bug'])
    expect(await names(`${R}/milestones/1/labels?per_page=1&page=2`)).toEqual(['Bug'])
    expect(await names(`${R}/milestones/2/labels`)).toEqual([])
    for (const path of ['issues/99/labels', 'milestones/99/labels']) {
      expect((await ask(`${R}/${path}`)).status).toBe(404)
    }
  })

  test('of a private repository are for its members only', async () => {
    expect((await ask('/repos/forge/secret/labels')).status).toBe(404)
    expect(await names('/repos/forge/secret/labels', as('ada'))).toEqual(['hush'])
  })
})

describe('Milestones of a repository', () => {
  const LIST = '/repos/forge/kettle/milestones'
  const numbers = async (path: string) =>
    (await ask<{ number: number }[]>(path)).body.map(({ number }) => number)

  test.each([
    // What is never due comes last.
    ['', [3, 1, 4]],
    ['?direction=desc', [1, 3, 4]],
    ['?state=closed', [2]],
    ['?state=all', [3, 1, 2, 4]],
    ['?sort=completeness', [4, 1, 3]],
    ['?sort=completeness&direction=desc', [3, 1, 4]],
    ['?state=all&per_page=2&page=2', [2, 4]],
    ['?page=7', []],
  ])('%s', async (query, expected) => {
    expect(await numbers(`${LIST}${query}`)).toEqual(expected)
  })

  test('count their issues, and are never without a time or an author', async () => {
    const { body } = await ask<object[]>(`${LIST}?state=all&sort=completeness`)
    for (const each of body) expectShape(each, milestoneShape)
    expect((await ask(`${LIST}/1`)).body).toMatchObject({ open_issues: 1, closed_issues: 1 })
    expect((await ask(`${LIST}/2`)).body).toMatchObject({
      state: 'closed',
      creator: { login: 'ghost' },
      closed_at: at('09:00:00'),
    })
    expect((await ask(`${LIST}/4`)).body).toMatchObject({
      due_on: null,
      created_at: '1970-01-01T00:00:00Z',
    })
  })

  test.each(['5', '0', 'x', '9'.repeat(20)])('are not there by number %s', async (number) => {
    expect((await ask(`${LIST}/${number}`)).status).toBe(404)
  })

  test.each(['state', 'sort', 'direction'])('are not listed for an invalid %s', async (field) => {
    const { status, body } = await ask(`${LIST}?${field}=odd`)
    expect([status, body.errors]).toEqual([
      422,
      [{ resource: 'Milestone', field, code: 'invalid' }],
    ])
  })
})
