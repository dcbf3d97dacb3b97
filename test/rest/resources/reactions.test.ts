import { describe, expect, test } from 'vitest'
import { at, comment, HOST, ISSUE, issue, worldRecords } from '../../support/rest-world.ts'
import { shareServer } from '../../support/serve-world.ts'
import { expectShape, reactionShape } from '../../support/shapes.ts'

const reaction = (login: string, content: unknown, more: object = {}) => ({
  user: `${HOST}/${login}`,
  content,
  subject_type: 'Issue',
  created_at: '2024-05-06T10:00:00.000+08:00',
  ...more,
})
const WORDS = ['+1', '-1', 'smile', 'thinking_face', 'heart', 'tada', 'rocket', 'eyes']
const world = worldRecords()
const [first, ...others] = world.pull_request_review_comments
const ask = shareServer([
  {
    ...world,
    issues: [
      issue(ISSUE, {
        reactions: [
          ...WORDS.map((word) => reaction('bob', word)),
          reaction('carol', 'tada', { created_at: null }),
          reaction('x', 'heart', { user: null }),
          // What the interface has no word for, what somebody has said before, and what is no reaction.
          reaction('bob', 'shrug'),
          reaction('bob', 'tada'),
          reaction('bob', 7),
          null,
          'heart',
        ],
      }),
    ],
    pull_requests: world.pull_requests.map((each) => ({
      ...each,
      reactions: [reaction('ada', 'rocket')],
    })),
    issue_comments: [comment(ISSUE, 21, { reactions: [reaction('ada', 'smile')] })],
    pull_request_review_comments: [{ ...first, reactions: [reaction('dave', 'eyes')] }, ...others],
  },
])

interface Reaction {
  readonly id: number
  readonly content: string
  readonly created_at: string
  readonly user: { readonly login: string }
}

const said = async (path: string) =>
  (await ask<Reaction[]>(`/repos/forge/kettle${path}/reactions`)).body.map(
    ({ user, content }) => `${user.login} ${content}`,
  )

describe('Reactions', () => {
  test('have the words of the interface and times in UTC, each once', async () => {
    const { body } = await ask<Reaction[]>('/repos/forge/kettle/issues/1/reactions')
    for (const each of body) expectShape(each, reactionShape)
    expect(body.map(({ user, content }) => `${user.login} ${content}`)).toEqual([
      'bob +1',
      'bob -1',
      'bob laugh',
      'bob confused',
      'bob heart',
      'bob hooray',
      'bob rocket',
      'bob eyes',
      'carol hooray',
      'ghost heart',
    ])
    expect(new Set(body.map(({ id }) => id)).size).toBe(10)
    expect(body[0]?.created_at).toBe(at('02:00:00'))
  })

  test.each([
    ['/issues/2', ['ada rocket']],
    ['/issues/comments/21', ['ada laugh']],
    ['/pulls/comments/41', ['dave eyes']],
    ['/pulls/comments/42', []],
  ])('belong to %s', async (path, expected) => {
    expect(await said(path)).toEqual(expected)
  })

  test.each([
    ['?content=hooray', ['hooray', 'hooray']],
    ['?per_page=9&page=2', ['heart']],
    ['?page=3', []],
  ])('%s', async (query, expected) => {
    const { body } = await ask<Reaction[]>(`/repos/forge/kettle/issues/1/reactions${query}`)
    expect(body.map(({ content }) => content)).toEqual(expected)
  })

  test('are not listed for a content that is none, nor for a comment that is not there', async () => {
    const path = '/repos/forge/kettle/issues/1/reactions?content=tada'
    expect((await ask(path)).status).toBe(422)
    for (const id of ['22', '43', 'x']) {
      const of = (place: string) => `/repos/forge/kettle/${place}/comments/${id}/reactions`
      expect([id, (await ask(of('issues'))).status]).toEqual([id, 404])
    }
    expect((await ask('/repos/forge/kettle/pulls/comments/43/reactions')).status).toBe(404)
  })
})
