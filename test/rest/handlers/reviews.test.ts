import { describe, expect, test } from 'vitest'
import {
  at,
  KETTLE,
  PULL,
  pullRequest,
  review,
  SECRET,
  worldRecords,
} from '../../support/rest-world.ts'
import { shareServer } from '../../support/serve-world.ts'
import { expectShape, listedReviewCommentShape, reviewShape } from '../../support/shapes.ts'

const world = worldRecords()
const [first] = world.pull_request_review_comments
const OTHER = `${KETTLE}/pull/5`
const comment = (number: number, more: object = {}) => ({
  ...first,
  url: `${PULL}/files#r${number}`,
  created_at: at(`04:00:${number}`),
  ...more,
})
const LINES = `${KETTLE}/pull/7`
const HUNK = '@@ -10,4 +4,4 @@ int boil\n same\n-gone\n+new\n same'
/** Comments on lines: with a thread, on a line that stayed, on one that is gone, and without lines. */
const LINED = [
  { pull_request_review_thread: `${LINES}#t1` },
  { diff_hunk: HUNK },
  {
    diff_hunk: `${HUNK}\n+more\n-last\n\\ No newline at end of file`,
    position: null,
    pull_request_review_thread: `${LINES}#gone`,
    subject_type: 'file',
  },
  { diff_hunk: 'no diff' },
]
const ask = shareServer([
  {
    ...world,
    pull_requests: [
      pullRequest(PULL),
      pullRequest(OTHER),
      pullRequest(`${SECRET}/pull/7`),
      pullRequest(LINES),
    ],
    pull_request_reviews: [
      review(34, { state: 50, submitted_at: at('04:00:04') }),
      review(31),
      review(32, { state: 30, submitted_at: at('04:00:02'), body: 'No', user: null }),
      review(33, { state: 1, submitted_at: at('04:00:03') }),
      // Never handed in, of a pull request that is not there, and of another one.
      review(35, { state: 0, submitted_at: null }),
      review(36, { pull_request: `${KETTLE}/pull/99` }),
      review(37, { url: `${OTHER}/files#pullrequestreview-37`, pull_request: OTHER }),
    ],
    pull_request_review_threads: [
      {
        type: 'pull_request_review_thread',
        url: `${LINES}#t1`,
        pull_request: LINES,
        side: 'left',
        start_side: 'right',
        line: 9,
        start_line: 7,
        original_line: 8,
        original_start_line: 6,
        subject_type: 'line',
        created_at: at('04:00:00'),
      },
    ],
    pull_request_review_comments: [
      comment(43, { in_reply_to: `${PULL}/files#r41` }),
      comment(41),
      comment(42, { pull_request_review: `${PULL}/files#pullrequestreview-32` }),
      comment(44, { state: 0 }),
      comment(45, { pull_request: `${KETTLE}/pull/99` }),
      ...LINED.map((more, i) => comment(51 + i, { ...more, pull_request: LINES })),
      comment(46, { url: `${OTHER}/files#r46`, pull_request: OTHER, pull_request_review: null }),
    ],
  },
])
const PULLS = '/repos/forge/kettle/pulls'

interface Part {
  readonly id: number
}

const ids = async (path: string) => (await ask<Part[]>(`${PULLS}${path}`)).body.map(({ id }) => id)

describe('Reviews of a pull request', () => {
  test('are those that were handed in, the oldest first, their state in capitals', async () => {
    const { body } = await ask<Part[]>(`${PULLS}/2/reviews`)
    for (const each of body) expectShape(each, reviewShape)
    expect(body).toMatchObject([
      { id: 31, state: 'APPROVED', body: '', pull_request_url: expect.stringMatching(/pulls\/2$/) },
      { id: 32, state: 'CHANGES_REQUESTED', body: 'No', user: { login: 'ghost' } },
      { id: 33, state: 'COMMENTED', submitted_at: at('04:00:03') },
      { id: 34, state: 'DISMISSED' },
    ])
    expect(body).toHaveLength(4)
  })

  test.each([
    ['/2/reviews?per_page=3&page=2', [34]],
    ['/2/reviews?page=9', []],
    ['/5/reviews', [37]],
  ])('%s', async (path, expected) => {
    expect(await ids(path)).toEqual(expected)
  })
})

describe('Review comments', () => {
  test.each([
    ['/2/comments', [41, 42, 43]],
    ['/2/comments?sort=created&direction=desc', [43, 42, 41]],
    ['/2/comments?since=2024-05-06T04:00:42Z', [42, 43]],
    ['/2/comments?per_page=2&page=2', [43]],
    ['/comments?per_page=4', [41, 42, 43, 46]],
    ['/comments?page=2', []],
    ['/2/reviews/31/comments', [41, 43]],
    ['/2/reviews/32/comments', [42]],
    ['/5/reviews/37/comments', []],
  ])('%s', async (path, expected) => {
    expect(await ids(path)).toEqual(expected)
  })

  test('say what they reply to, and which pull request and review they are of', async () => {
    const { body } = await ask<Part[]>(`${PULLS}/comments?per_page=4`)
    for (const each of body) expectShape(each, listedReviewCommentShape)
    expect(body).toMatchObject([
      { id: 41, pull_request_review_id: 31 },
      { id: 42, pull_request_review_id: 32 },
      { id: 43, in_reply_to_id: 41 },
      { pull_request_review_id: null, pull_request_url: expect.stringMatching(/pulls\/5$/) },
    ])
  })

  test('have the lines of their thread, or the last line of the diff', async () => {
    const { body } = await ask<Part[]>(`${PULLS}/7/comments`)
    for (const each of body) expectShape(each, listedReviewCommentShape)
    const line = { start_line: null, original_start_line: null, start_side: null }
    expect(body).toMatchObject([
      {
        line: 9,
        start_line: 7,
        original_line: 8,
        original_start_line: 6,
        side: 'LEFT',
        start_side: 'RIGHT',
        subject_type: 'line',
      },
      { ...line, line: 6, original_line: 6, side: 'RIGHT', subject_type: 'line' },
      { ...line, line: null, original_line: 13, side: 'LEFT', subject_type: 'file' },
      { ...line, line: null, original_line: null, side: 'RIGHT' },
    ])
  })

  test.each(['35', '36', '37', '99', 'x'])('are not there for review %s', async (id) => {
    expect((await ask(`${PULLS}/2/reviews/${id}/comments`)).status).toBe(404)
  })

  test('are not listed for an invalid time', async () => {
    expect((await ask(`${PULLS}/comments?since=odd`)).status).toBe(422)
  })
})
