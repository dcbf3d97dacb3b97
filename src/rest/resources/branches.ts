import { lastPart } from '../../base/text.ts'
import type { GitData } from '../../reading/git/open-git.ts'
import type { ObjectRef } from '../../reading/git/refs.ts'
import { findCommit } from '../../reading/git/revisions.ts'
import { Memo } from '../../reading/remembered.ts'
import type { IndexedRepository } from '../../reading/repositories.ts'
import { asInteger, asList, asObject, asText } from '../../reading/values.ts'
import type { JsonObject, JsonValue } from '../../records/json/json.ts'
import { toCommit } from './commits.ts'
import { pathInUrl } from './git-objects.ts'
import { userOf } from './people.ts'
import type { Rendering } from './rendering.ts'
import { repositoryUrl } from './repositories.ts'
import { isTeam, toTeam } from './teams.ts'

const HEADS = 'refs/heads/'

/** The name of a branch or tag: its ref without the folder. */
export const shortName = (name: string): string => name.replace(/^refs\/(?:heads|tags)\//, '')

/** The rows of the rules that protect a branch by its name, without rules for patterns. */
const protectionsOf = ({ reader }: Rendering, { id, database, url }: IndexedRepository) =>
  reader.library.remember(PROTECTIONS, String(id), () => {
    const sql = `SELECT name, rowid FROM protected_branches AS p WHERE repository_url = ?
        AND typeof(name) = 'text' AND abs(rowid) < ${Number.MAX_SAFE_INTEGER}`
    return new Map(reader.library.store(database).rows(sql, url) as [string, number][])
  })

const PROTECTIONS = new Memo<ReadonlyMap<string, number>>(({ size }) => 200 * size)

export const isProtected = (rendering: Rendering, repository: IndexedRepository, branch: string) =>
  protectionsOf(rendering, repository).has(branch)

const branchUrl = (rendering: Rendering, repository: IndexedRepository, branch: string) =>
  `${repositoryUrl(rendering, repository)}/branches/${pathInUrl(branch)}`

/** A branch in a list. */
export function toBranch(
  rendering: Rendering,
  repository: IndexedRepository,
  { name: full, oid }: ObjectRef,
): JsonObject {
  const name = shortName(full)
  return {
    name,
    commit: { sha: oid, url: `${repositoryUrl(rendering, repository)}/commits/${oid}` },
    protected: isProtected(rendering, repository, name),
  }
}

/** A branch with its commit; undefined if the commit is not there. */
export function toWholeBranch(
  rendering: Rendering,
  repository: IndexedRepository,
  git: GitData,
  ref: ObjectRef,
): JsonObject | undefined {
  const commit = findCommit(git, ref.oid)
  if (!commit) return undefined
  const { name, protected: isGuarded } = toBranch(rendering, repository, ref)
  const url = branchUrl(rendering, repository, ref.name.slice(HEADS.length))
  return {
    name: name as JsonValue,
    commit: toCommit(rendering, repository, commit),
    _links: { self: url, html: `${repository.url}/tree/${pathInUrl(String(name))}` },
    protected: isGuarded ?? false,
    protection: { enabled: isGuarded ?? false },
    protection_url: `${url}/protection`,
  }
}

/** A tag in a list. An annotated tag is listed with its commit. */
export function toTag(
  rendering: Rendering,
  repository: IndexedRepository,
  { name: full, oid, peeled }: ObjectRef,
): JsonObject {
  const api = repositoryUrl(rendering, repository)
  const sha = peeled ?? oid
  const path = pathInUrl(full)
  return {
    name: shortName(full),
    zipball_url: `${api}/zipball/${path}`,
    tarball_url: `${api}/tarball/${path}`,
    commit: { sha, url: `${api}/commits/${sha}` },
  }
}

const COLUMNS = `admin_enforced, dismiss_stale_reviews_on_push, require_code_owner_review,
  strict_required_status_checks_policy, authorized_actors_only, authorized_user_urls,
  authorized_team_urls, dismissal_restricted_user_urls, dismissal_restricted_team_urls,
  required_status_checks, required_approving_review_count, requires_linear_history,
  pull_request_reviews_enforcement_level, required_status_checks_enforcement_level,
  block_force_pushes_enforcement_level, block_deletions_enforcement_level, allows_force_pushes,
  allows_deletions, requires_approving_reviews, requires_status_checks,
  restricts_review_dismissals, requires_commit_signatures`

/** The rules that protect a branch; undefined if it has none. */
export function toProtection(
  rendering: Rendering,
  repository: IndexedRepository,
  branch: string,
): JsonObject | undefined {
  const row = protectionsOf(rendering, repository).get(branch)
  const { library } = rendering.reader
  const record =
    row === undefined
      ? undefined
      : library.store(repository.database).record('protected_branches', COLUMNS, row)
  if (!record) return undefined
  const [admins, dismissStale, owners, strict, restricted, users, teams] = record
  const [dismissUsers, dismissTeams, checks, approvals, linear, reviews, statuses] = record.slice(7)
  const [pushes, deletions, mayForce, mayDelete, approving, needsChecks, dismissal, signed] =
    record.slice(14)
  const url = `${branchUrl(rendering, repository, branch)}/protection`
  const actors = (people: unknown, groups: unknown) => ({
    users: texts(people).map((person) => userOf(rendering, person, repository.host)),
    teams: texts(groups)
      .filter(isTeam)
      .map((team) => toTeam(rendering, repository.database, team)),
    apps: [],
  })
  const contexts = asList(checks).flatMap((check) => {
    const name = typeof check === 'string' ? check : asText(asObject(check).context)
    return name === '' ? [] : [name]
  })
  const isOn = (flag: unknown, level: unknown) => flag === 1 || isLevel(level)
  return {
    url,
    ...(isOn(needsChecks, statuses) && {
      required_status_checks: {
        url: `${url}/required_status_checks`,
        strict: strict === 1,
        contexts,
        contexts_url: `${url}/required_status_checks/contexts`,
        checks: contexts.map((context) => ({ context, app_id: null })),
      },
    }),
    ...(isOn(approving, reviews) && {
      required_pull_request_reviews: {
        url: `${url}/required_pull_request_reviews`,
        dismiss_stale_reviews: dismissStale === 1,
        require_code_owner_reviews: owners === 1,
        required_approving_review_count: asInteger(approvals) || 1,
        ...(dismissal === 1 && { dismissal_restrictions: actors(dismissUsers, dismissTeams) }),
      },
    }),
    required_signatures: { url: `${url}/required_signatures`, enabled: signed === 1 },
    enforce_admins: { url: `${url}/enforce_admins`, enabled: admins === 1 },
    ...(restricted === 1 && {
      restrictions: { url: `${url}/restrictions`, ...actors(users, teams) },
    }),
    required_linear_history: { enabled: linear === 1 },
    allow_force_pushes: { enabled: mayForce === 1 || pushes === 0 },
    allow_deletions: { enabled: mayDelete === 1 || deletions === 0 },
    required_conversation_resolution: { enabled: false },
  } as JsonObject
}

/** Whether a level of enforcement, written as a number or a word, is on for anyone. */
const isLevel = (level: unknown): boolean =>
  typeof level === 'number'
    ? level > 0
    : ['non_admins', 'everyone', '1', '2'].includes(asText(level))

const texts = (column: unknown): string[] =>
  asList(column).filter((each): each is string => typeof each === 'string' && lastPart(each) !== '')
