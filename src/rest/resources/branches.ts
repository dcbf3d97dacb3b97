import { lastPart } from '../../base/text.ts'
import type { GitData } from '../../git/open-git.ts'
import { type Actors, isProtected, readProtection } from '../../reading/git/protections.ts'
import type { ObjectRef } from '../../reading/git/refs.ts'
import { findCommit } from '../../reading/git/revisions.ts'
import { isTeam } from '../../reading/people/teams.ts'
import type { IndexedRepository } from '../../reading/repositories.ts'
import type { JsonObject, JsonValue } from '../../records/json/json.ts'
import { toCommit } from './commits.ts'
import { pathInUrl } from './git-objects.ts'
import { userOf } from './people.ts'
import type { Rendering } from './rendering.ts'
import { repositoryUrl } from './repositories.ts'
import { toTeam } from './teams.ts'

const HEADS = 'refs/heads/'

/** The name of a branch or tag: its ref without the folder. */
export const shortName = (name: string): string => name.replace(/^refs\/(?:heads|tags)\//, '')

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
    protected: isProtected(repository, name),
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

/** The rules that protect a branch; undefined if it has none. */
export function toProtection(
  rendering: Rendering,
  repository: IndexedRepository,
  branch: string,
): JsonObject | undefined {
  const rules = readProtection(repository, branch)
  if (!rules) return undefined
  const { reviews, checks, pushers } = rules
  const url = `${branchUrl(rendering, repository, branch)}/protection`
  const actors = ({ users, teams }: Actors) => ({
    users: users
      .filter((person) => lastPart(person) !== '')
      .map((person) => userOf(rendering, person, repository.host)),
    teams: teams.filter(isTeam).map((team) => toTeam(rendering, repository.store, team)),
    apps: [],
  })
  return {
    url,
    ...(checks && {
      required_status_checks: {
        url: `${url}/required_status_checks`,
        strict: rules.areChecksStrict,
        contexts: checks,
        contexts_url: `${url}/required_status_checks/contexts`,
        checks: checks.map((context) => ({ context, app_id: null })),
      },
    }),
    ...(reviews && {
      required_pull_request_reviews: {
        url: `${url}/required_pull_request_reviews`,
        dismiss_stale_reviews: reviews.isStaleDismissed,
        require_code_owner_reviews: reviews.needsCodeOwners,
        required_approving_review_count: reviews.approvals,
        ...(reviews.dismissers && { dismissal_restrictions: actors(reviews.dismissers) }),
      },
    }),
    required_signatures: { url: `${url}/required_signatures`, enabled: rules.needsSignatures },
    enforce_admins: { url: `${url}/enforce_admins`, enabled: rules.isForAdmins },
    ...(pushers && { restrictions: { url: `${url}/restrictions`, ...actors(pushers) } }),
    required_linear_history: { enabled: rules.needsLinearHistory },
    allow_force_pushes: { enabled: rules.allowsForcePushes },
    allow_deletions: { enabled: rules.allowsDeletions },
    required_conversation_resolution: { enabled: false },
  } as unknown as JsonObject
}
