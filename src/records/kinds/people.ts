import { lastPart } from './derivation.ts'
import { textFrom } from './derived.ts'
import {
  defineKind,
  flag,
  integer,
  json,
  listOfObjects,
  object,
  optional,
  refersTo,
  text,
  time,
} from './kind.ts'
import { actor } from './references.ts'

/** The members that people and bots share, after the URL. */
const account = {
  avatar_url: text('Address of the picture, outside the archive.'),
  login: text('Login; upper and lower case count as the same.'),
  name: text('Name shown beside the login; null if none is set.'),
  bio: text('Their description of themselves; null if there is none.'),
  company: text('Where they work; null if not set.'),
  website: text('Their web site; null if not set.'),
  location: text('Where they live, in their own words; null if not set.'),
  emails: listOfObjects(
    {
      address: text('The address; often a noreply address of the host.'),
      primary: flag('Is it the main address?'),
      verified: optional(flag('Did the owner confirm it? Absent from other tools.')),
    },
    'Addresses: all of them for the account that made the export, else one.',
  ),
  social_accounts: optional(
    listOfObjects(
      {
        provider: text('Which service: generic, twitter, mastodon, linkedin and others.'),
        url: text('Address of the profile there.'),
      },
      'Profiles on other services; absent before 2023.',
    ),
  ),
  billing_plan: object(
    {
      name: text('Name of the plan, such as free.'),
      space: integer('Storage that the plan allows.'),
      private_repos: integer('Private repositories that the plan allows.'),
    },
    'The plan of the account that made the export; null for everybody else.',
  ),
  created_at: time('When the account was made.'),
}

export const users = defineKind({
  type: 'user',
  summary: 'People. Deleted accounts have no record: what they wrote has a null user.',
  columns: { url: text('Identity: https://H/login.'), ...account },
  derived: {},
})

export const bots = defineKind({
  type: 'user',
  summary: 'Accounts of apps. Their records say user; only the name of the file tells them apart.',
  columns: {
    url: text('Identity: https://H/name[bot], or for some apps https://H/Name.'),
    ...account,
  },
  derived: {},
})

const privileges = {
  default_repository_permission: text(
    'The permission of members in every repository, such as none or read.',
  ),
  members_can_create_public_repositories: flag('May members make public repositories?'),
  members_can_create_private_repositories: flag('May members make private repositories?'),
  members_can_create_internal_repositories: flag('May members make internal repositories?'),
  members_can_invite_outside_collaborators: flag('May members let outsiders in?'),
  allows_private_repository_forking: flag('May private repositories be forked?'),
  members_can_create_pages: flag('May members publish sites?'),
  members_can_change_repo_visibility: flag('May members make repositories public or private?'),
  members_can_delete_repositories: flag('May members delete or transfer repositories?'),
  members_can_delete_issues: flag('May members delete issues?'),
  display_commenter_full_name_setting_enabled: flag('Do comments show full names?'),
  readers_can_create_discussions: flag('May everyone who can read start discussions?'),
  members_can_create_teams: flag('May members make teams?'),
  members_can_view_dependency_insights: flag('May members see what the repositories depend on?'),
}

export const organizations = defineKind({
  type: 'organization',
  summary: 'Organizations, with their members. They share one space of logins with users.',
  columns: {
    url: text('Identity: https://H/login.'),
    login: text('Login; upper and lower case count as the same.'),
    name: text('Name shown beside the login; may be null or empty.'),
    description: text('Its description; may be null or empty.'),
    website: text('Its web site; may be null or empty.'),
    location: text('Where it is, in its own words; may be null or empty.'),
    email: text('Address for contact and billing.'),
    members: listOfObjects(
      {
        user: actor('The member; may lead nowhere.'),
        role: text('admin or direct_member.'),
        state: text('active.'),
      },
      'Who belongs to it.',
    ),
    owners_team: refersTo('teams', 'Team of owners, from times past; null.'),
    webhooks: json('Webhooks, an array; empty in all archives known.'),
    created_at: time('When it was made.'),
    member_privileges: optional(object(privileges, 'Privileges of members; absent before 2022.')),
    repository_defaults: optional(
      object(
        {
          repository_default_branch: text('Name of the first branch, such as main.'),
          commit_signoff: flag('Must commits made on the site be signed off?'),
          repository_labels: listOfObjects(
            {
              name: text('Name of the label.'),
              description: text('Purpose of the label.'),
              color: text('Six hexadecimal digits without #.'),
            },
            'Labels that a new repository starts with.',
          ),
        },
        'Settings of a new repository; absent before the end of 2022.',
      ),
    ),
  },
  derived: {},
})

export const teams = defineKind({
  type: 'team',
  summary: 'Teams of organizations: who is in them, and what they may do in which repository.',
  columns: {
    url: text('Identity: https://H/orgs/o/teams/slug.'),
    organization: refersTo('organizations', 'The organization it belongs to.'),
    parent_team: refersTo('teams', 'The team it is part of; null for none.'),
    name: text('Its name.'),
    description: text('Its purpose; may be empty.'),
    privacy: text('closed: every member of the organization sees it; secret: only its own.'),
    permissions: listOfObjects(
      {
        repository: refersTo('repositories', 'The repository; most often not in the archive.'),
        access: text('pull, push or admin.'),
        role: optional(text('read, write, maintain or admin, finer than access; since 2022.')),
      },
      'Its permission in each repository of the team, exported or not.',
    ),
    members: listOfObjects(
      { user: actor('The member.'), role: text('member or maintainer.') },
      'Who is in it.',
    ),
    created_at: time('When it was made.'),
  },
  derived: {
    slug: textFrom(lastPart('url'), 'Its name as urls have it.'),
  },
})
