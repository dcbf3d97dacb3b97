import type { Activity } from '../../reading/feeds.ts'
import { ACTIVITY_CODES, CODE_UNIT } from '../../reading/index/index-schema.ts'
import type { IndexedRepository } from '../../reading/repositories.ts'
import { readRepositoryRecord } from '../../reading/repository-record.ts'
import { formatSeconds } from '../../reading/times.ts'
import { asObject, asText, parseJson } from '../../reading/values.ts'
import type { JsonObject } from '../../records/json/json.ts'
import {
  type Numbered,
  toCommitComment,
  toIssueComment,
  toReview,
  toReviewComment,
} from './comments.ts'
import { pictureOf, segment } from './people.ts'
import { toPullRequest } from './pull-requests.ts'
import { toRelease } from './releases.ts'
import type { Rendering } from './rendering.ts'
import { repositoryUrl } from './repositories.ts'
import { issueUrl, readThread, type ThreadRecord, toIssue } from './threads.ts'

/** An event of a feed. Undefined if its records are gone. */
export function toActivityEvent(rendering: Rendering, activity: Activity): JsonObject | undefined {
  const { reader, base } = rendering
  const repository = reader.repositories.byId(activity.repository)
  const described = repository && describe(rendering, activity, repository)
  if (!described) return undefined
  const actor = reader.people.byId(activity.actor, repository.host)
  const owner = reader.people.byId(repository.ownerId, repository.host)
  return {
    id: String(activity.code * CODE_UNIT + activity.number),
    type: described.type,
    actor: {
      id: actor.number,
      login: actor.login,
      display_login: actor.login,
      gravatar_id: '',
      url: `${base}/users/${segment(actor.login)}`,
      avatar_url: pictureOf(rendering, actor),
    },
    repo: {
      id: repository.number,
      name: repository.fullName,
      url: repositoryUrl(rendering, repository),
    },
    payload: described.payload,
    public: activity.isPublic,
    created_at: formatSeconds(activity.time),
    ...(owner.kind === 'Organization' && {
      org: {
        id: owner.number,
        login: owner.login,
        gravatar_id: '',
        url: `${base}/orgs/${segment(owner.login)}`,
        avatar_url: pictureOf(rendering, owner),
      },
    }),
  }
}

interface Described {
  readonly type: string
  readonly payload: JsonObject
}

function describe(
  rendering: Rendering,
  activity: Activity,
  repository: IndexedRepository,
): Described | undefined {
  const { reader } = rendering
  const { code, row, number } = activity
  const found = activity.thread === null ? undefined : reader.threads.byId(activity.thread)
  const record = found && readThread(rendering, found)
  const numbered: Numbered = { repository, row, number }
  switch (code) {
    case ACTIVITY_CODES.repository:
      return {
        type: 'CreateEvent',
        payload: creation(repository, { ref: null, ref_type: 'repository' }),
      }
    case ACTIVITY_CODES.commitComment:
      return created('CommitCommentEvent', 'comment', toCommitComment(rendering, numbered))
    case ACTIVITY_CODES.release: {
      const url = repository.store.record('releases', 'url', row)?.[0]
      const release = toRelease(rendering, repository, asText(url))
      return release && { type: 'ReleaseEvent', payload: { action: 'published', release } }
    }
    default:
      return record && describeInThread(rendering, activity, record, numbered)
  }
}

const created = (
  type: string,
  member: string,
  value: JsonObject | undefined,
  rest: JsonObject = {},
): Described | undefined =>
  value && { type, payload: { action: 'created', [member]: value, ...rest } }

/** An event in an issue or pull request. */
function describeInThread(
  rendering: Rendering,
  { code, row }: Activity,
  record: ThreadRecord,
  numbered: Numbered,
): Described | undefined {
  const { thread, repository } = record
  const pullUrl = `${repositoryUrl(rendering, repository)}/pulls/${thread.number}`
  switch (code) {
    case ACTIVITY_CODES.issue:
    case ACTIVITY_CODES.pullRequest:
      return changed(rendering, record, 'opened')
    case ACTIVITY_CODES.event:
      return happened(rendering, record, row)
    case ACTIVITY_CODES.comment: {
      const comment = toIssueComment(rendering, numbered, issueUrl(rendering, record))
      const issue = toIssue(rendering, record)
      return (
        comment && { type: 'IssueCommentEvent', payload: { action: 'created', issue, comment } }
      )
    }
    case ACTIVITY_CODES.review:
      return created('PullRequestReviewEvent', 'review', toReview(rendering, numbered, pullUrl), {
        pull_request: toPullRequest(rendering, record),
      })
    default:
      return created(
        'PullRequestReviewCommentEvent',
        'comment',
        toReviewComment(rendering, numbered, pullUrl),
        { pull_request: toPullRequest(rendering, record) },
      )
  }
}

/** An issue or pull request was opened, closed or opened again. */
const changed = (rendering: Rendering, record: ThreadRecord, action: string): Described =>
  record.thread.isPull
    ? {
        type: 'PullRequestEvent',
        payload: {
          action,
          number: record.thread.number,
          pull_request: toPullRequest(rendering, record),
        },
      }
    : { type: 'IssuesEvent', payload: { action, issue: toIssue(rendering, record) } }

/** An issue event that is also an event of a feed. */
function happened(rendering: Rendering, record: ThreadRecord, row: number): Described | undefined {
  const { repository } = record
  const { library } = rendering.reader
  const event = library.store(repository.database).record('issue_events', 'event', row)?.[0]
  const head = asObject(parseJson(record.columns[7]))
  const branch = { ref: asText(head.ref), ref_type: 'branch' }
  switch (event) {
    case 'closed':
    case 'reopened':
      return changed(rendering, record, event)
    case 'merged':
      return changed(rendering, record, 'closed')
    case 'head_ref_deleted':
      return { type: 'DeleteEvent', payload: { ...branch, pusher_type: 'user' } }
    case 'head_ref_restored':
      return { type: 'CreateEvent', payload: creation(repository, branch) }
    default:
      return undefined
  }
}

/** The payload for a repository or branch that was created. */
function creation(
  repository: IndexedRepository,
  ref: { ref: string | null; ref_type: string },
): JsonObject {
  const record = readRepositoryRecord(repository)
  return {
    ...ref,
    master_branch: record?.defaultBranch ?? '',
    description: record?.description ?? null,
    pusher_type: 'user',
  }
}
