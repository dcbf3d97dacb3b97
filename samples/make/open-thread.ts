import type { ArchiveRecord } from '../../src/records/kinds/kinds.ts'
import { accountUrl, reactionsOf } from './host.ts'
import type { Project } from './project.ts'

export interface Thread {
  readonly project: Project
  /** The record of the issue or pull request, which changes as things happen. */
  readonly record: ArchiveRecord<'issues'> | ArchiveRecord<'pull_requests'>
  /** The member by which comments and events name the thread. */
  readonly parent: { issue: string } | { pull_request: string }
}

/** Something that happens in a thread: adds records, and changes that of the thread. */
export type Happening = (thread: Thread) => void

interface Opening {
  number: number
  /** Null for an account that was deleted since. */
  by: string | null
  at: string
  title: string
  body: string | null
  reactions?: { readonly [content: string]: readonly string[] }
}

interface PullOpening extends Opening {
  /** The branch to merge; `of` is the owner of a fork, null if the fork was deleted. */
  head: { ref: string; commit: string; of?: string | null }
  /** The commit of the main branch that it was last compared with. */
  base: string
  draft?: boolean
  /** Numbers of the issues that merging it closes. */
  closes?: readonly number[]
}

/** Adds an issue and what happened in it. */
export function openIssue(project: Project, opening: Opening, happenings: readonly Happening[]) {
  const record: ArchiveRecord<'issues'> = {
    type: 'issue',
    url: `${project.url}/issues/${opening.number}`,
    repository: project.url,
    ...common(opening),
    closed_at: null,
    created_at: opening.at,
    updated_at: opening.at,
  }
  project.content.records.issues.push(record)
  const thread = { project, record, parent: { issue: `${record.url}` } }
  for (const happen of happenings) happen(thread)
}

/** Adds a pull request and what happened in it. */
export function openPullRequest(
  project: Project,
  opening: PullOpening,
  happenings: readonly Happening[],
) {
  const { number, by, at, head, base, draft = false, closes = [] } = opening
  const { content, url, owner, git, record: repository } = project
  const { user, title, body, ...described } = common(opening)
  const fork = head.of === undefined ? owner : head.of
  const record: ArchiveRecord<'pull_requests'> = {
    type: 'pull_request',
    url: `${url}/pull/${number}`,
    user,
    repository: url,
    title,
    body,
    base: { ref: 'main', sha: git.oid(base), user: accountUrl(owner), repo: url },
    head: {
      ref: head.ref,
      sha: git.oid(head.commit),
      user: fork && accountUrl(fork),
      repo: fork && `${accountUrl(fork)}/${repository.name}`,
    },
    ...described,
    review_requests: [],
    close_issue_references: closes.map((issue) => ({
      issue: `${url}/issues/${issue}`,
      issue_repository: url,
      actor: by && accountUrl(by),
      source: 'xref',
      created_at: at,
    })),
    work_in_progress: draft,
    merged_at: null,
    closed_at: null,
    created_at: at,
    merge_commit_sha: null,
  }
  content.records.pull_requests.push(record)
  const thread = { project, record, parent: { pull_request: `${record.url}` } }
  for (const happen of happenings) happen(thread)
}

const common = ({ by, at, title, body, reactions = {} }: Opening) => ({
  user: by && accountUrl(by),
  title,
  body,
  assignee: null as string | null,
  assignees: [] as string[],
  milestone: null as string | null,
  labels: [] as string[],
  reactions: reactionsOf(reactions, 'Issue', at),
})
