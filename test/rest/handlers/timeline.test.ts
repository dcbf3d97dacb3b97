import { describe, expect, test } from 'vitest'
import { at, comment, event, ISSUE, PULL, review, worldRecords } from '../../support/rest-world.ts'
import { shareServer } from '../../support/serve-world.ts'
import {
  commentedShape,
  expectShape,
  issueEventShape,
  reviewedShape,
} from '../../support/shapes.ts'

const ask = shareServer([
  {
    ...worldRecords(),
    issue_events: [
      event(PULL, 1, 'closed', { created_at: at('06:00:00') }),
      event(PULL, 2, 'reopened', { created_at: at('08:00:00') }),
      event(ISSUE, 3, 'subscribed'),
    ],
    issue_comments: [
      comment(PULL, 21, { created_at: at('07:00:00') }),
      comment(PULL, 22, { created_at: at('06:00:00'), user: null }),
    ],
    pull_request_reviews: [review(31), review(32, { state: 0, submitted_at: null })],
  },
])
const TIMELINE = '/repos/forge/kettle/issues/2/timeline'

interface Happening {
  readonly id: number
  readonly event: string
}
const told = async (query = '') =>
  (await ask<Happening[]>(`${TIMELINE}${query}`)).body.map(({ event, id }) => `${event} ${id}`)

describe('A timeline', () => {
  test('has reviews, comments and events, the oldest first', async () => {
    const { body } = await ask<Happening[]>(TIMELINE)
    expect(await told()).toEqual([
      'reviewed 31',
      'commented 22',
      'closed 1',
      'commented 21',
      'reopened 2',
    ])
    expectShape(body[0], reviewedShape)
    expectShape(body[1], commentedShape)
    expectShape(body[2], issueEventShape('closed'))
    expect(body[1]).toMatchObject({ actor: { login: 'ghost' }, body: 'Hot' })
  })

  test('has pages', async () => {
    expect(await told('?per_page=2&page=2')).toEqual(['closed 1', 'commented 21'])
    expect(await told('?page=2')).toEqual([])
    expect((await ask('/repos/forge/kettle/issues/99/timeline')).status).toBe(404)
  })
})
