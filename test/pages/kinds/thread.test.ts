import { describe, expect, test } from 'vitest'
import '../../../src/pages/kinds/thread.ts'
import { comment, event, HOST, issue, KETTLE, repository, user } from '../../support/rest-world.ts'
import { htmlOf, sharePages } from '../../support/web.ts'

const time = (minute: number) => new Date(Date.UTC(2024, 4, 1, 10, minute)).toISOString()
const text =
  '## Steps\n\nHeat it.[^1] See [above](#steps) and <a name="own">this</a>.\n\n[^1]: Slowly.'
const { ask } = sharePages([
  {
    users: [user('ada'), user('bob')],
    repositories: [repository(KETTLE)],
    issues: [
      issue(`${KETTLE}/issues/1`, { title: 'Long', body: text, created_at: time(0) }),
      issue(`${KETTLE}/issues/3`, { title: 'Why `a < b`, `and` one `more?', created_at: time(0) }),
      issue(`${KETTLE}/issues/4`, { title: 'gpj.\u202eexe', created_at: time(0) }),
      issue(`${KETTLE}/issues/2`, { title: 'Short', body: text, created_at: time(0) }),
    ],
    issue_comments: [
      ...Array.from({ length: 90 }, (_, i) =>
        comment(`${KETTLE}/issues/1`, 100 + i, {
          user: `${HOST}/ada`,
          body: 'See.',
          created_at: time(i),
        }),
      ),
      comment(`${KETTLE}/issues/2`, 7, { user: `${HOST}/bob`, body: text, created_at: time(1) }),
    ],
  },
])
const LONG = '/forge/kettle/issues/1'

describe('The page of a thread', () => {
  test.each([
    ['issuecomment-100', `${LONG}#issuecomment-100`],
    ['issuecomment-150', `${LONG}?page=2#issuecomment-150`],
    ['issuecomment-189', `${LONG}?page=3#issuecomment-189`],
    ['#issuecomment-150', `${LONG}?page=2#issuecomment-150`],
    ['issuecomment-7', `${LONG}#issuecomment-7`],
    ['"><script>', `${LONG}#%22%3E%3Cscript%3E`],
    ['', LONG],
  ])('leads from ?at=%s to the page that has the item', async (at, location) => {
    expect(await ask(`${LONG}?at=${encodeURIComponent(at)}`)).toMatchObject({
      status: 302,
      location,
    })
  })

  test('lets a script ask for an item only if the thread has several pages', async () => {
    expect(htmlOf(await ask(LONG))).toContain(' data-at')
    expect(htmlOf(await ask('/forge/kettle/issues/2'))).not.toContain(' data-at')
  })

  test.each(['/forge/kettle/issues/3', '/forge/kettle/issues'])(
    'shows code in titles as code: %s',
    async (address) => {
      const html = htmlOf(await ask(address))
      const title = 'Why <code>a &lt; b</code>, <code>and</code> one `more?'
      expect(html).toContain(`<bdi dir="auto">${title}</bdi>`)
    },
  )

  test('turns no order of characters round in the title of the window', async () => {
    const html = htmlOf(await ask('/forge/kettle/issues/4'))
    expect(html).toContain('<title>gpj.U+202Eexe #4 · forge/kettle</title>')
    expect(html).not.toContain('\u202e')
  })

  test('gives headings, footnotes and anchors of each text ids of their own, which its links name', async () => {
    const html = htmlOf(await ask('/forge/kettle/issues/2'))
    const ids = [...html.matchAll(/ (?:id|name)="(user-content-[^"]*)"/g)].map(([, id]) => id)
    const names = ['steps', 'use-1', 'own', 'note-1']
    expect(ids).toEqual([
      ...names.map((name) => `user-content-${name}`),
      ...names.map((name) => `user-content-issuecomment-7-${name}`),
    ])
    const links = [...html.matchAll(/href="#(user-content-[^"]*)"/g)].map(([, id]) => id)
    expect(links.length).toBe(6)
    expect(links.filter((link) => !ids.includes(link))).toEqual([])
  })
})

describe('Events of one person within an hour', () => {
  const url = `${KETTLE}/issues/5`
  const happened = (number: number, kind: string, minute: number, fields = {}) =>
    event(url, number, kind, { created_at: time(minute), ...fields })
  const label = (name: string) => ({ label: null, label_name: name, label_color: 'd73a4a' })
  const { ask } = sharePages([
    {
      users: [user('ada'), user('bob')],
      repositories: [repository(KETTLE)],
      issues: [issue(url, { created_at: time(0) })],
      issue_events: [
        happened(1, 'mentioned', 1),
        happened(2, 'subscribed', 1),
        happened(3, 'mentioned', 2),
        happened(4, 'labeled', 2, label('hot')),
        happened(5, 'labeled', 2, label('tea')),
        happened(6, 'subscribed', 90),
        happened(7, 'merged', 200),
        happened(8, 'closed', 200),
      ],
    },
  ])

  test('are one line, which opens to show each with its time', async () => {
    const html = htmlOf(await ask('/forge/kettle/issues/5'))
    const lines = html.match(/<li class="event"[\s\S]*?<\/p>/g) ?? []
    const wordsOf = (text = '') => text.replace(/<[^>]*>/g, '').trim()
    expect(lines.map(wordsOf)).toEqual([
      expect.stringMatching(/was mentioned 2 times, subscribed and added hot tea 1 May 2024$/),
      expect.stringMatching(/subscribed 1 May 2024$/),
      expect.stringMatching(/merged this 1 May 2024$/),
    ])
    const opened = html.match(/<details class="run">[\s\S]*?<\/details>/g) ?? []
    expect(opened.map((text) => text.match(/<summary>.*?<\/summary>/)?.[0])).toEqual([
      '<summary>5 events</summary>',
    ])
    expect((opened[0]?.match(/<li.*?<\/li>/g) ?? []).map(wordsOf)).toEqual([
      'was mentioned 10:01',
      'subscribed 10:01',
      'was mentioned 10:02',
      'added hot 10:02',
      'added tea 10:02',
    ])
  })

  test('keep the anchor of each', async () => {
    const html = htmlOf(await ask('/forge/kettle/issues/5'))
    const anchors = [...html.matchAll(/ id="event-(\d+)"/g)].map(([, number]) => Number(number))
    expect(anchors.sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  })
})

describe('The page of a discussion', () => {
  const DISCUSSION = `${KETTLE}/discussions/3`
  const said = (id: number, more: object) => ({
    type: 'discussion_comment',
    url: `${DISCUSSION}#discussioncomment-${id}`,
    discussion: DISCUSSION,
    user: `${HOST}/ada`,
    in_reply_to: null,
    is_answer: false,
    reactions: [],
    created_at: time(id),
    ...more,
  })
  const discussion = (number: number) => ({
    type: 'discussion',
    url: `${KETTLE}/discussions/${number}`,
    repository: KETTLE,
    user: `${HOST}/bob`,
    title: 'Which tea?',
    body: 'Green?',
    created_at: time(0),
  })
  const { ask } = sharePages([
    {
      users: [user('ada'), user('bob')],
      repositories: [repository(KETTLE)],
      discussions: [discussion(3), discussion(4)],
      discussion_comments: [
        said(1, { body: 'Black.', is_answer: true }),
        said(2, { body: 'With milk.', in_reply_to: `${DISCUSSION}#discussioncomment-1` }),
        said(3, { body: 'Or [as above](#discussioncomment-1).' }),
      ],
    },
  ])

  test('has the comments of a backup, and says what each is', async () => {
    const html = htmlOf(await ask('/forge/kettle/discussions/3'))
    const items = html.match(/<li class="item" id="discussioncomment-\d"[\s\S]*?<\/li>/g) ?? []
    expect(items.map((item) => item.match(/"did">(\w+)</)?.[1])).toEqual([
      'answered',
      'replied',
      'commented',
    ])
    expect(html).toContain('href="#discussioncomment-1"')
    expect(html).not.toContain('hold no comments')
    expect(htmlOf(await ask('/forge/kettle/discussions'))).toContain(
      '3<span class="hidden"> comments',
    )
    expect(htmlOf(await ask('/ada'))).toContain('With milk.')
  })

  test('says that an export has no comments', async () => {
    expect(htmlOf(await ask('/forge/kettle/discussions/4'))).toContain('hold no comments')
  })
})
