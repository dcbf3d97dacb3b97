import { type Endpoint, get, patch, post, put, type Rest, remove } from './endpoint.ts'
import { PEOPLE_ENDPOINTS } from './people-endpoints.ts'
import { REPOSITORY, REPOSITORY_ENDPOINTS } from './repository-endpoints.ts'
import { ISSUE, THREAD_ENDPOINTS } from './thread-endpoints.ts'

const FEED: Rest = { who: 'all', chapter: 'activity/events/', list: 'feed' }
const HOOK: Rest = { ...REPOSITORY, chapter: 'repos/hooks/' }
const RELEASE: Rest = { ...REPOSITORY, chapter: 'repos/releases/' }
const MIGRATION: Rest = { who: 'user', chapter: '', hasPrivate: true, previews: ['wyandotte'] }
const USER_MIGRATION: Rest = { ...MIGRATION, chapter: 'migrations/users/' }
const ORG_MIGRATION: Rest = { ...MIGRATION, chapter: 'migrations/orgs/' }
const UPLOAD: Rest = { who: 'user', chapter: 'migrations/orgs/' }
const AUTHORIZATION: Rest = { who: 'password', chapter: 'oauth_authorizations/' }
const SIGNED: Rest = { who: 'signature', chapter: '' }
const OPEN: Rest = { who: 'all', chapter: '' }

const UPLOADS = '/organizations/:organization_id/gei/archive/blobs/uploads'

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
  ...THREAD_ENDPOINTS,
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
  // Archives to be imported
  post('/organizations/:organization_id/gei/archive', 'uploadArchive', 'upload an archive', {
    ...UPLOAD,
    takesBytes: true,
  }),
  post(UPLOADS, 'beginUpload', 'begin an upload in parts', UPLOAD),
  patch(UPLOADS, 'uploadPart', 'upload a part', { ...UPLOAD, takesBytes: true }),
  put(UPLOADS, 'finishUpload', 'finish it', { ...UPLOAD, takesBytes: true }),
  // Tokens
  post('/authorizations', 'createAuthorization', 'create a token', AUTHORIZATION),
  get('/authorizations', 'listAuthorizations', 'tokens of the caller', {
    ...AUTHORIZATION,
    list: 'list',
    index: 'authorizations_url',
  }),
  get('/authorizations/:authorization_id', 'getAuthorization', 'one token', AUTHORIZATION),
  remove('/authorizations/:authorization_id', 'deleteAuthorization', 'revoke it', AUTHORIZATION),
  // Issues, repositories, people
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
  ...REPOSITORY_ENDPOINTS,
  ...PEOPLE_ENDPOINTS,
  // Releases
  get('/repos/:owner/:repo/releases', 'repositoryReleases', 'releases, newest first', {
    ...RELEASE,
    list: 'list',
  }),
  get('/repos/:owner/:repo/releases/latest', 'latestRelease', 'the newest full release', RELEASE),
  get(
    '/repos/:owner/:repo/releases/assets/:asset_id',
    'releaseAsset',
    'a file of a release, or its bytes',
    { ...RELEASE, hasBytes: true },
  ),
  get('/repos/:owner/:repo/releases/tags/:tag', 'releaseByTag', 'the release of a tag', RELEASE),
  get('/repos/:owner/:repo/releases/:release_id', 'release', 'one release', RELEASE),
  get('/repos/:owner/:repo/releases/:release_id/assets', 'releaseAssets', 'its files', {
    ...RELEASE,
    list: 'list',
  }),
  // Writes whose addresses are in answers: an archive takes none
  post('/repos/:owner/:repo/merges', 'mergeBranches', '403: archives do not change', REPOSITORY),
  post('/repos/:owner/:repo/hooks/:hook_id/pings', 'pingHook', '403: nothing is sent', HOOK),
  post('/repos/:owner/:repo/hooks/:hook_id/tests', 'testHook', '403: nothing is sent', HOOK),
  post('/orgs/:org/hooks/:hook_id/pings', 'pingOrganizationHook', '403: nothing is sent', HOOK),
  // The service itself
  get('/rate_limit', 'rateLimit', 'how many requests are left', {
    who: 'all',
    chapter: 'rate_limit/',
    index: 'rate_limit_url',
  }),
  get('/meta', 'meta', 'facts about the service', { who: 'all', chapter: 'meta/' }),
  get('/', 'index', 'addresses of the interface', OPEN),
  get(
    '/admin/directory/v1/users/:user_key/tokens/:client_id',
    'directoryToken',
    'the tokens that a user issued to an application',
    { who: 'scope', chapter: '' },
  ),
  post('/graphql', 'graphql', 'imports into organizations, with --imports', OPEN),
  post('/api/graphql', 'enterpriseGraphql', 'the same', OPEN),
  get('/_archives/:guid.tar.gz', 'download', 'an archive, by its signed address', SIGNED),
  get('/_imports/:guid.log', 'importLog', 'the log of an import', SIGNED),
  get('/_sources/:owner/:repo/:sha.tar.gz', 'sourceTarball', 'files of a commit', SIGNED),
  get('/_sources/:owner/:repo/:sha.zip', 'sourceZipball', 'the same as a zip', SIGNED),
  get('/_avatars/:id.svg', 'avatar', 'a picture for an account without one', OPEN),
  get('/_ready', 'ready', '204, or 503 while the index is being made', OPEN),
  get('/orgs/:org/sso', 'showSingleSignOn', 'page that authorizes a token', SIGNED),
  post('/orgs/:org/sso', 'grantSingleSignOn', 'authorize a token', SIGNED),
] as const satisfies readonly Endpoint[]

export type HandlerName = (typeof ENDPOINTS)[number]['handler']
