import type { Endpoint } from './endpoint.ts'

type Rest = Omit<Endpoint, 'method' | 'path' | 'handler' | 'summary'>

const define =
  (method: Endpoint['method']) =>
  <const Name extends string>(path: string, handler: Name, summary: string, rest: Rest) => ({
    method,
    path,
    handler,
    summary,
    ...rest,
  })
const get = define('GET')
const post = define('POST')
const remove = define('DELETE')

const FEED: Rest = { who: 'all', chapter: 'activity/events/', list: 'feed' }
const ISSUE_EVENT: Rest = {
  who: 'all',
  chapter: 'issues/events/',
  hasPrivate: true,
  previews: ['starfox', 'sailor-v'],
}
const ISSUE: Rest = { who: 'all', chapter: 'issues/', hasPrivate: true, previews: ['sailor-v'] }
const COMMENT: Rest = { ...ISSUE, chapter: 'issues/comments/' }
const REACTION: Rest = { ...ISSUE, chapter: 'reactions/', list: 'list' }
const LABEL: Rest = { ...ISSUE, chapter: 'issues/labels/' }
const MILESTONE: Rest = { ...ISSUE, chapter: 'issues/milestones/' }
const REPOSITORY: Rest = { who: 'all', chapter: 'repos/', hasPrivate: true }
const MIGRATION: Rest = { who: 'user', chapter: '', hasPrivate: true, previews: ['wyandotte'] }
const USER_MIGRATION: Rest = { ...MIGRATION, chapter: 'migrations/users/' }
const ORG_MIGRATION: Rest = { ...MIGRATION, chapter: 'migrations/orgs/' }
const AUTHORIZATION: Rest = { who: 'password', chapter: 'oauth_authorizations/' }
const SIGNED: Rest = { who: 'signature', chapter: '' }
const OPEN: Rest = { who: 'all', chapter: '' }

/**
 * Every endpoint. Routing, `Allow`, the index at `/`, help and tests follow from this table. Where two paths fit a
 * request, the first one answers: literal segments come before parameters.
 */
export const ENDPOINTS = [
  // Activity
  get('/events', 'publicEvents', 'public events, five minutes late', {
    ...FEED,
    index: 'events_url',
  }),
  get('/repos/:owner/:repo/events', 'repositoryEvents', 'events of a repository', {
    ...FEED,
    hasPrivate: true,
    index: 'repository_events_url',
  }),
  get('/networks/:owner/:repo/events', 'networkEvents', 'public events of a repository', FEED),
  get('/orgs/:org/events', 'organizationEvents', 'public events of an organization', FEED),
  get('/users/:username/received_events', 'receivedEvents', 'events that a user received', {
    ...FEED,
    hasPrivate: true,
  }),
  get(
    '/users/:username/received_events/public',
    'publicReceivedEvents',
    'public events that a user received',
    FEED,
  ),
  get('/users/:username/events', 'userEvents', 'events by a user', {
    ...FEED,
    hasPrivate: true,
    index: 'user_events_url',
  }),
  get('/users/:username/events/public', 'publicUserEvents', 'public events by a user', FEED),
  get('/users/:username/events/orgs/:org', 'dashboardEvents', 'events for a member', {
    ...FEED,
    who: 'user',
    hasPrivate: true,
  }),
  // Issue events
  get('/repos/:owner/:repo/issues/events', 'repositoryIssueEvents', 'issue events, newest first', {
    ...ISSUE_EVENT,
    list: 'list',
    index: 'issue_events_url',
  }),
  get('/repos/:owner/:repo/issues/events/:event_id', 'issueEvent', 'one issue event', {
    ...ISSUE_EVENT,
    previews: ['starfox', 'sailor-v', 'machine-man'],
  }),
  get(
    '/repos/:owner/:repo/issues/:issue_number/events',
    'threadIssueEvents',
    'events of an issue or pull request, oldest first',
    { ...ISSUE_EVENT, list: 'list' },
  ),
  // Comments and reactions
  get('/repos/:owner/:repo/issues/comments', 'repositoryComments', 'comments on issues', {
    ...COMMENT,
    list: 'list',
  }),
  get('/repos/:owner/:repo/issues/comments/:comment_id', 'issueComment', 'one comment', COMMENT),
  get(
    '/repos/:owner/:repo/issues/comments/:comment_id/reactions',
    'issueCommentReactions',
    'reactions to a comment',
    REACTION,
  ),
  get(
    '/repos/:owner/:repo/issues/:issue_number/comments',
    'threadComments',
    'comments on an issue or pull request, oldest first',
    { ...COMMENT, list: 'list' },
  ),
  get(
    '/repos/:owner/:repo/issues/:issue_number/reactions',
    'issueReactions',
    'reactions to an issue or pull request',
    REACTION,
  ),
  get(
    '/repos/:owner/:repo/pulls/comments/:comment_id/reactions',
    'reviewCommentReactions',
    'reactions to a review comment',
    REACTION,
  ),
  // Migrations
  post('/user/migrations', 'startUserMigration', 'start a migration', USER_MIGRATION),
  get('/user/migrations', 'listUserMigrations', 'migrations, newest first', {
    ...USER_MIGRATION,
    list: 'list',
    index: 'user_migrations_url',
  }),
  get('/user/migrations/:migration_id', 'getUserMigration', 'its state', USER_MIGRATION),
  get(
    '/user/migrations/:migration_id/archive',
    'getUserArchive',
    'redirect to its archive',
    USER_MIGRATION,
  ),
  remove(
    '/user/migrations/:migration_id/archive',
    'deleteUserArchive',
    'delete its archive',
    USER_MIGRATION,
  ),
  remove(
    '/user/migrations/:migration_id/repos/:repo_name/lock',
    'unlockUserRepository',
    'unlock a repository',
    USER_MIGRATION,
  ),
  get(
    '/user/migrations/:migration_id/repositories',
    'listUserMigrationRepositories',
    'its repositories',
    { ...USER_MIGRATION, list: 'list' },
  ),
  post('/orgs/:org/migrations', 'startOrgMigration', 'start a migration', ORG_MIGRATION),
  get('/orgs/:org/migrations', 'listOrgMigrations', 'migrations, newest first', {
    ...ORG_MIGRATION,
    list: 'list',
    index: 'organization_migrations_url',
  }),
  get('/orgs/:org/migrations/:migration_id', 'getOrgMigration', 'its state', ORG_MIGRATION),
  get(
    '/orgs/:org/migrations/:migration_id/archive',
    'getOrgArchive',
    'redirect to its archive',
    ORG_MIGRATION,
  ),
  remove(
    '/orgs/:org/migrations/:migration_id/archive',
    'deleteOrgArchive',
    'delete its archive',
    ORG_MIGRATION,
  ),
  remove(
    '/orgs/:org/migrations/:migration_id/repos/:repo_name/lock',
    'unlockOrgRepository',
    'unlock a repository',
    ORG_MIGRATION,
  ),
  get(
    '/orgs/:org/migrations/:migration_id/repositories',
    'listOrgMigrationRepositories',
    'its repositories',
    { ...ORG_MIGRATION, list: 'list' },
  ),
  // Tokens
  post('/authorizations', 'createAuthorization', 'create a token', AUTHORIZATION),
  get('/authorizations', 'listAuthorizations', 'tokens of the caller', {
    ...AUTHORIZATION,
    list: 'list',
    index: 'authorizations_url',
  }),
  get('/authorizations/:authorization_id', 'getAuthorization', 'one token', AUTHORIZATION),
  remove('/authorizations/:authorization_id', 'deleteAuthorization', 'revoke it', AUTHORIZATION),
  // Issues, repositories, the caller
  get('/user', 'currentUser', 'the caller', {
    who: 'user',
    chapter: 'users/',
    hasPrivate: true,
    index: 'current_user_url',
  }),
  get('/user/issues', 'userIssues', "issues and pull requests in the caller's repositories", {
    ...ISSUE,
    who: 'user',
    list: 'list',
    index: 'issues_url',
  }),
  get('/user/repos', 'userRepositories', "the caller's repositories", {
    ...REPOSITORY,
    who: 'user',
    list: 'list',
    index: 'current_user_repositories_url',
  }),
  get('/repos/:owner/:repo', 'repository', 'one repository', {
    ...REPOSITORY,
    index: 'repository_url',
  }),
  get('/repos/:owner/:repo/issues', 'repositoryIssues', 'issues and pull requests', {
    ...ISSUE,
    list: 'list',
    index: 'repository_issues_url',
  }),
  get('/repos/:owner/:repo/issues/:issue_number', 'issue', 'one issue or pull request', ISSUE),
  // What belongs to issues
  get('/repos/:owner/:repo/labels', 'repositoryLabels', 'labels', { ...LABEL, list: 'list' }),
  get('/repos/:owner/:repo/labels/:label_name', 'label', 'one label', LABEL),
  get('/repos/:owner/:repo/milestones', 'repositoryMilestones', 'milestones', {
    ...MILESTONE,
    list: 'list',
  }),
  get('/repos/:owner/:repo/milestones/:milestone_number', 'milestone', 'one milestone', MILESTONE),
  // People
  get('/users/:username', 'user', 'one person', {
    who: 'all',
    chapter: 'users/',
    index: 'user_url',
  }),
  get('/orgs/:org', 'organization', 'one organization', {
    who: 'all',
    chapter: 'orgs/',
    index: 'organization_url',
  }),
  // The service itself
  get('/rate_limit', 'rateLimit', 'how many requests are left', {
    who: 'all',
    chapter: 'rate_limit/',
    index: 'rate_limit_url',
  }),
  get('/', 'index', 'addresses of the interface', OPEN),
  get(
    '/admin/directory/v1/users/:user_key/tokens/:client_id',
    'directoryToken',
    'the tokens that a user issued to an application',
    { who: 'scope', chapter: '' },
  ),
  get('/_archives/:guid.tar.gz', 'download', 'an archive, by its signed address', SIGNED),
  get('/_avatars/:id.svg', 'avatar', 'a picture for an account without one', OPEN),
  get('/_ready', 'ready', '204, or 503 while the index is being made', OPEN),
  get('/orgs/:org/sso', 'showSingleSignOn', 'page that authorizes a token', SIGNED),
  post('/orgs/:org/sso', 'grantSingleSignOn', 'authorize a token', SIGNED),
] as const satisfies readonly Endpoint[]

export type HandlerName = (typeof ENDPOINTS)[number]['handler']
