import type { Files } from './bitbucket-issues.ts'
import { type GitRepository, makeGitRepository } from './git-repository.ts'
import { makePicture } from './picture.ts'

const day = (n: number, time = '12:00:00.123') =>
  `2024-05-${String(n).padStart(2, '0')}T${time}+08:00`

const ADA = 'ada@example.org'

/** The history of the project: a merge request that was merged, and one that is open. */
export const makeKettle = (): GitRepository =>
  makeGitRepository('harbour/kettle', 'main', [
    {
      key: 'lid',
      ref: 'heads/main',
      author: 'ada',
      at: '2024-05-01T04:00:00Z',
      message: 'Add a lid\n',
      files: { 'lid.txt': 'lid\nspout\n' },
    },
    {
      key: 'hinge',
      ref: 'pull/12/head',
      author: 'ada',
      at: '2024-05-10T04:00:00Z',
      message: 'Add a hinge\n',
      parents: ['lid'],
      files: { 'lid.txt': 'lid\nhinge\nspout\n' },
    },
    {
      key: 'merge',
      ref: 'heads/main',
      author: 'ben',
      at: '2024-05-12T04:00:00Z',
      message: "Merge branch 'hinge'\n",
      parents: ['lid', 'hinge'],
      files: { 'lid.txt': 'lid\nhinge\nspout\n' },
    },
  ])

/** The refs of a repository and its pack as Git bundles them. */
export function bundleOf(git: GitRepository): Buffer {
  const pack = [...git.files].find(([path]) => path.endsWith('.pack'))?.[1] ?? Buffer.alloc(0)
  const refs = [
    `${git.oid('merge')} refs/heads/main`,
    `${git.oid('hinge')} refs/merge-requests/12/head`,
    `${git.oid('merge')} refs/pipelines/7`,
    `${git.oid('merge')} HEAD`,
  ]
  return Buffer.concat([Buffer.from(`# v2 git bundle\n${refs.join('\n')}\n\n`), pack])
}

const UPLOAD = 'fedcba9876543210fedcba9876543210'

/** The members of a note that is about nothing else. */
export const PLAIN_NOTE = {
  attachment: { url: null },
  line_code: null,
  commit_id: null,
  system: false,
  st_diff: null,
  type: null,
  position: null,
  original_position: null,
  resolved_at: null,
  resolved_by_id: null,
}

/**
 * A project as GitLab exports it. Nobody in it exists.
 *
 * @param version of GitLab: 17 writes no ids
 */
export function gitlabProject(version: '13' | '17', git = makeKettle()): Files {
  let last = 0
  const known = (object: object): object => (version === '13' ? { id: ++last, ...object } : object)
  const names = ['', 'Ada Örn', 'Ben Kettle', 'Cara Spout']
  const note = (text: string, n: number, author: number, more: object = {}) =>
    known({
      note: text,
      noteable_type: 'Issue',
      author_id: author,
      created_at: day(n),
      updated_at: day(n),
      project_id: 5,
      ...PLAIN_NOTE,
      discussion_id: n.toString(16).padStart(40, '0'),
      confidential: null,
      author: { name: names[author] },
      award_emoji: [],
      events: [],
      ...more,
    })
  const system = (action: string, text: string, n: number, author: number) =>
    note(text, n, author, {
      system: true,
      system_note_metadata: { commit_count: null, action, created_at: day(n), updated_at: day(n) },
    })
  const label = known({
    title: 'needs tea',
    color: '#D93F0B',
    description: 'Put the kettle on',
    project_id: 5,
    created_at: day(1),
    updated_at: day(1),
    template: false,
    type: 'ProjectLabel',
    group_id: null,
    priorities: [],
  })
  const milestone = known({
    title: 'Spring',
    project_id: 5,
    iid: 1,
    description: '',
    state: 'active',
    due_date: '2024-06-01',
    start_date: null,
    group_id: null,
    created_at: day(1),
    updated_at: day(1),
  })
  const issue = known({
    iid: 12,
    title: 'Lid jams',
    author_id: 1,
    project_id: 5,
    description: `Like !12, but not \`!12\`.\n\n![lid](/uploads/${UPLOAD}/lid.png){width=60%}`,
    state: 'closed',
    closed_at: day(9),
    closed_by_id: 2,
    created_at: day(1),
    updated_at: day(9),
    confidential: false,
    due_date: null,
    weight: 3,
    discussion_locked: null,
    issue_assignees: [{ user_id: 2 }, { user_id: 2 }],
    label_links: [{ target_type: 'Issue', label }],
    milestone,
    award_emoji: [
      { name: 'thumbsup', user_id: 2, awardable_type: 'Issue', created_at: day(2) },
      { name: 'teapot', user_id: 3, awardable_type: 'Issue', created_at: day(2) },
    ],
    resource_label_events: [{ action: 'add', user_id: 1, created_at: day(3), label }],
    resource_milestone_events: [
      { action: 'add', user_id: 1, state: 'opened', created_at: day(3), milestone },
    ],
    resource_state_events: [
      { user_id: 2, state: 'closed', source_commit: null, created_at: day(9) },
    ],
    notes: [
      note(`The same picture: ![lid](/uploads/${UPLOAD}/lid.png)`, 4, 3),
      system('assignee', 'assigned to @ben', 5, 1),
      system('title', 'changed title from **Lid{- is-}** to **Lid{+ jams+}**', 6, 1),
      system('description', 'changed the description', 7, 1),
      system('closed', 'closed', 9, 2),
    ],
    events: [],
    timelogs: [],
    work_item_type: { base_type: 'issue' },
  })
  const [base, head] = [git.oid('lid'), git.oid('hinge')]
  const position = {
    base_sha: base,
    start_sha: base,
    head_sha: head,
    old_path: 'lid.txt',
    new_path: 'lid.txt',
    position_type: 'text',
    old_line: null,
    new_line: 2,
  }
  const talk = { type: 'DiffNote', position, discussion_id: 'd'.repeat(40) }
  const merge = known({
    iid: 12,
    title: 'Add a hinge',
    author_id: 1,
    description: `For #12. ![lid](/uploads/${UPLOAD}/lid.png)`,
    state: 'merged',
    source_branch: 'hinge',
    target_branch: 'main',
    source_project_id: 5,
    target_project_id: 5,
    created_at: day(10),
    updated_at: day(12),
    merge_commit_sha: git.oid('merge'),
    squash_commit_sha: null,
    draft: false,
    diff_head_sha: head,
    target_branch_sha: base,
    metrics: { merged_at: day(12), merged_by_id: 2, latest_closed_at: null },
    merge_request_assignees: [],
    merge_request_reviewers: [{ user_id: 2, state: 'reviewed', created_at: day(10) }],
    approvals: [{ user_id: 2, created_at: day(11) }],
    award_emoji: [],
    label_links: [],
    timelogs: [],
    merge_request_diff: {
      state: 'collected',
      base_commit_sha: base,
      start_commit_sha: base,
      head_commit_sha: head,
      merge_request_diff_commits: [],
      merge_request_diff_files: [
        {
          relative_order: 0,
          old_path: 'lid.txt',
          new_path: 'lid.txt',
          new_file: false,
          utf8_diff: '@@ -1,2 +1,3 @@\n lid\n+hinge\n spout\n',
        },
      ],
    },
    resource_label_events: [],
    resource_milestone_events: [],
    resource_state_events: [],
    events: [],
    notes: [
      note('Brass?', 11, 2, { ...talk, original_position: JSON.stringify(position) }),
      note('Yes.', 11, 1, {
        ...talk,
        original_position: position,
        resolved_at: day(12),
        resolved_by_id: 1,
      }),
      system('cross_reference', 'mentioned in issue #12', 10, 1),
      system(
        'commit',
        'added 1 commit\n\n[Compare with previous version](/harbour/stove/kettle/-/merge_requests/12/diffs?diff_id=1)',
        10,
        1,
      ),
      system('merged', 'merged', 12, 2),
    ],
  })
  const members = [
    [1, 'ada', 50],
    [2, 'ben', 30],
  ].map(([id, username, access_level]) =>
    known({
      user_id: id,
      access_level,
      source_type: 'Project',
      created_at: day(1),
      user: { id, username, public_email: id === 1 ? ADA : null },
    }),
  )
  const lists: Record<string, object[]> = {
    issues: [issue],
    merge_requests: [merge],
    labels: [label],
    milestones: [milestone],
    project_members: members,
    commit_notes: [note('Well made.', 13, 3, { commit_id: head, noteable_type: 'Commit' })],
    releases: [
      known({
        tag: 'v1',
        name: 'First',
        description: 'Boils.',
        author_id: 1,
        sha: git.oid('merge'),
        created_at: day(13),
        updated_at: day(13),
        released_at: day(13),
        links: [{ name: 'plan', url: 'https://kettle.example/plan.pdf' }],
      }),
    ],
    protected_branches: [
      known({
        name: 'main',
        allow_force_push: false,
        code_owner_approval_required: false,
        merge_access_levels: [{ access_level: 40 }],
        push_access_levels: [{ access_level: 40 }],
        created_at: day(1),
        updated_at: day(1),
      }),
    ],
    triggers: [{ description: 'nightly', token: 'glptt-0000', owner_id: 1, created_at: day(1) }],
  }
  const lines = (list: readonly object[]) =>
    list.map((each) => `${JSON.stringify(each)}\n`).join('')
  return {
    VERSION: '0.2.4',
    GITLAB_VERSION: version === '13' ? '13.5.0-ee' : '17.1.0',
    GITLAB_REVISION: '0123456789a',
    'tree/project.json': JSON.stringify({
      description: 'Boils water',
      visibility_level: 20,
      archived: false,
      runners_token: 'glrt-0000',
    }),
    ...Object.fromEntries(
      Object.entries(lists).map(([name, list]) => [`tree/project/${name}.ndjson`, lines(list)]),
    ),
    'project.bundle': bundleOf(git),
    [`uploads/${UPLOAD}/lid.png`]: makePicture(
      [
        [255, 255, 255],
        [120, 120, 120],
      ],
      (x, y) => Number(y > 12 && y < 18 && x > 3 && x < 28),
    ),
  }
}
