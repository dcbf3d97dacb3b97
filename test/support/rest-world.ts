/** A world to be served: every kind of issue event, public and private things, and what records get wrong. */

import { ISSUE_EVENT_KINDS } from '../../src/records/kinds/event-types.ts'
import type { Files } from './build-tar.ts'
import { BARE, recordFile } from './load.ts'

export const HOST = 'https://forge.example'
export const SHA = '0123456789abcdef0123456789abcdef01234567'
/** The day of the world: everything happened before noon. */
export const TODAY = '2024-05-06'
export const at = (time: string) => `${TODAY}T${time}Z`

export const KETTLE = `${HOST}/forge/kettle`
export const SECRET = `${HOST}/forge/secret`
export const NOTES = `${HOST}/ada/notes`
export const PULL = `${KETTLE}/pull/2`
export const ISSUE = `${KETTLE}/issues/1`
const OTHER_HOST = 'https://other.example'

export const user = (login: string, more: object = {}) => ({
  type: 'user',
  url: `${HOST}/${login}`,
  avatar_url: null,
  login,
  name: null,
  bio: null,
  company: null,
  website: null,
  location: null,
  emails: [],
  billing_plan: null,
  created_at: at('00:00:00'),
  ...more,
})

export const repository = (url: string, more: object = {}) => ({
  type: 'repository',
  url,
  owner: url.slice(0, url.lastIndexOf('/')),
  name: url.slice(url.lastIndexOf('/') + 1),
  description: null,
  website: null,
  private: false,
  has_issues: true,
  has_wiki: true,
  has_downloads: true,
  labels: [],
  collaborators: [],
  created_at: at('01:00:00'),
  git_url: `tarball://root/repositories/${url.split('/').slice(3).join('/')}.git`,
  default_branch: 'main',
  webhooks: [],
  public_keys: [],
  ...more,
})

export const issue = (url: string, more: object = {}) => ({
  type: 'issue',
  url,
  repository: url.replace(/\/issues\/\d+$/, ''),
  user: `${HOST}/ada`,
  title: 'It boils',
  body: null,
  assignee: null,
  assignees: [],
  milestone: null,
  labels: [],
  closed_at: null,
  created_at: at('02:00:00'),
  updated_at: at('02:00:00'),
  ...more,
})

export const pullRequest = (url: string, more: object = {}) => {
  const home = url.replace(/\/pull\/\d+$/, '')
  const end = { ref: 'main', sha: SHA, user: home.slice(0, home.lastIndexOf('/')), repo: home }
  return {
    type: 'pull_request',
    url,
    user: `${HOST}/bob`,
    repository: home,
    title: 'Boil',
    body: '',
    base: end,
    head: { ...end, ref: 'topic' },
    assignee: null,
    assignees: [],
    milestone: null,
    labels: [],
    reactions: [],
    review_requests: [],
    close_issue_references: [],
    work_in_progress: false,
    merged_at: null,
    closed_at: null,
    created_at: at('03:00:00'),
    merge_commit_sha: SHA,
    ...more,
  }
}

/** An issue event of a thread. */
export const event = (
  thread: string,
  number: number | string,
  kind: string,
  more: object = {},
) => ({
  type: 'issue_event',
  url: `${thread}#event-${number}`,
  ...(thread.includes('/pull/') ? { pull_request: thread } : { issue: thread }),
  actor: `${HOST}/ada`,
  event: kind,
  created_at: at('05:00:00'),
  ...more,
})

export const comment = (thread: string, number: number, more: object = {}) => ({
  type: 'issue_comment',
  url: `${thread}#issuecomment-${number}`,
  ...(thread.includes('/pull/') ? { pull_request: thread } : { issue: thread }),
  user: `${HOST}/bob`,
  body: 'Hot',
  formatter: 'markdown',
  reactions: [],
  created_at: at('06:00:00'),
  ...more,
})

export const review = (number: number, more: object = {}) => ({
  type: 'pull_request_review',
  url: `${PULL}/files#pullrequestreview-${number}`,
  pull_request: PULL,
  user: `${HOST}/ada`,
  body: null,
  head_sha: SHA,
  formatter: 'markdown',
  state: 40,
  reactions: [],
  created_at: at('04:00:00'),
  submitted_at: at('04:00:00'),
  ...more,
})

/** What the events of some kinds bring, as the host writes it. */
const MEMBERS: Readonly<Record<string, object>> = {
  assigned: { subject: `${HOST}/bob` },
  unassigned: { subject: null },
  labeled: { label: `${KETTLE}/labels/bug`, label_name: 'bug', label_color: 'ff0000' },
  unlabeled: { label: `${KETTLE}/labels/long%20gone` },
  milestoned: { milestone_title: 'Summer' },
  demilestoned: { milestone: `${KETTLE}/milestones/1` },
  renamed: { title_was: 'Cold', title_is: 'Hot' },
  review_requested: { subject: `${HOST}/bob` },
  review_request_removed: { subject: `${HOST}/orgs/forge/teams/cooks` },
  referenced: { commit_id: SHA, commit_repository: KETTLE },
  closed: { commit_id: SHA },
  locked: { lock_reason: 'too_heated' },
}

/** One event of each kind, a minute after the other. The number of the first is 101. */
export const eventsOfAllKinds = () =>
  ISSUE_EVENT_KINDS.map((kind, i) =>
    event(PULL, 101 + i, kind, {
      created_at: at(`05:${String(i).padStart(2, '0')}:00`),
      ...MEMBERS[kind],
    }),
  )

const reviewComment = (number: number, more: object = {}) => ({
  type: 'pull_request_review_comment',
  url: `${PULL}/files#r${number}`,
  pull_request: PULL,
  pull_request_review: `${PULL}/files#pullrequestreview-31`,
  user: `${HOST}/ada`,
  pull_request_review_thread: null,
  body: 'Here',
  formatter: 'markdown',
  diff_hunk: '@@ -1 +1 @@',
  path: 'a',
  position: 1,
  original_position: 1,
  commit_id: SHA,
  original_commit_id: SHA,
  state: 1,
  in_reply_to: null,
  reactions: [],
  created_at: at('04:00:01'),
  ...more,
})

/** The records of the world, by kind. */
export const worldRecords = () => ({
  users: [
    user('ada', {
      avatar_url: 'https://avatars.example/u/17?v=4',
      emails: [{ address: 'ada@forge.example', primary: true, verified: true }],
    }),
    user('bob', { avatar_url: 'https://avatars.example/u/18?v=4', name: 'Bob' }),
    // A number that another account has, and a login that another host has.
    user('twin', { avatar_url: 'https://avatars.example/u/17?v=4' }),
    user('ada', { url: `${OTHER_HOST}/ada` }),
  ],
  bots: [user('steam[bot]', { avatar_url: 'https://avatars.example/in/7?v=4' })],
  organizations: [
    {
      type: 'organization',
      url: `${HOST}/forge`,
      login: 'forge',
      name: 'Forge',
      description: 'Metal',
      website: null,
      location: null,
      email: 'bills@forge.example',
      members: [
        { user: `${HOST}/ada`, role: 'admin', state: 'active' },
        { user: `${HOST}/carol`, role: 'direct_member', state: 'active' },
      ],
      owners_team: null,
      webhooks: [],
      created_at: at('00:30:00'),
    },
  ],
  teams: [
    {
      type: 'team',
      url: `${HOST}/orgs/forge/teams/cooks`,
      organization: `${HOST}/forge`,
      parent_team: null,
      name: 'Cooks',
      description: 'They boil',
      privacy: 'closed',
      permissions: [{ repository: SECRET, access: 'push', role: 'write' }],
      members: [{ user: `${HOST}/dave`, role: 'member' }],
      created_at: at('00:40:00'),
    },
  ],
  repositories: [
    repository(KETTLE, {
      labels: [
        { url: `${KETTLE}/labels/bug`, name: 'bug', color: 'ff0000', description: 'Broken' },
        { url: `${KETTLE}/labels/odd`, name: 'odd', color: 'no color', description: null },
      ],
      repository_topics: [
        { topic_name: 'tea', state: 'created' },
        { topic_name: 'gone', state: 'declined' },
      ],
    }),
    repository(SECRET, {
      private: true,
      collaborators: [{ user: `${HOST}/bob`, permission: 'read' }],
    }),
    repository(NOTES),
    repository(`${OTHER_HOST}/forge/kettle`),
  ],
  milestones: [
    {
      type: 'milestone',
      url: `${KETTLE}/milestones/1`,
      repository: KETTLE,
      user: `${HOST}/ada`,
      title: 'Summer',
      description: null,
      state: 'open',
      due_on: null,
      created_at: at('01:30:00'),
      updated_at: at('01:30:00'),
      closed_at: null,
    },
  ],
  issues: [
    issue(ISSUE, {
      labels: [`${KETTLE}/labels/bug`, `${KETTLE}/labels/long%20gone`],
      milestone: `${KETTLE}/milestones/1`,
      assignee: `${HOST}/bob`,
      assignees: [`${HOST}/bob`, `${HOST}/ghost`],
    }),
    issue(`${KETTLE}/issues/3`, {
      user: null,
      closed_at: at('07:00:00'),
      created_at: '2024-05-06T04:30:00.000+02:00',
    }),
    issue(`${SECRET}/issues/1`, { user: `${HOST}/bob` }),
    issue(`${KETTLE}/issues/4`, { created_at: 'yesterday', updated_at: null }),
  ],
  pull_requests: [pullRequest(PULL)],
  issue_comments: [
    comment(ISSUE, 21),
    comment(PULL, 22, { user: null }),
    // The number of the first, again.
    comment(`${KETTLE}/issues/3`, 21, { user: `${HOST}/ada` }),
    comment(ISSUE, 24, { created_at: 'soon' }),
    comment(`${SECRET}/issues/1`, 25),
    comment(`${HOST}/nobody/nothing/issues/1`, 26),
  ],
  pull_request_reviews: [review(31), review(32, { state: 0, submitted_at: null })],
  pull_request_review_comments: [
    reviewComment(41),
    reviewComment(42, { in_reply_to: `${PULL}/files#r41` }),
    reviewComment(43, { state: 0 }),
  ],
  commit_comments: [
    {
      type: 'commit_comment',
      url: `${KETTLE}/commit/${SHA}#commitcomment-51`,
      repository: KETTLE,
      user: `${HOST}/ada`,
      body: 'Nice',
      formatter: 'markdown',
      path: null,
      position: null,
      commit_id: SHA,
      reactions: [],
      created_at: at('06:10:00'),
    },
  ],
  releases: [
    {
      type: 'release',
      url: `${KETTLE}/releases/tag/v1`,
      repository: KETTLE,
      user: `${HOST}/ada`,
      name: 'One',
      tag_name: 'v1',
      body: 'First',
      state: 'published',
      pending_tag: 'v1',
      prerelease: false,
      target_commitish: 'main',
      release_assets: [
        {
          url: `${HOST}/assets/1`,
          user: `${HOST}/ada`,
          asset_name: 'kettle.zip',
          asset_content_type: 'application/zip',
          asset_url: 'tarball://root/releases/1/kettle.zip',
          created_at: at('06:20:00'),
        },
      ],
      published_at: at('06:20:00'),
      created_at: at('06:19:00'),
    },
  ],
  issue_events: [
    ...eventsOfAllKinds(),
    event(ISSUE, 201, 'pinned'),
    event(ISSUE, 202, 'closed', { actor: `${HOST}/steam[bot]`, created_at: at('05:40:00') }),
    event(ISSUE, 203, 'reopened', { actor: null, created_at: at('05:41:00') }),
    event(`${SECRET}/issues/1`, 204, 'closed', { created_at: at('05:50:00') }),
    event(ISSUE, 205, 'referenced', { commit_id: 'no commit' }),
    event(`${KETTLE}/issues/99`, 206, 'closed'),
    // The number of another event, again.
    event(`${KETTLE}/issues/3`, 101, 'subscribed', { created_at: at('05:45:00') }),
  ],
})

export type WorldRecords = ReturnType<typeof worldRecords>

/** Record files of these records. */
export const filesOf = (records: Readonly<Record<string, readonly object[]>>): Files => ({
  ...BARE,
  ...Object.assign({}, ...Object.entries(records).map(([kind, each]) => recordFile(kind, ...each))),
})
