import { readLabel } from '../../reading/labels.ts'
import { readMilestone } from '../../reading/milestones.ts'
import { labelName } from '../../reading/names.ts'
import { isTeam } from '../../reading/people/teams.ts'
import { asObject, asText, asTextOrNull, parseJson } from '../../reading/values.ts'
import type { JsonObject } from '../../records/json/json.ts'
import { toApp } from './apps.ts'
import { dismissedReview } from './dismissed-review.ts'
import { type EventPreviews, type EventRecord, toCommitId } from './event-record.ts'
import { toColor } from './labels.ts'
import { userOf } from './people.ts'
import { projectCard } from './project-card.ts'
import type { Rendering } from './rendering.ts'
import { toTeam } from './teams.ts'

/** Members that only events of one kind have. */
export interface KindMembers {
  /** The actor, if it is not that of the record. */
  readonly actor?: unknown
  /** The commit, if it is not that of the record. */
  readonly commitId?: unknown
  readonly members: JsonObject
}

type Describe = (rendering: Rendering, record: EventRecord, previews: EventPreviews) => KindMembers

const assignment: Describe = (rendering, { columns, extra, repository }) => {
  const toUser = (url: unknown) => userOf(rendering, url, repository.host)
  const assigned = typeof extra.assignee === 'string' ? extra.assignee : columns.subject
  const listed = Array.isArray(extra.assignees)
    ? extra.assignees.filter((url) => typeof url === 'string')
    : []
  return {
    actor: columns.subject,
    members: {
      assignee: toUser(assigned),
      assignees: (listed.length > 0 ? listed : [assigned]).map(toUser),
      assigner: toUser(typeof extra.assigner === 'string' ? extra.assigner : columns.actor),
    },
  }
}

const labeling: Describe = (_, { columns, extra, repository }) => {
  const given = (Array.isArray(extra.labels) ? extra.labels : [extra.label])
    .map(asObject)
    .flatMap(({ name, color }) =>
      typeof name === 'string' && typeof color === 'string' ? [{ name, color }] : [],
    )
  const own = {
    name: asTextOrNull(columns.label_name) ?? labelName(asText(columns.label)),
    color: toColor(columns.label_color ?? readLabel(repository, asText(columns.label))?.color),
  }
  const labels = given.length > 0 ? given : [own]
  return { members: { labels, label: labels[0] ?? own } }
}

const planning: Describe = (_, { columns, extra, repository }) => {
  const given = asObject(extra.milestone).title
  const milestone = asText(columns.milestone)
  // One of another repository, which no honest archive names, may be private.
  const isElsewhere =
    /^https?:/.test(milestone) && !milestone.startsWith(`${repository.url}/milestones/`)
  const title =
    asTextOrNull(given) ??
    asTextOrNull(columns.milestone_title) ??
    (isElsewhere ? '' : asTextOrNull(readMilestone(repository, milestone)?.title)) ??
    milestone
  return { members: { milestone: { title } } }
}

const renaming: Describe = (_, { columns, extra }) => {
  const { from, to } = asObject(extra.rename)
  const isWhole = typeof from === 'string' && typeof to === 'string'
  return {
    members: {
      rename: isWhole
        ? { from, to }
        : { from: asText(columns.title_was), to: asText(columns.title_is) },
    },
  }
}

const reviewRequest: Describe = (rendering, { columns, extra, repository }) => {
  const toUser = (url: unknown) => userOf(rendering, url, repository.host)
  const requester =
    typeof extra.review_requester === 'string' ? extra.review_requester : columns.actor
  const review_requester = toUser(requester)
  const named = [extra.requested_team, extra.requested_reviewer, extra.requested_reviewers]
  const asked = named.find((url) => typeof url === 'string') ?? columns.subject
  if (isTeam(asked)) {
    const team = toTeam(rendering, repository.store, asked)
    return { members: { review_requester, requested_team: team, requested_reviewers: team } }
  }
  const reviewer = toUser(asked)
  return {
    members: { review_requester, requested_reviewer: reviewer, requested_reviewers: reviewer },
  }
}

const dismissal: Describe = (rendering, record) => ({
  members: { dismissed_review: dismissedReview(rendering, record) },
})

const merge: Describe = ({ reader }, { columns, event, repository }) => {
  const own = toCommitId(columns.commit_id)
  if (own !== null) return { members: {} }
  const thread = reader.threads.byId(event.thread)
  const row =
    thread?.isPull &&
    reader.library
      .store(repository.database)
      .record('pull_requests', 'merge_commit_sha, head', thread.row)
  const [merged, head] = row || []
  return { commitId: toCommitId(merged) ?? asObject(parseJson(head)).sha, members: {} }
}

const locking: Describe = (_, { lockReason }, { lockReasons }) => ({
  members: lockReasons ? { lock_reason: lockReason } : {},
})

const onBoard: Describe = (rendering, record, { projectCards, cardIds }) => {
  const card = projectCards ? projectCard(rendering, record, cardIds) : undefined
  return { members: card ? { project_card: card } : {} }
}

/** The kinds that have members of their own. */
const KINDS: Readonly<Partial<Record<string, Describe>>> = {
  assigned: assignment,
  unassigned: assignment,
  labeled: labeling,
  unlabeled: labeling,
  milestoned: planning,
  demilestoned: planning,
  renamed: renaming,
  review_requested: reviewRequest,
  review_request_removed: reviewRequest,
  review_dismissed: dismissal,
  merged: merge,
  locked: locking,
  added_to_project: onBoard,
  moved_columns_in_project: onBoard,
  removed_from_project: onBoard,
  converted_note_to_issue: onBoard,
}

/**
 * The members of an event of this kind that not all events have. If the host's own records lack a member, but another
 * exporter wrote it under the name of the interface, it is taken from the record.
 */
export function describeKind(
  rendering: Rendering,
  kind: string,
  record: EventRecord,
  previews: EventPreviews,
): KindMembers {
  const describe = Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined
  const described = describe?.(rendering, record, previews) ?? { members: {} }
  if (!previews.apps) return described
  const app = toApp(rendering, record)
  const members = { performed_via_service_app: app, performed_via_github_app: app }
  return { ...described, members: { ...described.members, ...members } }
}
