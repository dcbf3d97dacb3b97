/** A world in which every rule of an archive is kept, one record of each kind, to be broken by tests. */

import type { ExportSource, FileToExport } from '../../src/compose/export-source.ts'
import type { JsonObject } from '../../src/records/json/json.ts'

const HOST = 'https://forge.example'
export const ADA = `${HOST}/ada`
export const KETTLE = `${ADA}/kettle`

const at = '2024-05-06T07:08:09Z'
const sha = '0123456789abcdef0123456789abcdef01234567'
const pull = `${KETTLE}/pull/2`
const reactions = [
  {
    user: ADA,
    content: 'heart',
    subject_type: 'Issue',
    created_at: '2024-05-06T09:08:09.000+02:00',
  },
]

export const account = (login: string) => ({
  url: `${HOST}/${login}`,
  login,
  name: null,
  emails: [{ address: `${login}@forge.example`, primary: true, verified: true }],
  created_at: at,
})

export const repository = (name: string, labels: readonly string[] = []) => ({
  url: `${ADA}/${name}`,
  owner: ADA,
  name,
  description: 'Boils water',
  private: false,
  has_issues: true,
  has_wiki: true,
  has_downloads: true,
  labels: labels.map((label) => ({
    url: `${ADA}/${name}/labels/${encodeURIComponent(label)}`,
    name: label,
    color: 'ccccff',
    description: null,
    created_at: at,
  })),
  collaborators: [],
  created_at: at,
  git_url: `tarball://root/repositories/ada/${name}.git`,
  default_branch: 'main',
  webhooks: [],
  public_keys: [],
})

export const issue = (number: number) => ({
  url: `${KETTLE}/issues/${number}`,
  repository: KETTLE,
  user: ADA,
  title: 'It boils',
  body: null,
  assignee: null,
  milestone: null,
  labels: [] as string[],
  closed_at: null,
  created_at: at,
})

const place = {
  diff_hunk: '@@ -1 +1 @@',
  path: 'README.md',
  position: 1,
  original_position: 1,
  commit_id: sha,
  original_commit_id: sha,
}

const end = { ref: 'main', sha, user: ADA, repo: KETTLE }

/** One record of each kind that rules are about, and the files they name. Git data is left out. */
export const goodWorld = () => ({
  records: {
    users: [account('ada')],
    bots: [account('steam[bot]')],
    organizations: [
      {
        url: `${HOST}/kitchen`,
        login: 'kitchen',
        name: 'Kitchen',
        description: '',
        members: [{ user: ADA, role: 'admin', state: 'active' }],
        created_at: at,
      },
    ],
    repositories: [repository('kettle', ['good first issue'])],
    teams: [
      {
        url: `${HOST}/orgs/kitchen/teams/cooks`,
        organization: `${HOST}/kitchen`,
        name: 'Cooks',
        description: '',
        permissions: [],
        members: [],
        created_at: at,
        parent_team: null,
      },
    ],
    protected_branches: [
      {
        url: `${KETTLE}/settings/branches/release/1`,
        name: 'release/1',
        repository_url: KETTLE,
        authorized_user_urls: [ADA],
      },
    ],
    milestones: [
      {
        url: `${KETTLE}/milestones/1`,
        repository: KETTLE,
        user: ADA,
        title: 'Hot',
        description: 'Two\nlines',
        state: 'open',
        due_on: null,
        created_at: at,
      },
    ],
    issues: [
      {
        ...issue(1),
        milestone: `${KETTLE}/milestones/1`,
        labels: [`${KETTLE}/labels/good%20first%20issue`],
        reactions,
      },
    ],
    pull_requests: [
      {
        url: pull,
        user: ADA,
        repository: KETTLE,
        title: 'Boil',
        body: null,
        base: end,
        head: { ...end, user: `${HOST}/fork`, repo: `${HOST}/fork/kettle` },
        labels: [],
        merged_at: null,
        closed_at: null,
        created_at: at,
        merge_commit_sha: sha,
      },
    ],
    pull_request_reviews: [
      {
        url: `${pull}/files#pullrequestreview-3`,
        pull_request: pull,
        user: ADA,
        formatter: 'markdown',
        head_sha: sha,
        state: 40,
        created_at: at,
        submitted_at: at,
      },
    ],
    pull_request_review_threads: [
      {
        url: `${pull}/files#pullrequestreviewthread-4`,
        pull_request: pull,
        pull_request_review: `${pull}/files#pullrequestreview-3`,
        ...place,
        created_at: at,
      },
    ],
    pull_request_review_comments: [
      {
        // The second of two: order carries no meaning.
        url: `${pull}/files#r6`,
        in_reply_to: `${pull}/files#r5`,
        pull_request: pull,
        pull_request_review: `${pull}/files#pullrequestreview-3`,
        pull_request_review_thread: `${pull}/files#pullrequestreviewthread-4`,
        user: ADA,
        body: 'Hot',
        formatter: 'markdown',
        ...place,
        state: 1,
        created_at: at,
      },
      {
        url: `${pull}/files#r5`,
        in_reply_to: null,
        pull_request: pull,
        pull_request_review: `${pull}/files#pullrequestreview-3`,
        pull_request_review_thread: `${pull}/files#pullrequestreviewthread-4`,
        user: ADA,
        body: 'Hot',
        formatter: 'markdown',
        ...place,
        state: 1,
        created_at: at,
      },
    ],
    commit_comments: [
      {
        url: `${KETTLE}/commit/${sha}#commitcomment-7`,
        repository: KETTLE,
        user: ADA,
        body: 'Hot',
        formatter: 'markdown',
        path: null,
        position: null,
        commit_id: sha,
        created_at: at,
      },
    ],
    issue_comments: [
      {
        url: `${KETTLE}/issues/1#issuecomment-8`,
        issue: `${KETTLE}/issues/1`,
        user: ADA,
        body: 'Hot',
        formatter: 'markdown',
        created_at: at,
      },
    ],
    issue_events: [
      {
        url: `${pull}#event-9`,
        pull_request: pull,
        actor: ADA,
        event: 'labeled',
        label_color: 'ccccff',
        label_name: 'gone',
        created_at: at,
      },
    ],
    attachments: [
      {
        url: `${HOST}/uploads/5d1c`,
        issue: `${KETTLE}/issues/1`,
        user: ADA,
        asset_name: 'läger.png',
        asset_content_type: 'image/png',
        created_at: at,
        asset_url: 'tarball://root/attachments/5d1c/läger.png',
      },
    ],
    releases: [
      {
        url: `${KETTLE}/releases/tag/v1/hot`,
        repository: KETTLE,
        user: ADA,
        name: '',
        tag_name: 'v1/hot',
        body: '',
        state: 'published',
        pending_tag: 'v1/hot',
        prerelease: false,
        target_commitish: 'main',
        published_at: at,
        created_at: at,
        release_assets: [
          {
            url: `${HOST}/assets/1`,
            user: ADA,
            asset_name: 'kettle.zip',
            created_at: at,
            asset_content_type: 'application/zip',
            asset_url: 'tarball://root/releases/77aa/kettle.zip',
          },
        ],
      },
    ],
    repository_files: [
      {
        url: `${KETTLE}/files/11/log.txt`,
        repository: KETTLE,
        user: ADA,
        created_at: at,
        file_name: 'log.txt',
        file_content_type: 'text/plain',
        file_url: 'tarball://root/repository_files/11/log.txt',
      },
    ],
    discussion_categories: [
      { url: `${KETTLE}/discussion_categories/Q%26A`, repository: KETTLE, name: 'Q&A' },
    ],
    discussions: [
      {
        url: `${KETTLE}/discussions/12`,
        repository: KETTLE,
        user: ADA,
        title: 'Tea?',
        body: '',
        labels: [],
        created_at: at,
        discussion_category: `${KETTLE}/discussion_categories/Q%26A`,
      },
    ],
  },
  files: [
    { path: 'attachments/5d1c/läger.png', content: 'a picture' },
    { path: 'releases/77aa/kettle.zip', content: 'an asset' },
    { path: 'repository_files/11/log.txt', content: 'a log' },
  ] as FileToExport[],
})

export interface LooseWorld {
  records: Record<string, JsonObject[]>
  files: FileToExport[]
}

/** The good world, to be changed at will. */
export const looseWorld = (): LooseWorld => structuredClone(goodWorld())

/** Types keep from writing what is broken; this lets it through. */
export const asSource = (world: LooseWorld & Pick<ExportSource, 'otherRecords'>): ExportSource =>
  world as ExportSource
