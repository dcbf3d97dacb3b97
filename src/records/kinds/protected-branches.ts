import { wordFor } from './derivation.ts'
import { fullNameOf, textFrom } from './derived.ts'
import { defineKind, flag, integer, listOf, refersTo, text } from './kind.ts'
import { actor } from './references.ts'

const user = actor('A person.')
const team = refersTo('teams', 'A team.')

const levels = { 0: 'off', 1: 'non_admins', 2: 'everyone' }

export const protected_branches = defineKind({
  type: 'protected_branch',
  summary: 'Rules that protect branches, a record for each name or pattern of names.',
  columns: {
    name: text('The branch, or a pattern of branches.'),
    url: text('Identity: https://H/o/r/settings/branches/name.'),
    creator_url: actor('Who made the rule.'),
    repository_url: refersTo('repositories', 'The repository it belongs to.'),
    admin_enforced: flag('Does the rule bind administrators too?'),
    block_deletions_enforcement_level: integer(
      'For whom deleting is blocked: 0 nobody, 1 all but administrators, 2 everyone.',
    ),
    block_force_pushes_enforcement_level: integer(
      'For whom force pushes are blocked: 0 nobody, 1 all but administrators, 2 everyone.',
    ),
    dismiss_stale_reviews_on_push: flag('Does a push take approvals back?'),
    pull_request_reviews_enforcement_level: text(
      'Who needs a review to merge: off, non_admins or everyone.',
    ),
    require_code_owner_review: flag('Must the owners of the code approve?'),
    required_status_checks_enforcement_level: text(
      'Who needs passing checks to merge: off, non_admins or everyone.',
    ),
    strict_required_status_checks_policy: flag('Must the head be up to date with the branch?'),
    authorized_actors_only: flag('May only those listed push?'),
    authorized_user_urls: listOf('user', user, 'People who may push.'),
    authorized_team_urls: listOf('team', team, 'Teams that may push.'),
    dismissal_restricted_user_urls: listOf('user', user, 'People who may dismiss reviews.'),
    dismissal_restricted_team_urls: listOf('team', team, 'Teams that may dismiss reviews.'),
    required_status_checks: listOf(
      'status_check',
      text('Name of a check.'),
      'Checks that must pass before a merge.',
    ),
    requires_approving_reviews: flag('Must somebody approve before a merge?'),
    required_approving_review_count: integer('How many must approve.'),
    requires_commit_signatures: flag('Must commits be signed?'),
    requires_linear_history: flag('Are merge commits refused?'),
    allows_force_pushes: flag('May those who can push force it?'),
    allows_deletions: flag('May those who can push delete the branch?'),
    requires_status_checks: flag('Must checks pass before a merge?'),
    restricts_review_dismissals: flag('May only those listed dismiss reviews?'),
  },
  derived: {
    full_name: fullNameOf('repository_url'),
    block_deletions: textFrom(
      wordFor('block_deletions_enforcement_level', levels),
      'For whom deleting is blocked: off, non_admins or everyone.',
    ),
    block_force_pushes: textFrom(
      wordFor('block_force_pushes_enforcement_level', levels),
      'For whom force pushes are blocked: off, non_admins or everyone.',
    ),
  },
})
