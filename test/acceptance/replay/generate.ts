/** An archive of one repository with many issues, made by the tar program of plain JSON. */

import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const HOST = 'https://forge.example'
const HOME = `${HOST}/forge/kettle`
const SHA = '0123456789abcdef0123456789abcdef01234567'
const START = Date.parse('2020-01-01T00:00:00Z')

/** Something every eleven minutes; some write their times with an offset. */
const at = (i: number): string => {
  const instant = new Date(START + i * 660_000)
  if (i % 7 !== 0) return `${instant.toISOString().slice(0, 19)}Z`
  return `${new Date(instant.getTime() + 7_200_000).toISOString().slice(0, 23)}+02:00`
}
const person = (i: number) => (i % 97 === 0 ? null : `${HOST}/user-${i % 50}`)
const label = (i: number) => `${HOME}/labels/area%20${i % 20}`
const reactions = (i: number) =>
  ['+1', 'tada', 'smile', 'thinking_face', 'eyes']
    .slice(0, i % 60 === 0 ? 1 + (i % 5) : 0)
    .map((content) => ({
      user: `${HOST}/user-${i % 50}`,
      content,
      created_at: at(i),
    }))

const user = (i: number) => ({
  type: 'user',
  url: `${HOST}/user-${i}`,
  login: `user-${i}`,
  name: null,
  emails: [],
  avatar_url: `https://avatars.example/u/${1000 + i}?v=4`,
  created_at: at(0),
})

const subject = (i: number) => ({
  repository: HOME,
  user: person(i),
  title: `Number ${i} <b>`,
  body: i % 5 ? `Text ${i} "\\"\r\n🫖` : null,
  assignee: null,
  assignees: i % 9 ? [] : [`${HOST}/user-${i % 50}`],
  reactions: reactions(i),
  milestone: i % 4 ? null : `${HOME}/milestones/${1 + (i % 10)}`,
  created_at: at(i),
  labels: i % 3 ? [label(i), label(i + 7)] : [],
  closed_at: i % 2 ? at(i + 100) : null,
})

const issue = (i: number) => ({
  type: 'issue',
  url: `${HOME}/issues/${i}`,
  ...subject(i),
  updated_at: at(i),
})

const end = (ref: string) => ({ ref, sha: SHA, user: `${HOST}/forge`, repo: HOME })
const pull = (number: number) => ({
  type: 'pull_request',
  url: `${HOME}/pull/${number}`,
  ...subject(number),
  base: end('main'),
  head: end(`topic-${number}`),
  merge_commit_sha: SHA,
  merged_at: null,
  work_in_progress: false,
  close_issue_references: [],
  review_requests: [{ reviewer: `${HOST}/user-3`, reviewer_type: 'User', dismissed_at: null }],
})

const comment = (i: number, issues: number) => ({
  type: 'issue_comment',
  url: `${HOME}/issues/${1 + ((i * 31) % issues)}#issuecomment-${i}`,
  issue: `${HOME}/issues/${1 + ((i * 31) % issues)}`,
  user: person(i),
  body: `Comment ${i}`,
  formatter: 'markdown',
  reactions: reactions(i),
  created_at: at(i),
})

const review = (i: number, of: string) => ({
  type: 'pull_request_review',
  url: `${of}/files#pullrequestreview-${i}`,
  pull_request: of,
  user: person(i),
  body: i % 2 ? null : `Review ${i}`,
  head_sha: SHA,
  formatter: 'markdown',
  state: [1, 30, 40, 50, 0][i % 5],
  reactions: [],
  created_at: at(i),
  submitted_at: i % 5 === 4 ? null : at(i),
})

const reviewComment = (i: number, of: string, pending: boolean) => ({
  type: 'pull_request_review_comment',
  url: `${of}/files#r${i}`,
  pull_request: of,
  pull_request_review: `${of}/files#pullrequestreview-${i}`,
  pull_request_review_thread: null,
  user: person(i),
  body: `Line ${i}`,
  formatter: 'markdown',
  path: 'a.c',
  position: 1,
  diff_hunk: `@@ -1 +1,2 @@\n a\n+${i}`,
  original_position: 1,
  commit_id: SHA,
  original_commit_id: SHA,
  state: pending ? 0 : 1,
  in_reply_to: null,
  reactions: reactions(i),
  created_at: at(i),
})

const milestone = (i: number) => ({
  type: 'milestone',
  url: `${HOME}/milestones/${i}`,
  repository: HOME,
  user: `${HOST}/user-1`,
  title: `1.${i}`,
  description: null,
  state: i % 2 ? 'open' : 'closed',
  due_on: null,
  created_at: at(i),
  updated_at: at(i),
  closed_at: i % 2 ? null : at(i + 9),
})

const release = (i: number) => ({
  type: 'release',
  url: `${HOME}/releases/tag/v${i}`,
  repository: HOME,
  user: person(i),
  name: `Release ${i}`,
  tag_name: `v${i}`,
  pending_tag: `v${i}`,
  body: `What is in ${i}`,
  state: i % 11 ? 'published' : 'draft',
  prerelease: i % 3 === 0,
  target_commitish: 'main',
  created_at: at(i),
  published_at: i % 11 ? at(i) : null,
  release_assets: [
    {
      url: `${HOST}/assets/${i}`,
      user: `${HOST}/user-2`,
      asset_name: `kettle-${i}.zip`,
      asset_content_type: 'application/zip',
      asset_url: `tarball://root/releases/${i}/kettle.zip`,
      created_at: at(i),
    },
  ],
})

const repository = {
  type: 'repository',
  url: HOME,
  owner: `${HOST}/forge`,
  name: 'kettle',
  private: true,
  description: 'It boils',
  website: null,
  has_issues: true,
  has_wiki: false,
  has_downloads: true,
  collaborators: [],
  created_at: at(0),
  default_branch: 'main',
  git_url: 'tarball://root/repositories/forge/kettle.git',
  webhooks: [],
  public_keys: [],
  labels: Array.from({ length: 20 }, (_, i) => ({
    url: label(i),
    name: `area ${i}`,
    color: '00ff00',
    description: i % 2 ? null : 'An area',
  })),
  repository_topics: [{ topic_name: 'tea', state: 'created' }],
}

/** The name of the repository in the archive. */
export const GENERATED = 'forge/kettle'

/** Writes an archive with so many issues, a tenth as many comments, and a hundredth as many pull requests and reviews. */
export function generate(folder: string, issues: number): string {
  const root = join(folder, 'generated')
  mkdirSync(join(root, 'releases'), { recursive: true })
  const write = (kind: string, records: readonly object[]) => {
    for (let i = 0; i < records.length; i += 1000) {
      const name = `${kind}_${String(1 + i / 1000).padStart(6, '0')}.json`
      writeFileSync(join(root, name), JSON.stringify(records.slice(i, i + 1000)))
    }
  }
  const many = <T>(count: number, make: (i: number) => T) =>
    Array.from({ length: count }, (_, i) => make(i + 1))
  const pulls = Math.ceil(issues / 100)
  const pullUrl = (i: number) => `${HOME}/pull/${issues + 1 + (i % pulls)}`
  writeFileSync(join(root, 'schema.json'), '{"version":"1.0.1"}')
  write('users', [
    ...many(50, (i) => user(i - 1)),
    { ...user(0), url: `${HOST}/forge`, login: 'forge' },
  ])
  write('repositories', [repository])
  write('milestones', many(10, milestone))
  write('issues', many(issues, issue))
  write(
    'pull_requests',
    many(pulls, (i) => pull(issues + i)),
  )
  write(
    'issue_comments',
    many(Math.ceil(issues / 10), (i) => comment(i, issues)),
  )
  write(
    'pull_request_reviews',
    many(pulls, (i) => review(i, pullUrl(i))),
  )
  write(
    'pull_request_review_comments',
    many(pulls, (i) => reviewComment(i, pullUrl(i), i % 5 === 4)),
  )
  write('releases', many(120, release))
  for (let i = 1; i <= 120; i++) {
    mkdirSync(join(root, `releases/${i}`))
    writeFileSync(join(root, `releases/${i}/kettle.zip`), `Steam ${i}`)
  }
  const archive = join(folder, 'generated.tar.gz')
  execFileSync('tar', ['-czf', archive, '-C', root, '.'])
  return archive
}
