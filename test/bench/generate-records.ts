import * as accounts from './records-accounts.ts'
import { commitComment, release } from './records-commits.ts'
import { discussion, discussionCategory } from './records-discussions.ts'
import { issueEvent } from './records-events.ts'
import * as ofRepository from './records-repository.ts'
import * as reviews from './records-reviews.ts'
import { issue, pullRequest } from './records-subjects.ts'
import { attachment, issueComment } from './records-talk.ts'
import { repositoryFile } from './records-uploads.ts'
import { type Kind, kinds, type World } from './world.ts'

const makers: Readonly<Record<Kind, (world: World, index: number) => object>> = {
  organizations: accounts.organization,
  teams: accounts.team,
  users: accounts.user,
  bots: accounts.bot,
  repositories: ofRepository.repository,
  protected_branches: ofRepository.protectedBranch,
  milestones: ofRepository.milestone,
  issues: issue,
  pull_requests: pullRequest,
  issue_comments: issueComment,
  issue_events: issueEvent,
  pull_request_reviews: reviews.review,
  pull_request_review_threads: reviews.reviewThread,
  pull_request_review_comments: reviews.reviewComment,
  commit_comments: commitComment,
  releases: release,
  attachments: attachment,
  repository_files: repositoryFile,
  discussions: discussion,
  discussion_categories: discussionCategory,
}

/** The record of that index: it follows from the world alone, so any can be made at any time. */
export function makeRecord(world: World, kind: Kind, index: number): object {
  return makers[kind](world, index)
}

/** A file of at most 100 records. */
export interface RecordFile {
  readonly name: string
  readonly kind: Kind
  readonly first: number
  readonly end: number
}

const recordsPerFile = 100

/** The files of all records; a kind without records has none. */
export function* entriesOf({ counts }: World): Generator<RecordFile> {
  for (const kind of kinds) {
    for (let first = 0; first < counts[kind]; first += recordsPerFile) {
      const name = `${kind}_${String(first / recordsPerFile + 1).padStart(6, '0')}.json`
      yield { name, kind, first, end: Math.min(first + recordsPerFile, counts[kind]) }
    }
  }
}

/** The JSON of a file, laid out as the host does. */
export function textOfFile(world: World, { kind, first, end }: RecordFile): string {
  const records: object[] = []
  for (let index = first; index < end; index++) records.push(makeRecord(world, kind, index))
  return JSON.stringify(records, null, 2)
}
