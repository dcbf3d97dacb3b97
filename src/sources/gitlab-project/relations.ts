import type { JsonObject, JsonValue } from '../../records/json/json.ts'
import { isObject } from '../../records/json/json.ts'
import { withoutSecrets } from '../secrets.ts'
import { encodeName } from '../source-repository.ts'
import type { Element } from './elements.ts'
import { addIssue } from './issues.ts'
import { addMergeRequest } from './merge-requests.ts'
import { keepAttachment, takeReactions } from './notes.ts'
import { isId } from './people.ts'
import type { Project } from './project.ts'
import { objectsIn } from './survey.ts'
import { asWord } from './thread.ts'

/** THE TABLE of lists of an export, and what becomes of an element. Those of others are records of a kind of their own. */
const RELATIONS: { readonly [relation: string]: (project: Project, element: Element) => void } = {
  // Read before, but for an object that has a file of its own since 2020.
  project(project, { object, entry, at }) {
    const { project_feature: features } = object
    if (isObject(features)) {
      noteFeatures(project, { relation: 'project_feature', object: features, entry, at })
    }
  },
  // What it says of them was read before.
  user_contributions(project, { object: { id } }) {
    if (isId(id)) project.personWithId(id, project.survey.newest || null)
  },
  labels: (project, { object, entry, at }) => void project.label(object, entry, at),
  milestones: (project, { object, entry, at }) => void project.milestones.urlOf(object, entry, at),
  issues: addIssue,
  merge_requests: addMergeRequest,
  releases: addRelease,
  protected_branches: addProtectedBranch,
  commit_notes: addCommitNote,
  project_members: addMember,
  project_feature: noteFeatures,
}

/** Adds the records of an element. */
export function addElement(project: Project, element: Element): void {
  const { relation } = element
  if (Object.hasOwn(RELATIONS, relation)) RELATIONS[relation]?.(project, element)
  else addOther(project, element)
}

function addRelease(project: Project, { object, entry, at }: Element): void {
  const members = project.members(object, entry, at)
  const tag = members.branch('tag')
  if (tag === null) {
    project.problem('source-left-out', 'releases without a tag that Git allows', entry, at)
    return
  }
  const created_at = project.date(members, 'created_at', entry, null)
  const links = objectsIn(object.links).flatMap(({ name, url }) =>
    typeof url === 'string' && typeof name === 'string' ? [`- [${name}](${url})`] : [],
  )
  const text = members.text('description')
  let body = project.text(text, entry)
  if (links.length > 0) {
    body = [...(body ? [body] : []), links.join('\n')].join('\n\n')
    project.problem('text-rewritten', 'links of releases are listed in their notes', entry, at)
  }
  if (body !== text) members.keep('description', text)
  const url = `${project.url}/releases/tag/${tag.split('/').map(encodeName).join('/')}`
  project.add(
    'releases',
    {
      type: 'release',
      url,
      repository: project.url,
      user: project.person(members, 'author_id', created_at),
      name: members.text('name'),
      tag_name: tag,
      body,
      state: 'published',
      pending_tag: tag,
      prerelease: false,
      target_commitish: members.text('sha') ?? 'main',
      release_assets: [],
      published_at: members.time('released_at') ?? created_at,
      created_at,
    },
    project.rest(members, entry),
  )
}

/** Developers and everybody above them may push. */
const DEVELOPER = 30

function addProtectedBranch(project: Project, { object, entry, at }: Element): void {
  const members = project.members(object, entry, at)
  const name = members.text('name')
  if (name === null || name === '') {
    project.problem('source-left-out', 'protected branches without a name', entry, at)
    return
  }
  const forced = members.flag('allow_force_push') ?? false
  const levels = objectsIn(object.push_access_levels).map(({ access_level }) => access_level)
  const isOpen = levels.length === 0 || levels.includes(DEVELOPER)
  project.add(
    'protected_branches',
    {
      type: 'protected_branch',
      name,
      url: `${project.url}/settings/branches/${name.split('/').map(encodeName).join('/')}`,
      creator_url: null,
      repository_url: project.url,
      admin_enforced: false,
      block_deletions_enforcement_level: 2,
      block_force_pushes_enforcement_level: forced ? 0 : 2,
      dismiss_stale_reviews_on_push: false,
      pull_request_reviews_enforcement_level: 'off',
      require_code_owner_review: members.flag('code_owner_approval_required') ?? false,
      required_status_checks_enforcement_level: 'off',
      strict_required_status_checks_policy: false,
      authorized_actors_only: !isOpen,
      authorized_user_urls: [],
      authorized_team_urls: [],
      dismissal_restricted_user_urls: [],
      dismissal_restricted_team_urls: [],
      required_status_checks: [],
      requires_approving_reviews: false,
      required_approving_review_count: 0,
      requires_commit_signatures: false,
      requires_linear_history: false,
      allows_force_pushes: forced,
      allows_deletions: false,
      requires_status_checks: false,
      restricts_review_dismissals: false,
    },
    project.rest(members, entry),
  )
}

function addCommitNote(project: Project, { object, entry, at }: Element): void {
  const commit = object.commit_id
  if (object.system === true) {
    project.problem('source-left-out', 'what the host noted on commits', entry, at)
    return
  }
  if (typeof commit !== 'string' || !/^[0-9a-f]{40}$/.test(commit)) {
    project.problem('source-left-out', 'comments on no commit', entry, at)
    return
  }
  const members = project.members(object, entry, at)
  members.take('commit_id')
  const created_at = project.date(members, 'created_at', entry, null)
  const page = `${project.url}/commit/${commit}`
  const key = `${page} ${object.discussion_id} ${object.created_at} ${object.author_id}`
  const url = `${page}#commitcomment-${project.idOf(object, 'commit_comments', key)}`
  const user = project.person(members, 'author_id', created_at)
  const text = members.text('note')
  const shownBy = { thread: page, type: 'commit_comment', url, user, at: created_at }
  const body = project.text(text, entry, shownBy)
  if (body !== text) members.keep('note', text)
  const reactions = takeReactions(project, members, 'CommitComment', created_at)
  keepAttachment(members)
  const place = isObject(object.position) ? object.position : {}
  const updated_at = members.time('updated_at')
  project.add(
    'commit_comments',
    {
      type: 'commit_comment',
      url,
      repository: project.url,
      user,
      body: body ?? '',
      formatter: 'markdown',
      path: typeof place.new_path === 'string' ? place.new_path : null,
      position: null,
      commit_id: commit,
      reactions,
      created_at,
      ...(updated_at !== null && { updated_at }),
    },
    project.rest(members, entry),
  )
}

/** The permission that a member has from a level on. */
const PERMISSIONS: readonly (readonly [level: number, permission: string])[] = [
  [40, 'admin'],
  [30, 'write'],
  [0, 'read'],
]

function addMember(project: Project, { object, entry, at }: Element): void {
  const { access_level: level, user } = object
  const id = isObject(user) ? user.id : object.user_id
  if (!isId(id)) {
    // Somebody who was invited and has no account.
    const kept = project.kept.invited ?? []
    project.kept.invited = [...(Array.isArray(kept) ? kept : []), withoutInvitation(object)]
    project.problem('source-left-out', 'members without an account, who are kept', entry, at)
    return
  }
  const members = withoutSecrets(project.members(object, entry, at), project.leavesOutSecret(entry))
  const permission = PERMISSIONS.find(([least]) => Number(level) >= least)?.[1] ?? 'read'
  const since = members.time('created_at')
  const kept = project.rest(members, entry, ['user', 'user_id', 'updated_at'])
  project.collaborators.push({
    user: project.personWithId(id, since),
    permission,
    ...(kept && { gitlab: kept }),
  })
}

const withoutInvitation = ({ invite_token: _, ...member }: JsonObject): JsonObject => member

function noteFeatures(project: Project, { object, entry, at }: Element): void {
  const members = project.members(object, entry, at)
  for (const [name, setting] of [
    ['issues_access_level', 'has_issues'],
    ['wiki_access_level', 'has_wiki'],
  ] as const) {
    const level = members.see(name)
    if (typeof level === 'number') project.settings[setting] = level > 0
  }
  const kept = project.rest(members, entry)
  if (kept) project.kept.project_feature = kept
}

/** Lists of what ran in a pipeline, whose logs have gigabytes. */
const JOBS = new Set(['statuses', 'builds', 'bridges', 'generic_commit_statuses'])

function addOther(project: Project, { relation, object, entry, at }: Element): void {
  const name = asWord(relation)
  const members = withoutSecrets(project.members(object, entry, at), project.leavesOutSecret(entry))
  const stages = members.take('stages')
  const kept: JsonObject = {}
  if (Array.isArray(stages)) {
    kept.stages = stages.map((stage) => (isObject(stage) ? withoutJobs(stage) : stage))
    project.problem('source-left-out', 'jobs of pipelines', entry, at)
  } else if (stages !== null) kept.stages = stages
  const { id, iid, name: title, tag } = object
  const key = [id, iid, title, tag].find((value) => isId(value) || typeof value === 'string')
  const url = `${project.url}#gitlab-${name}-${encodeName(String(key ?? at)).replaceAll('%20', '-')}`
  // Kept whole: with its name, but without tokens.
  const all = members.unused((member, value) => member === 'project_id' || isEmpty(value)) ?? {}
  project.add(`gitlab_${name}`, {
    type: `gitlab_${name}`,
    url,
    repository: project.url,
    gitlab: { ...all, ...kept },
  })
}

const isEmpty = (value: JsonValue) => Array.isArray(value) && value.length === 0

const withoutJobs = (stage: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(stage).map(([name, value]) =>
      JOBS.has(name) && Array.isArray(value) ? [name, value.length] : [name, value],
    ),
  )
