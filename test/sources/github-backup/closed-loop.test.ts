import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { diffDatabases, loadArchive, openDatabase, serveArchive } from '../../../src/index.ts'
import { backUp } from '../../support/back-up.ts'
import { folderOf } from '../../support/folder.ts'

const SAMPLE = new URL('../../../samples/hello.tar.gz', import.meta.url).pathname

/** Members that a backup has otherwise than the archive, or not at all, by kind. */
const NOT_IN_REST: Record<string, string[]> = {
  // The interface does not say when and under what name a file was uploaded.
  attachments: ['asset_name', 'asset_url', 'created_at'],
  repository_files: ['created_at'],
  // It shows accounts with a login and a picture only.
  bots: ['created_at', 'emails', 'social_accounts'],
  users: [
    'billing_plan',
    'bio',
    'company',
    'created_at',
    'emails',
    'location',
    'name',
    'social_accounts',
    'website',
  ],
  // It counts reactions, and does not say that a comment came by mail.
  issue_comments: ['formatter', 'reactions'],
  issues: ['reactions'],
  pull_request_reviews: ['body', 'reactions'],
  // Colors of names follow from those of labels; which pull request closed an issue is not told.
  issue_events: ['label_text_color', 'referencing_pull_request'],
  // It has no numbers of review threads.
  pull_request_review_comments: ['pull_request_review_thread'],
  // Nor what a merge closes, forks that are not served, and requests that were answered.
  pull_requests: ['close_issue_references', 'head.repo', 'reactions', 'review_requests'],
  repositories: [
    'actions_general_settings',
    'collaborators',
    'general_settings',
    'labels',
    'repository_topics',
    'security_and_analysis',
  ],
}

/** Members that the interface has and archives do not, which are kept under their names. */
const ONLY_IN_REST: Record<string, string[]> = {
  issue_comments: ['author_association', 'id', 'updated_at'],
  issue_events: ['id'],
  issues: ['active_lock_reason', 'author_association', 'closed_by', 'id', 'locked'],
  milestones: ['id'],
  pull_request_review_comments: ['author_association', 'id', 'updated_at'],
  pull_request_reviews: ['author_association', 'id'],
  pull_requests: [
    'active_lock_reason',
    'additions',
    'author_association',
    'changed_files',
    'commits',
    'deletions',
    'id',
    'locked',
    'maintainer_can_modify',
    'mergeable',
    'mergeable_state',
    'merged_by',
    'rebaseable',
    'updated_at',
  ],
  releases: ['id'],
  repositories: [
    'allow_merge_commit',
    'allow_rebase_merge',
    'allow_squash_merge',
    'disabled',
    'fork',
    'has_pages',
    'has_projects',
    'id',
    'language',
    'license',
    'network_count',
    'permissions',
    'pushed_at',
    'size',
    'subscribers_count',
    'updated_at',
  ],
}

/** Records and files that only one side has. */
const ONE_SIDED = {
  // The program asks for neither.
  'commit_comments removed': 1,
  'discussion_categories removed': 6,
  'discussions removed': 1,
  'protected_branches removed': 1,
  // It asks for events of issues only; who merged is known, so that these are made.
  'issue_events removed': 13,
  'issue_events added': 2,
  // Without numbers, a thread has that of its first comment.
  'pull_request_review_threads removed': 3,
  'pull_request_review_threads added': 3,
  // The same picture, under the name that the interface gives it.
  'files removed': 1,
  'files added': 1,
}

test('What a backup through the interface of a server lacks is exactly this', async () => {
  const folder = await folderOf()
  const [original, backup] = [join(folder, 'original.db'), join(folder, 'backup.db')]
  await loadArchive(SAMPLE, original)
  const server = await serveArchive([original], { port: 0 })
  try {
    await backUp(String(server.url), 'mona-lindqvist/tea-timer', join(folder, 'it'))
  } finally {
    await server.close()
  }
  await loadArchive(join(folder, 'it'), backup)
  const sides: Record<string, number> = {}
  const [changed, kept] = [new Map<string, Set<string>>(), new Map<string, Set<string>>()]
  const note = (of: Map<string, Set<string>>, kind: string, member: string) =>
    of.set(kind, (of.get(kind) ?? new Set()).add(member))
  const databases = [openDatabase(original), openDatabase(backup)] as const
  for await (const { kind, change, members } of diffDatabases(...databases)) {
    if (change !== 'changed') {
      sides[`${kind} ${change}`] = (sides[`${kind} ${change}`] ?? 0) + 1
      continue
    }
    for (const [member, sides] of Object.entries(members)) {
      note('before' in sides ? changed : kept, kind, member)
    }
  }
  for (const database of databases) database.close()
  const sorted = (of: Map<string, Set<string>>) =>
    Object.fromEntries([...of].map(([kind, members]) => [kind, [...members].sort()]))
  expect(sorted(changed)).toEqual(NOT_IN_REST)
  expect(sorted(kept)).toEqual(ONLY_IN_REST)
  expect(sides).toEqual(ONE_SIDED)
  expect(readFileSync(backup).includes('127.0.0.1')).toBe(false)
})
