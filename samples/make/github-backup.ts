const SITE = 'https://github.com'
const HOME = `${SITE}/harbour/kettle`
const API = 'https://api.github.com/repos/harbour/kettle'

const account = (login: string, type = 'User') => ({
  login,
  type,
  html_url: `${SITE}/${login}`,
  avatar_url: `https://avatars.example.org/${login}`,
  node_id: 'U',
})
const [ada, ben] = [account('ada'), account('ben')]
const harbour = account('harbour', 'Organization')

const label = {
  name: 'needs tea',
  color: 'd93f0b',
  description: 'Hot',
  url: `${API}/labels/needs%20tea`,
}

const milestone = {
  number: 1,
  html_url: `${HOME}/milestone/1`,
  title: 'Spring',
  description: null,
  creator: ada,
  state: 'open',
  open_issues: 1,
  closed_issues: 0,
  created_at: '2025-01-01T00:00:00Z',
  updated_at: '2025-01-02T00:00:00Z',
  due_on: null,
  closed_at: null,
}

const comment = (thread: string, id: number, user: object, body: string | null) => ({
  id,
  html_url: `${HOME}/${thread}#issuecomment-${id}`,
  user,
  body,
  created_at: '2025-01-06T10:00:00Z',
  updated_at: '2025-01-06T11:00:00Z',
  author_association: 'MEMBER',
  reactions: { url: 'x', total_count: 2, '+1': 2 },
})

const event = (id: number, event: string, actor: object, more: object = {}) => ({
  id,
  event,
  actor,
  commit_id: null,
  commit_url: null,
  created_at: `2025-01-05T11:00:${String(id % 60).padStart(2, '0')}Z`,
  ...more,
})

const issue = {
  number: 1,
  html_url: `${HOME}/issues/1`,
  url: `${API}/issues/1`,
  repository_url: API,
  id: 9001,
  title: 'Lid jams',
  user: account('ghost'),
  labels: [label, label],
  state: 'closed',
  locked: true,
  assignee: ben,
  assignees: [ben, ada],
  milestone,
  comments: 1,
  created_at: '2025-01-05T12:00:00.900+02:00',
  updated_at: '2025-01-09T10:00:00Z',
  closed_at: '2025-01-08T10:00:00Z',
  closed_by: ada,
  author_association: 'NONE',
  body: 'It jams.\r\n`{{{` !12',
  new_member_of_2027: { kept: true },
  comment_data: [comment('issues/1', 501, account('tidy[bot]', 'Bot'), null)],
  event_data: [
    event(701, 'assigned', ben, { assignee: ben, assigner: ada }),
    event(702, 'labeled', ada, { label: { name: 'needs tea', color: 'd93f0b' } }),
    event(703, 'renamed', ada, { rename: { from: 'Lid', to: 'Lid jams' } }),
    event(704, 'locked', ada, { lock_reason: 'resolved' }),
  ],
}

const reviewComment = (id: number, reply: number | null, review: number | null) => ({
  id,
  in_reply_to_id: reply,
  pull_request_review_id: review,
  diff_hunk: '@@ -1,2 +1,3 @@\n lid\n+hinge\n spout',
  path: 'lid.txt',
  commit_id: 'b'.repeat(40),
  original_commit_id: 'a'.repeat(40),
  position: 2,
  original_position: 2,
  line: 2,
  original_line: 2,
  start_line: null,
  original_start_line: null,
  side: 'RIGHT',
  start_side: null,
  subject_type: 'line',
  user: ben,
  body: 'Brass?',
  created_at: `2025-02-02T10:0${id % 10}:00Z`,
  updated_at: '2025-02-02T10:20:00Z',
})

const pull = {
  number: 2,
  html_url: `${HOME}/pull/2`,
  id: 9002,
  state: 'closed',
  locked: false,
  title: 'Add a hinge',
  user: ada,
  body: null,
  created_at: '2025-02-01T10:00:00Z',
  updated_at: '2025-02-03T10:00:00Z',
  closed_at: '2025-02-03T10:00:00Z',
  merged_at: '2025-02-03T10:00:00Z',
  merged_by: ben,
  merge_commit_sha: 'c'.repeat(40),
  assignee: null,
  assignees: [],
  requested_reviewers: [ben],
  requested_teams: [{ slug: 'brass' }],
  labels: [],
  milestone: null,
  draft: false,
  head: { label: 'ada:hinge', ref: 'hinge', sha: 'b'.repeat(40), user: ada, repo: null },
  base: {
    label: 'harbour:main',
    ref: 'main',
    sha: 'd'.repeat(40),
    user: harbour,
    repo: {
      html_url: HOME,
      name: 'kettle',
      full_name: 'harbour/kettle',
      owner: harbour,
      private: false,
      description: 'Boils\nwater',
      homepage: null,
      default_branch: 'main',
      has_issues: true,
      has_wiki: true,
      archived: false,
      topics: ['tea'],
      created_at: '2024-12-01T00:00:00Z',
      updated_at: '2025-02-02T00:00:00Z',
    },
  },
  comment_regular_data: [comment('pull/2', 502, ben, 'Thanks')],
  comment_data: [
    reviewComment(601, null, 801),
    reviewComment(602, 601, 802), // whose review is missing
    reviewComment(604, 603, null), // whose thread began with a comment that was deleted
  ],
  review_data: [
    {
      id: 801,
      user: ben,
      body: 'Fine',
      state: 'APPROVED',
      submitted_at: '2025-02-02T11:00:00Z',
      commit_id: 'b'.repeat(40),
    },
  ],
}

/** A file as the program prints it: sorted, indented by four spaces. */
export const printed = (value: unknown): string => {
  const sorted = (each: unknown): unknown =>
    Array.isArray(each)
      ? each.map(sorted)
      : typeof each === 'object' && each !== null
        ? Object.fromEntries(
            Object.entries(each)
              .sort(([a], [b]) => (a < b ? -1 : 1))
              .map(([name, inner]) => [name, sorted(inner)]),
          )
        : each
  return JSON.stringify(sorted(value), null, 4)
}

/** The JSON of a folder that python-github-backup wrote of one repository, by path. Nobody in it exists. */
export const BACKUP: Readonly<Record<string, unknown>> = {
  'repositories/kettle/issues/1.json': issue,
  'repositories/kettle/pulls/2.json': pull,
  'repositories/kettle/milestones/1.json': milestone,
  'repositories/kettle/labels/labels.json': [
    label,
    { ...label, name: 'unused', description: null, url: `${API}/labels/unused` },
  ],
  'repositories/kettle/hooks/hooks.json': [
    {
      active: true,
      events: ['push'],
      config: { url: 'https://ci.example/hook', content_type: 'json', insecure_ssl: '0' },
    },
  ],
}

const PICTURE = `${SITE}/user-attachments/assets/0f8fad5b-d9cb-469f-a165-70867728950e`
const LOG = `${SITE}/user-attachments/files/77/boil.log`
const saved = (url: string, original_filename: string, saved_as: string, content_type: string) => ({
  url,
  success: true,
  http_status: 200,
  content_type,
  original_filename,
  saved_as,
  error: null,
})

/** The JSON of a repository with everything that the program can save, by path. */
export const WHOLE: Readonly<Record<string, unknown>> = {
  ...BACKUP,
  'repositories/kettle/issues/1.json': { ...issue, body: `See ![lid](${PICTURE})` },
  'repositories/kettle/issues/attachments/1/manifest.json': {
    item_number: 1,
    item_type: 'issue',
    attachments: [
      saved(PICTURE, 'lid.png', '0f8fad5b.png', 'image/png'),
      { url: `${HOME}/files/3/gone.txt`, success: false, http_status: 404, error: 'HTTP 404' },
    ],
  },
  'repositories/kettle/pulls/attachments/2/manifest.json': {
    attachments: [saved(LOG, 'boil.log', '77.log', 'text/plain')],
  },
  'repositories/kettle/releases/v1__rc.json': {
    html_url: `${HOME}/releases/tag/v1/rc`,
    tag_name: 'v1/rc',
    name: 'First',
    body: 'Notes',
    draft: false,
    prerelease: true,
    target_commitish: 'main',
    author: ada,
    created_at: '2025-02-04T00:00:00Z',
    published_at: '2025-02-04T00:00:00Z',
    id: 1,
    immutable: false,
    assets: [
      {
        browser_download_url: `${HOME}/releases/download/v1%2Frc/kettle.bin`,
        name: 'kettle.bin',
        content_type: 'application/octet-stream',
        uploader: ada,
        created_at: '2025-02-04T00:00:00Z',
        size: 3,
        state: 'uploaded',
      },
    ],
  },
  'repositories/kettle/discussions/3.json': {
    url: `${HOME}/discussions/3`,
    number: 3,
    id: 'D_1',
    title: 'Which tea?',
    body: 'Green?',
    bodyHTML: '<p>Green?</p>',
    author: { login: 'cara', __typename: 'User' },
    category: { name: 'Q&A', emoji: ':pray:', emojiHTML: '<g-emoji>', description: 'Ask' },
    labels: { nodes: [{ name: 'needs tea', color: 'd93f0b', description: 'Hot' }] },
    createdAt: '2025-03-01T10:00:00Z',
    updatedAt: '2025-03-02T10:00:00Z',
    upvoteCount: 4,
    comment_data: [
      {
        url: `${HOME}/discussions/3#discussioncomment-41`,
        author: { login: 'ada' },
        body: 'Black.',
        isAnswer: true,
        createdAt: '2025-03-01T11:00:00Z',
        updatedAt: '2025-03-01T11:00:00Z',
        reply_data: [
          {
            url: `${HOME}/discussions/3#discussioncomment-42`,
            author: null,
            body: 'With milk.',
            createdAt: '2025-03-01T12:00:00Z',
            updatedAt: '2025-03-01T12:00:00Z',
          },
        ],
      },
    ],
  },
  'repositories/kettle/security-advisories/GHSA-aaaa-bbbb-cccc.json': {
    html_url: `${HOME}/security/advisories/GHSA-aaaa-bbbb-cccc`,
    url: `${API}/security-advisories/GHSA-aaaa-bbbb-cccc`,
    ghsa_id: 'GHSA-aaaa-bbbb-cccc',
    state: 'published',
    severity: 'low',
  },
}

/** Files beside that JSON. */
export const UPLOADED: Readonly<Record<string, string>> = {
  'repositories/kettle/issues/attachments/1/0f8fad5b.png': '\x89PNG',
  'repositories/kettle/issues/attachments/1/notes.txt': 'not in the list',
  'repositories/kettle/pulls/attachments/2/77.log': 'boils',
  'repositories/kettle/releases/v1__rc/kettle.bin': 'tea',
  'repositories/kettle/releases/v1__rc/other.bin': 'not in the release',
}

/** Its files. */
export const backupFiles = (json = BACKUP): Record<string, string> => ({
  ...Object.fromEntries(Object.entries(json).map(([path, value]) => [path, printed(value)])),
  'repositories/kettle/issues/last_update': '2025-02-03T10:00:00Z',
})

/** The same threads as github-metadata-backup saves them: each in an object, beside what happened in it. */
export function metadataFiles(): Record<string, string> {
  const around = (path: string, type: string, beside: object) => {
    const { comment_data, event_data, review_data, comment_regular_data, ...thread } = BACKUP[
      `repositories/kettle/${path}`
    ] as Record<string, object[]>
    const comments = comment_regular_data ?? (type === 'issue' ? comment_data : []) ?? []
    const events = [
      ...(event_data ?? []),
      ...comments.map((each) => ({ event: 'commented', ...each })),
      ...(review_data ?? []).map((each) => ({ event: 'reviewed', ...each, state: 'approved' })),
    ]
    return { [path]: JSON.stringify({ type, [type]: thread, events, ...beside }) }
  }
  const { comment_data: comments } = BACKUP['repositories/kettle/pulls/2.json'] as {
    comment_data: object[]
  }
  return {
    ...around('issues/1.json', 'issue', {}),
    ...around('pulls/2.json', 'pull', { comments }),
    'state.json': '{"version": 2, "failed_issues": [3, 4], "failed_pulls": []}',
  }
}
