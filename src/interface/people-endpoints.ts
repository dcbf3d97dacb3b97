import { get, type Rest } from './endpoint.ts'

const PERSON: Rest = { who: 'all', chapter: 'users/' }
const FOLLOWER: Rest = { who: 'all', chapter: 'users/followers/', list: 'list' }
const STARRED: Rest = { who: 'all', chapter: 'activity/starring/', list: 'list' }
const WATCHED: Rest = { who: 'all', chapter: 'activity/watching/', list: 'list' }
const GIST: Rest = { who: 'all', chapter: 'gists/', list: 'list' }
const ORGANIZATION: Rest = { who: 'all', chapter: 'orgs/' }
const MEMBER: Rest = { who: 'all', chapter: 'orgs/members/', hasPrivate: true }
const HOOK: Rest = { who: 'user', chapter: 'orgs/hooks/', hasPrivate: true }

/** Endpoints of people and organizations. Archives do not tell who follows, stars or watches: such lists are empty. */
export const PEOPLE_ENDPOINTS = [
  // The caller
  get('/user', 'currentUser', 'the caller', {
    ...PERSON,
    who: 'user',
    hasPrivate: true,
    index: 'current_user_url',
  }),
  get('/user/orgs', 'userOrganizations', "the caller's organizations", {
    ...ORGANIZATION,
    who: 'user',
    list: 'list',
    index: 'user_organizations_url',
  }),
  get('/user/followers', 'followersOfCaller', 'nobody: archives do not tell', {
    ...FOLLOWER,
    who: 'user',
    index: 'followers_url',
  }),
  get('/user/following', 'followedByCaller', 'nobody: archives do not tell', {
    ...FOLLOWER,
    who: 'user',
    index: 'following_url',
  }),
  get('/user/starred', 'starredByCaller', 'nothing: archives do not tell', {
    ...STARRED,
    who: 'user',
    index: 'starred_url',
  }),
  get('/user/subscriptions', 'watchedByCaller', 'nothing: archives do not tell', {
    ...WATCHED,
    who: 'user',
  }),
  get('/gists', 'gistsOfCaller', 'nothing: archives have no gists', {
    ...GIST,
    who: 'user',
    index: 'gists_url',
  }),
  get('/gists/starred', 'gistsStarredByCaller', 'nothing: archives have no gists', {
    ...GIST,
    who: 'user',
    index: 'starred_gists_url',
  }),
  get('/notifications', 'notifications', 'nothing: archives have none', {
    who: 'user',
    chapter: 'activity/notifications/',
    list: 'list',
    index: 'notifications_url',
  }),
  // People
  get('/users/:username', 'user', 'one person', { ...PERSON, index: 'user_url' }),
  get('/users/:username/orgs', 'organizationsOfUser', 'organizations shared with the caller', {
    ...ORGANIZATION,
    list: 'list',
    hasPrivate: true,
  }),
  get('/users/:username/followers', 'followers', 'nobody: archives do not tell', FOLLOWER),
  get('/users/:username/following', 'following', 'nobody: archives do not tell', FOLLOWER),
  get('/users/:username/starred', 'starred', 'nothing: archives do not tell', STARRED),
  get('/users/:username/subscriptions', 'watched', 'nothing: archives do not tell', WATCHED),
  get('/users/:username/gists', 'gists', 'nothing: archives have no gists', GIST),
  // Organizations
  get('/orgs/:org', 'organization', 'one organization', {
    ...ORGANIZATION,
    index: 'organization_url',
  }),
  get('/orgs/:org/members', 'members', 'members, for members', { ...MEMBER, list: 'list' }),
  get('/orgs/:org/members/:username', 'isMember', '204 for a member, for members', MEMBER),
  get('/orgs/:org/public_members', 'publicMembers', 'nobody: archives do not tell', {
    ...MEMBER,
    list: 'list',
  }),
  get('/orgs/:org/issues', 'organizationIssues', "the caller's issues in an organization", {
    who: 'user',
    chapter: 'issues/',
    hasPrivate: true,
    previews: ['sailor-v'],
    list: 'list',
  }),
  get('/orgs/:org/hooks', 'organizationHooks', 'webhooks, for administrators', {
    ...HOOK,
    list: 'list',
  }),
  get('/orgs/:org/hooks/:hook_id', 'organizationHook', 'one webhook', HOOK),
  get('/teams/:team_id', 'team', 'one team, for members of its organization', {
    who: 'user',
    chapter: 'teams/',
    hasPrivate: true,
  }),
] as const
