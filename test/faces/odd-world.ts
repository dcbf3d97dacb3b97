/** A world in which every fact that faces tell differently, or may tell differently, is the whole of one small thread. */

import {
  at,
  comment,
  event,
  HOST,
  issue,
  pullRequest,
  repository,
  SHA,
  user,
} from '../support/rest-world.ts'

export const ODD = `${HOST}/forge/odd`
/** A repository in which an issue and a pull request share a number. */
const TWINS = `${HOST}/forge/twins`
/** A repository that has no record. */
const UNKNOWN = `${HOST}/forge/unknown`

const ADA = `${HOST}/ada`
const BOB = `${HOST}/bob`

export const issueUrl = (number: number) => `${ODD}/issues/${number}`
export const pullUrl = (number: number) => `${ODD}/pull/${number}`

const reviewOf = (pull: number, number: number, more: object = {}) => ({
  type: 'pull_request_review',
  url: `${pullUrl(pull)}/files#pullrequestreview-${number}`,
  pull_request: pullUrl(pull),
  user: ADA,
  body: null,
  head_sha: SHA,
  formatter: 'markdown',
  state: 40,
  reactions: [],
  created_at: at('04:00:00'),
  submitted_at: at('04:00:00'),
  ...more,
})

const reviewCommentOf = (pull: number, number: number, review: number, more: object = {}) => ({
  type: 'pull_request_review_comment',
  url: `${pullUrl(pull)}/files#r${number}`,
  pull_request: pullUrl(pull),
  user: ADA,
  pull_request_review: `${pullUrl(pull)}/files#pullrequestreview-${review}`,
  pull_request_review_thread: null,
  body: 'Here',
  formatter: 'markdown',
  path: 'a',
  diff_hunk: '@@ -1 +1 @@\n-a\n+b',
  position: 1,
  original_position: 1,
  commit_id: SHA,
  original_commit_id: SHA,
  state: 1,
  in_reply_to: null,
  reactions: [],
  created_at: at('04:00:00'),
  ...more,
})

const request = (reviewer: string, more: object = {}) => ({
  reviewer,
  reviewer_type: 'User',
  created_at: at('03:30:00'),
  updated_at: at('03:30:00'),
  dismissed_at: null,
  ...more,
})

const release = (home: string, published_at: string = at('06:20:00')) => ({
  type: 'release',
  url: `${home}/releases/tag/v1`,
  repository: home,
  user: ADA,
  name: 'One',
  tag_name: 'v1',
  body: '',
  state: 'published',
  pending_tag: 'v1',
  prerelease: false,
  target_commitish: 'main',
  release_assets: [],
  published_at,
  created_at: at('06:19:00'),
})

const milestone = (url: string, due_on: string | null = null) => ({
  type: 'milestone',
  url,
  repository: url.replace(/\/milestones\/\d+$/, ''),
  user: ADA,
  title: 'Summer',
  description: null,
  state: 'open',
  due_on,
  closed_at: null,
  created_at: at('01:30:00'),
  updated_at: at('01:30:00'),
})

const TWINS_MILESTONE = `${TWINS}/milestones/1`
/** What the threads that share a number have; those of number 2 are closed. */
const twin = (number: number) => ({
  milestone: TWINS_MILESTONE,
  labels: [`${TWINS}/labels/bug`],
  closed_at: number === 2 ? at('07:00:00') : null,
})

const MERGED = { merged_at: at('08:00:00'), closed_at: at('08:00:00') }
const LAMP = `${HOST}/lamp[bot]`

/** The records of the world, by kind. The comment above each group says what is odd. */
export const oddRecords = () => ({
  users: [user('ada'), user('bob', { created_at: '2024-05-06T00:00:00' })],
  bots: [
    // Its login is not the end of its url.
    user('lamplighter[bot]', { url: LAMP }),
    user('twice[bot]'),
  ],
  organizations: [
    {
      type: 'organization',
      url: `${HOST}/forge`,
      login: 'forge',
      name: 'Forge',
      description: '',
      website: null,
      location: null,
      email: null,
      members: [],
      owners_team: null,
      webhooks: [],
      created_at: at('00:30:00'),
    },
  ],
  repositories: [
    repository(TWINS, {
      labels: [{ url: `${TWINS}/labels/bug`, name: 'bug', color: 'ff0000', description: null }],
    }),
    repository(ODD, {
      labels: [
        { url: `${ODD}/labels/bug`, name: 'bug', color: 'ff0000', description: null },
        { url: `${ODD}/labels/former`, name: 'renamed', color: 'ff0000', description: null },
      ],
    }),
  ],
  milestones: [milestone(`${ODD}/milestones/2`, '2024-06-01T00:00:00'), milestone(TWINS_MILESTONE)],
  issues: [
    // Times without a zone.
    issue(issueUrl(1), { created_at: '2024-05-06T02:00:00', closed_at: '2024-05-06T07:00:00' }),
    // An event and a comment in one second; comments in one second that are written in two ways; no time.
    ...[5, 7, 18, 28].map((number) => issue(issueUrl(number))),
    issue(issueUrl(31), { created_at: '2024-05-06T02:30:00' }),
    issue(issueUrl(11), { milestone: `${ODD}/milestones/1` }),
    // A milestone of another repository.
    issue(issueUrl(35), { milestone: TWINS_MILESTONE }),
    issue(issueUrl(12), { labels: [`${ODD}/labels/gone`] }),
    issue(issueUrl(13), { assignee: ADA, assignees: [] }),
    // Its comment names a pull request as well.
    issue(issueUrl(16)),
    // An event that the interface leaves out.
    issue(issueUrl(21)),
    issue(issueUrl(22), {
      reactions: ['10', '11'].map((hour) => ({
        user: ADA,
        content: 'tada',
        subject_type: 'Issue',
        created_at: at(`${hour}:00:00`),
      })),
    }),
    ...[1, 2].map((number) => issue(`${TWINS}/issues/${number}`, twin(number))),
    // More participants than pages name.
    issue(issueUrl(25)),
    issue(issueUrl(29), { labels: [`${ODD}/labels/former`] }),
    issue(issueUrl(32), { user: LAMP, assignees: [LAMP], assignee: LAMP }),
    issue(`${UNKNOWN}/issues/1`),
  ],
  pull_requests: [
    pullRequest(pullUrl(2), { review_requests: [request(ADA)] }),
    pullRequest(pullUrl(3), {
      review_requests: [request(`${HOST}/orgs/forge/teams/cooks`, { reviewer_type: 'Team' })],
    }),
    pullRequest(pullUrl(4), { review_requests: [request(ADA, { dismissed_at: at('04:00:00') })] }),
    ...[6, 14, 15, 17, 19, 20, 24, 26, 30].map((number) => pullRequest(pullUrl(number))),
    ...[1, 2].map((number) => pullRequest(`${TWINS}/pull/${number}`, twin(number))),
    pullRequest(pullUrl(8), MERGED),
    pullRequest(pullUrl(9), MERGED),
    pullRequest(pullUrl(10), {
      ...MERGED,
      closed_at: null,
      milestone: `${ODD}/milestones/2`,
      labels: [`${ODD}/labels/bug`],
    }),
    // Done by somebody whose login is not the end of the url.
    pullRequest(pullUrl(33), { ...MERGED, user: LAMP, review_requests: [request(LAMP)] }),
    pullRequest(pullUrl(34), {
      review_requests: [request(LAMP)],
      close_issue_references: [{ issue: issueUrl(12) }, { issue: issueUrl(9_999) }],
    }),
    pullRequest(pullUrl(27), { merged_at: '2024-05-06T08:00:00', closed_at: at('08:00:00') }),
  ],
  issue_comments: [
    comment(issueUrl(1), 1, { created_at: '2024-05-06T06:00:00' }),
    comment(issueUrl(5), 5, { created_at: at('05:00:00') }),
    comment(pullUrl(6), 6, { created_at: at('04:00:00') }),
    comment(issueUrl(7), 7, { created_at: '2024-05-06T08:00:00.000+02:00' }),
    comment(issueUrl(7), 8, { created_at: at('07:00:00'), user: LAMP }),
    comment(pullUrl(15), 15, { issue: issueUrl(16), user: `${HOST}/guest-1` }),
    comment(issueUrl(17), 17, { issue: pullUrl(17) }),
    comment(issueUrl(18), 18, { created_at: null }),
    ...Array.from({ length: 30 }, (_, i) =>
      comment(issueUrl(25), 100 + i, { user: `${HOST}/guest-${i}` }),
    ),
    comment(issueUrl(28), 28),
  ],
  issue_events: [
    event(issueUrl(1), 1, 'renamed', { created_at: '2024-05-06T05:00:00' }),
    event(issueUrl(5), 5, 'pinned', { created_at: at('05:00:00') }),
    event(pullUrl(8), 8, 'closed', { created_at: at('08:00:00') }),
    event(pullUrl(10), 9, 'merged', { created_at: at('08:00:00') }),
    event(pullUrl(10), 10, 'closed', { created_at: at('08:00:00') }),
    event(issueUrl(21), 21, 'referenced', { commit_id: null }),
    event(pullUrl(24), 24, 'locked', { lock_reason: 'spam' }),
    event(pullUrl(27), 26, 'merged', { created_at: at('08:00:00') }),
    event(pullUrl(27), 27, 'closed', { created_at: at('08:00:00') }),
    event(issueUrl(28), 28, 'pinned', { created_at: null }),
    event(issueUrl(32), 32, 'assigned', { actor: LAMP, subject: LAMP }),
    event(pullUrl(33), 33, 'merged', { actor: LAMP, created_at: at('08:00:00') }),
    event(pullUrl(33), 34, 'closed', { actor: LAMP, created_at: at('08:00:00') }),
  ],
  pull_request_reviews: [
    reviewOf(2, 2),
    reviewOf(6, 106),
    reviewOf(14, 14, { state: 1, body: 'Nice', user: BOB }),
    reviewOf(19, 19, { state: 0, submitted_at: null }),
    reviewOf(20, 20),
    // It only holds a reply in the thread of the other.
    reviewOf(20, 21, { state: 1, user: `${HOST}/guest-2` }),
    reviewOf(26, 26, { submitted_at: null }),
    reviewOf(34, 34, { user: LAMP, submitted_at: at('03:00:00'), created_at: at('03:00:00') }),
    reviewOf(30, 30, { submitted_at: '2024-05-06T04:00:00' }),
  ],
  pull_request_review_comments: [
    reviewCommentOf(20, 20, 20),
    reviewCommentOf(20, 21, 21, { user: BOB, in_reply_to: `${pullUrl(20)}/files#r20` }),
  ],
  releases: [release(ODD, '2024-05-06T06:20:00'), release(UNKNOWN)],
})

/** What no archive brings into a database, but an edit: a user and a bot with one url. */
export const ODD_EDIT = `INSERT INTO users (url, login, created_at)
  SELECT url, login, created_at FROM bots WHERE login = 'twice[bot]'`
