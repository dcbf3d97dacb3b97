import { attachments, repository_files } from './attachments.ts'
import { discussion_categories, discussion_comments, discussions } from './discussions.ts'
import { issue_comments, issue_events, issues } from './issues.ts'
import type { RecordOf } from './kind.ts'
import { bots, organizations, teams, users } from './people.ts'
import { protected_branches } from './protected-branches.ts'
import { bases, pull_requests } from './pull-requests.ts'
import { releases } from './releases.ts'
import { commit_comments, milestones, projects, repositories } from './repositories.ts'
import {
  pull_request_review_comments,
  pull_request_review_threads,
  pull_request_reviews,
  review_comments,
} from './reviews.ts'

/** The table of kinds, by file stem, in the order of an import: owners before their records. */
export const KINDS = {
  users,
  bots,
  organizations,
  repositories,
  teams,
  protected_branches,
  milestones,
  issues,
  pull_requests,
  bases,
  projects,
  pull_request_reviews,
  pull_request_review_threads,
  pull_request_review_comments,
  review_comments,
  commit_comments,
  issue_comments,
  issue_events,
  attachments,
  releases,
  repository_files,
  discussion_categories,
  discussions,
  discussion_comments,
} as const

/** The name of a kind that this package knows, such as `issues`: also that of its table. */
export type KindName = keyof typeof KINDS

/** A record of the kind named, such as `ArchiveRecord<'issues'>`. */
export type ArchiveRecord<Name extends KindName> = RecordOf<(typeof KINDS)[Name]>
