/** Rules that protect branches. */

import type { Repository } from '../library.ts'
import { Memo } from '../remembered.ts'
import type { Row } from '../store.ts'
import { asInteger, asList, asObject, asText, asTextOrNull, urlsOf } from '../values.ts'

/** The rules for a branch, or for all branches whose names fit a pattern. */
export interface Protection {
  /** The branch or the pattern. */
  readonly name: string
  readonly isForAdmins: boolean
  readonly needsLinearHistory: boolean
  readonly needsSignatures: boolean
  /** Whether nobody, or only administrators, may force a push. */
  readonly blocksForcePushes: boolean
  /** Whether anybody may: an archive need not say either. */
  readonly allowsForcePushes: boolean
  readonly allowsDeletions: boolean
  /** Undefined if no review is needed. */
  readonly reviews: ReviewRules | undefined
  /** Names of checks that must pass; undefined if none must. */
  readonly checks: readonly string[] | undefined
  readonly areChecksStrict: boolean
  /** Who alone may push; undefined for all who may write. */
  readonly pushers: Actors | undefined
}

export interface ReviewRules {
  /** Approvals that are needed. */
  readonly approvals: number
  readonly isStaleDismissed: boolean
  readonly needsCodeOwners: boolean
  /** Who alone may dismiss a review; undefined for all who may write. */
  readonly dismissers: Actors | undefined
}

/** People and teams, by URL. */
export interface Actors {
  readonly users: readonly string[]
  readonly teams: readonly string[]
}

const COLUMNS = `name, admin_enforced, requires_linear_history, requires_commit_signatures,
  block_force_pushes_enforcement_level, allows_force_pushes, block_deletions_enforcement_level, allows_deletions,
  requires_approving_reviews, pull_request_reviews_enforcement_level, required_approving_review_count,
  dismiss_stale_reviews_on_push, require_code_owner_review, restricts_review_dismissals,
  dismissal_restricted_user_urls, dismissal_restricted_team_urls,
  requires_status_checks, required_status_checks_enforcement_level, required_status_checks,
  strict_required_status_checks_policy, authorized_actors_only, authorized_user_urls, authorized_team_urls`

/** The names of the rules of a repository, of which the last counts, and their rowids. */
const placesOf = ({ store, url }: Repository): ReadonlyMap<string, number> =>
  store.remember(PLACES, url, () => {
    const sql = `SELECT name, rowid FROM protected_branches WHERE repository_url = ?
      AND typeof(name) = 'text' AND abs(rowid) < ${Number.MAX_SAFE_INTEGER} ORDER BY rowid`
    return new Map(store.rows(sql, url) as [string, number][])
  })

const PLACES = new Memo<ReadonlyMap<string, number>>(({ size }) => 200 * size)

/** Whether rules for a branch, by its name, are there. */
export const isProtected = (repository: Repository, branch: string): boolean =>
  placesOf(repository).has(branch)

/** The rules for a branch by its name, or for a pattern. */
export function readProtection(repository: Repository, name: string): Protection | undefined {
  const place = placesOf(repository).get(name)
  if (place === undefined) return undefined
  const row = repository.store.record('protected_branches', COLUMNS, place)
  return row && toProtection(row)
}

/** Rules that are listed. */
const MOST = 200

/** The rules of a repository, by name. */
export const listProtections = (repository: Repository): Protection[] =>
  [...placesOf(repository).keys()]
    .sort()
    .slice(0, MOST)
    .flatMap((name) => readProtection(repository, name) ?? [])

function toProtection(row: Row): Protection {
  const [name, admins, linear, signed, forceLevel, mayForce, deletionLevel, mayDelete] = row
  const [reviewing, reviewLevel, approvals, stale, owners, dismissal] = row.slice(8)
  const [dismissUsers, dismissTeams, checking, checkLevel, checks, strict] = row.slice(14)
  const [restricted, users, teams] = row.slice(20)
  const needsReviews = reviewing === 1 || isLevel(reviewLevel)
  return {
    name: asText(name),
    isForAdmins: admins === 1,
    needsLinearHistory: linear === 1,
    needsSignatures: signed === 1,
    blocksForcePushes: isLevel(forceLevel),
    allowsForcePushes: mayForce === 1 || forceLevel === 0,
    allowsDeletions: mayDelete === 1 || deletionLevel === 0,
    reviews: needsReviews
      ? {
          approvals: asInteger(approvals) || 1,
          isStaleDismissed: stale === 1,
          needsCodeOwners: owners === 1,
          dismissers:
            dismissal === 1
              ? { users: urlsOf(dismissUsers), teams: urlsOf(dismissTeams) }
              : undefined,
        }
      : undefined,
    checks: checking === 1 || isLevel(checkLevel) ? checkNames(checks) : undefined,
    areChecksStrict: strict === 1,
    pushers: restricted === 1 ? { users: urlsOf(users), teams: urlsOf(teams) } : undefined,
  }
}

const checkNames = (column: unknown): string[] =>
  asList(column).flatMap((check) => {
    const name = asTextOrNull(check) ?? asText(asObject(check).context)
    return name === '' ? [] : [name]
  })

/** Whether a level of enforcement, written as a number or a word, is on for anyone. */
const isLevel = (level: unknown): boolean =>
  typeof level === 'number'
    ? level > 0
    : ['non_admins', 'everyone', '1', '2'].includes(asText(level))
