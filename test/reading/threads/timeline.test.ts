import { rm } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { Library } from '../../../src/reading/library.ts'
import { Remembered } from '../../../src/reading/remembered.ts'
import { Store } from '../../../src/reading/store.ts'
import { readThread, threadAt, threadsAt } from '../../../src/reading/threads/read-thread.ts'
import type { TimelineItem } from '../../../src/reading/threads/thread.ts'
import {
  participantsOf,
  participantsOfThreads,
  THREAD_TABLES,
  type ThreadKind,
} from '../../../src/reading/threads/thread-facts.ts'
import { readTimeline, timelinesOf } from '../../../src/reading/threads/timeline.ts'
import { loaded, recordFile } from '../../support/load.ts'
import { tablesWith } from '../../support/tables.ts'
import { THOROUGH } from '../../support/thorough.ts'
import { loadSamples } from '../../support/web.ts'

const HOST = 'https://host.example'
const TOOLS = `${HOST}/acme/tools`
const ISSUE = `${TOOLS}/issues/1`
const PULL = `${TOOLS}/pull/2`
const at = (minute: number) => `2024-05-06T07:${String(minute).padStart(2, '0')}:00Z`
const who = (login: string) => `${HOST}/${login}`

const issue = (number: number, more: object = {}) => ({
  type: 'issue',
  url: `${TOOLS}/issues/${number}`,
  repository: TOOLS,
  user: who('ada'),
  title: 'It boils',
  body: 'Over',
  created_at: at(0),
  closed_at: null,
  ...more,
})
const pull = (more: object = {}) => ({
  type: 'pull_request',
  url: PULL,
  repository: TOOLS,
  user: who('ada'),
  title: 'Cooler',
  body: null,
  created_at: at(0),
  closed_at: null,
  merged_at: null,
  ...more,
})
const comment = (id: number, minute: number, more: object = {}) => ({
  type: 'issue_comment',
  url: `${ISSUE}#issuecomment-${id}`,
  issue: ISSUE,
  body: `c${id}`,
  user: who('grace'),
  created_at: at(minute),
  ...more,
})
const event = (id: number, minute: number, kind: string, more: object = {}) => ({
  type: 'issue_event',
  url: `${ISSUE}#event-${id}`,
  issue: ISSUE,
  actor: who('grace'),
  event: kind,
  created_at: at(minute),
  ...more,
})
const review = (id: number, minute: number, more: object = {}) => ({
  type: 'pull_request_review',
  url: `${PULL}/files#pullrequestreview-${id}`,
  body: `r${id}`,
  pull_request: PULL,
  user: who('grace'),
  state: 1,
  submitted_at: at(minute),
  ...more,
})
const thread = (id: number, of: number, more: object = {}) => ({
  type: 'pull_request_review_thread',
  url: `${PULL}/files#pullrequestreviewthread-${id}`,
  pull_request: PULL,
  pull_request_review: `${PULL}/files#pullrequestreview-${of}`,
  path: 'a.ts',
  position: 1,
  line: 7,
  diff_hunk: '@@ -1 +1 @@\n+a',
  created_at: at(1),
  ...more,
})
const inDiff = (
  id: number,
  minute: number,
  of: number,
  inThread: number | null,
  more: object = {},
) => ({
  type: 'pull_request_review_comment',
  url: `${PULL}/files#r${id}`,
  pull_request: PULL,
  pull_request_review: `${PULL}/files#pullrequestreview-${of}`,
  pull_request_review_thread: inThread && `${PULL}/files#pullrequestreviewthread-${inThread}`,
  user: who('ada'),
  body: `d${id}`,
  path: 'b.ts',
  position: 1,
  diff_hunk: '+b',
  created_at: at(minute),
  in_reply_to: null,
  ...more,
})

const DISCUSSION = `${TOOLS}/discussions/3`
const said = (id: number, minute: number, above: number | null = null, more: object = {}) => ({
  type: 'discussion_comment',
  url: `${DISCUSSION}#discussioncomment-${id}`,
  discussion: DISCUSSION,
  user: who(`person-${id}`),
  body: `s${id}`,
  in_reply_to: above && `${DISCUSSION}#discussioncomment-${above}`,
  is_answer: false,
  reactions: [],
  created_at: at(minute),
  ...more,
})

type RecordFiles = ReturnType<typeof recordFile>

/** Tables with these records: to load them takes twenty times as long. */
const tablesOf = (files: RecordFiles) =>
  tablesWith(
    Object.fromEntries(
      Object.entries(files).map(([name, records]) => [
        name.replace('_000001.json', ''),
        records as object[],
      ]),
    ),
  )

const timelineOf = async (files: RecordFiles, url = ISSUE): Promise<TimelineItem[]> => [
  ...readTimeline(tablesOf(files), url),
]

/** Items in few words. */
const shortOf = (items: readonly TimelineItem[]) =>
  items.map((item) => {
    if (item.kind === 'event') return item.sentence
    if (item.kind === 'comment') return item.body
    const threads = item.kind === 'review' ? item.threads : [item]
    const bodies = threads.map(({ comments }) => comments.map(({ body }) => body))
    return item.kind === 'review' ? [item.body, ...bodies] : bodies
  })

describe('A timeline has', () => {
  test('comments on a discussion, each with the replies to it', async () => {
    const files = {
      ...recordFile('discussions', { type: 'discussion', url: DISCUSSION, repository: TOOLS }),
      ...recordFile(
        'discussion_comments',
        said(1, 1),
        said(2, 8, 1),
        said(3, 5, null, { is_answer: true }),
        said(4, 7, 3),
        said(5, 6, 404),
        said(6, 9, 1),
      ),
    }
    const items = await timelineOf(files, DISCUSSION)
    // One whose comment is gone stands at its own time.
    expect(shortOf(items)).toEqual(['s1', 's2', 's6', 's3', 's4', 's5'])
    expect(items[1]).toMatchObject({
      in_reply_to: `${DISCUSSION}#discussioncomment-1`,
      is_answer: false,
    })
    expect(items[3]).toMatchObject({ author: 'person-3', in_reply_to: null, is_answer: true })
    const together = Store.of(tablesOf(files), new Remembered())
    timelinesOf(together).prepare([DISCUSSION])
    expect([...timelinesOf(together).each(DISCUSSION)]).toEqual(items)
    expect(timelinesOf(together).positionOf(DISCUSSION, `${DISCUSSION}#discussioncomment-3`)).toBe(
      3,
    )
  })

  test('no comment of another pull request that was read together with it and names the same thread', () => {
    const other = `${TOOLS}/pull/3`
    const files = {
      ...recordFile('pull_requests', pull(), pull({ url: other })),
      ...recordFile('pull_request_reviews', review(1, 1), review(2, 2, { pull_request: other })),
      ...recordFile('pull_request_review_threads', thread(4, 1)),
      ...recordFile(
        'pull_request_review_comments',
        inDiff(1, 1, 1, 4),
        inDiff(2, 2, 1, 4, { pull_request: other }),
      ),
    }
    const alone = [PULL, other].map((url) => [...readTimeline(tablesOf(files), url)])
    const timelines = timelinesOf(Store.of(tablesOf(files), new Remembered()))
    timelines.prepare([PULL, other])
    expect([PULL, other].map((url) => [...timelines.each(url)])).toEqual(alone)
    expect(alone.map(shortOf)).toEqual([[['r1', ['d1']]], [['r2']]])
  })

  test('comments and events in chronological order, whatever their order in the archive', async () => {
    const items = await timelineOf({
      ...recordFile('issues', issue(1)),
      ...recordFile('issue_comments', comment(9, 5), comment(8, 1)),
      ...recordFile(
        'issue_events',
        event(7, 3, 'closed'),
        event(6, 3, 'pinned'),
        event(5, 9, 'reopened'),
      ),
    })
    expect(shortOf(items)).toEqual(['c8', 'pinned this', 'closed this', 'c9', 'reopened this'])
  })

  test('more than a page of them', THOROUGH, async () => {
    const comments = Array.from({ length: 450 }, (_, i) => comment(i + 1, 5))
    const items = await timelineOf({
      ...recordFile('issues', issue(1)),
      'issue_comments_000001.json': comments,
    })
    expect(shortOf(items)).toEqual(comments.map(({ body }) => body))
  })

  test('nothing of other threads', async () => {
    const other = { issue: `${TOOLS}/issues/3` }
    const items = await timelineOf({
      ...recordFile('issues', issue(1), issue(3)),
      ...recordFile('issue_comments', comment(1, 1, other)),
      ...recordFile('issue_events', event(2, 2, 'closed', other)),
    })
    expect(items).toEqual([])
  })

  test('people, places and commits in the sentences of events as people know them', async () => {
    const repository = { commit_repository: `${HOST}/acme/pots` }
    const commit_id = 'c0ffee00'.repeat(5)
    const items = await timelineOf({
      ...recordFile('issues', issue(1)),
      ...recordFile(
        'issue_events',
        event(1, 1, 'assigned', { subject: who('leaf[bot]') }),
        event(2, 2, 'closed', { referencing_pull_request: PULL }),
        event(3, 3, 'referenced', { commit_id, ...repository }),
        event(4, 4, 'referenced', { commit_id, commit_repository: TOOLS }),
        event(5, 5, 'transferred', { subject: `${HOST}/acme/pots` }),
        event(6, 6, 'connected', { subject: `${HOST}/acme/pots/issues/8` }),
        event(7, 7, 'teleported'),
      ),
    })
    expect(shortOf(items)).toEqual([
      'assigned leaf[bot]',
      'closed this with #2',
      'mentioned this in commit c0ffee0 of acme/pots',
      'mentioned this in commit c0ffee0',
      'transferred this here from acme/pots',
      'linked this to acme/pots#8',
      'did what the host calls “teleported”',
    ])
  })

  test('reviews with the threads they opened, and replies in these', async () => {
    const items = await timelineOf(
      {
        ...recordFile('pull_requests', pull()),
        ...recordFile(
          'pull_request_reviews',
          review(1, 1, { state: 40 }),
          review(2, 3, { body: null }),
        ),
        ...recordFile('pull_request_review_threads', thread(4, 1), thread(5, 1)),
        ...recordFile(
          'pull_request_review_comments',
          inDiff(8, 3, 2, 4, { in_reply_to: `${PULL}/files#r6` }),
          inDiff(7, 1, 1, 5),
          inDiff(6, 1, 1, 4),
        ),
      },
      PULL,
    )
    expect(shortOf(items)).toEqual([['r1', ['d6', 'd8'], ['d7']]])
    expect(items[0]).toMatchObject({ state: 'approved', threads: [{ line: 7, path: 'a.ts' }, {}] })
  })

  test('threads without records of them, from before 2021', async () => {
    const reply = { in_reply_to: `${PULL}/files#r6` }
    const items = await timelineOf(
      {
        ...recordFile('pull_requests', pull()),
        ...recordFile('pull_request_reviews', review(1, 1), review(2, 3, { body: '' })),
        ...recordFile(
          'pull_request_review_comments',
          inDiff(8, 3, 2, null, reply),
          inDiff(6, 1, 1, null),
          inDiff(7, 1, 1, null, { position: null }),
        ),
      },
      PULL,
    )
    expect(shortOf(items)).toEqual([['r1', ['d6', 'd8'], ['d7']]])
    expect(items[0]).toMatchObject({
      threads: [{ path: 'b.ts', line: null, outdated: false, diff_hunk: '+b' }, { outdated: true }],
    })
  })

  test('F4: threads whose review is not there, at the time of their first comment', async () => {
    const items = await timelineOf(
      {
        ...recordFile('pull_requests', pull()),
        ...recordFile('pull_request_review_threads', thread(4, 99)),
        ...recordFile('pull_request_review_comments', inDiff(6, 5, 99, 4), inDiff(7, 2, 98, null)),
        ...recordFile('issue_comments', { ...comment(1, 3), issue: undefined, pull_request: PULL }),
      },
      PULL,
    )
    expect(shortOf(items)).toEqual([[['d7']], 'c1', [['d6']]])
    expect(items[0]).toMatchObject({ kind: 'review_thread', created_at: at(2) })
  })
})

test('An event that names its milestone by URL has the title, if it is of its repository', async () => {
  const milestone = (home: string) => ({
    type: 'milestone',
    url: `${home}/milestones/1`,
    repository: home,
    title: 'Hot',
  })
  const other = `${HOST}/acme/other`
  const database = tablesOf({
    ...recordFile('issues', issue(1)),
    ...recordFile('milestones', milestone(TOOLS), milestone(other)),
    ...recordFile(
      'issue_events',
      event(1, 1, 'milestoned', { milestone: `${TOOLS}/milestones/1` }),
      event(2, 2, 'demilestoned', { milestone: `${TOOLS}/milestones/2` }),
      event(3, 3, 'milestoned', { milestone: `${other}/milestones/1` }),
    ),
  })
  const sentences = [...readTimeline(database, ISSUE)].map(
    (item) => item.kind === 'event' && item.sentence,
  )
  expect(sentences).toEqual([
    'added this to the Hot milestone',
    'removed this from a milestone',
    'added this to a milestone',
  ])
})

describe('A thread has', () => {
  test('labels, people and reactions by name, and its milestone by title', async () => {
    const database = tablesOf({
      ...recordFile(
        'issues',
        issue(1, {
          labels: [`${TOOLS}/labels/good%20first%20issue`],
          assignees: [who('ada')],
          milestone: `${TOOLS}/milestones/1`,
          reactions: [{ content: '+1' }, { content: 'heart' }, { content: '+1' }, 7, null],
        }),
      ),
      ...recordFile('milestones', {
        type: 'milestone',
        url: `${TOOLS}/milestones/1`,
        repository: TOOLS,
        title: 'Hot',
      }),
    })
    expect(readThread(database, ISSUE)).toEqual({
      url: ISSUE,
      kind: 'issue',
      full_name: 'acme/tools',
      number: 1,
      title: 'It boils',
      author: 'ada',
      created_at: at(0),
      body: 'Over',
      state: 'open',
      closed_at: null,
      labels: ['good first issue'],
      assignees: ['ada'],
      milestone: 'Hot',
      category: null,
      milestone_url: `${TOOLS}/milestones/1`,
      locked: false,
      lock_reason: null,
      reactions: { '+1': 2, heart: 1 },
      attachments: [],
      pull_request: null,
    })
  })

  test('its uploads, and whether the archive has them', THOROUGH, async () => {
    const [picture, file] = [
      `${HOST}/user-attachments/assets/a1`,
      `${HOST}/user-attachments/files/2/b`,
    ]
    const upload = { type: 'attachment', issue: ISSUE, asset_content_type: 'image/png' }
    const files = {
      ...recordFile('issues', issue(1, { body: `![](${picture}) [b](${file})` })),
      ...recordFile(
        'attachments',
        { ...upload, url: picture, asset_name: 'a', asset_url: 'tarball://root/attachments/a1/a' },
        { ...upload, url: 'gone', asset_name: 'c', asset_url: 'tarball://root/attachments/c/c' },
      ),
      ...recordFile('repository_files', {
        type: 'repository_file',
        url: file,
        file_name: 'b',
        repository: TOOLS,
        file_url: 'tarball://root/repository_files/2/b',
      }),
      'attachments/a1/a': 'picture',
      'repository_files/2/b': 'file',
    }
    // The archive has them, whether their contents were stored or not.
    for (const contents of [true, false]) {
      const { database } = await loaded(files, { files: contents })
      const found = readThread(database, ISSUE)?.attachments
      expect(found?.map(({ name, size, state }) => [name, size, state])).toEqual([
        ['a', 7, 'present'],
        ['c', null, 'missing'],
        ['b', 4, 'present'],
      ])
    }
  })

  test('branches, reviewers and issues to close, of a pull request', async () => {
    const database = tablesOf(
      recordFile(
        'pull_requests',
        pull({
          base: { ref: 'main', repo: TOOLS },
          head: { ref: 'cool', repo: `${HOST}/ada/tools` },
          work_in_progress: true,
          review_requests: [{ reviewer: who('grace'), reviewer_type: 'User' }, {}],
          close_issue_references: [{ issue: ISSUE }],
        }),
      ),
    )
    expect(readThread(database, PULL)?.pull_request).toEqual({
      base: 'main',
      head: 'ada/tools:cool',
      draft: true,
      merged_at: null,
      merge_commit_sha: null,
      merged_by: null,
      review_requests: ['grace'],
      closes: ['acme/tools#1'],
    })
  })

  test('the same facts if it is read together with others', async () => {
    const { folder, paths } = await loadSamples()
    const library = Library.open(paths)
    let compared = 0
    for (const store of library.stores) {
      for (const [kind, table] of Object.entries(THREAD_TABLES) as [ThreadKind, string][]) {
        const urls = store.all<{ url: string }>(`SELECT url FROM ${table}`).map(({ url }) => url)
        const threads = threadsAt(store, kind, ['https://host.example/none', ...urls])
        expect(threads).toEqual(urls.map((url) => threadAt(store, url, [kind])))
        const participants = participantsOfThreads(store, kind, urls)
        for (const url of urls)
          expect(participants.get(url)).toEqual(participantsOf(store, kind, url))
        compared += urls.length
      }
    }
    expect(compared).toBeGreaterThan(50)
    library.close()
    await rm(folder, { recursive: true })
  })

  test('nothing where there is none', async () => {
    const database = tablesOf(recordFile('issues', issue(1)))
    expect(readThread(database, PULL)).toBeUndefined()
  })
})
