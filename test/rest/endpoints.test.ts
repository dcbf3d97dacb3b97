import { beforeAll, describe, expect, test } from 'vitest'
import type { Endpoint } from '../../src/interface/endpoint.ts'
import { ENDPOINTS, type HandlerName } from '../../src/interface/endpoints.ts'
import { parseLink } from '../../src/interface/link-header.ts'
import { madeNumber } from '../../src/reading/numbers.ts'
import { HANDLERS } from '../../src/rest/handlers/handlers.ts'
import { HOST, SHA } from '../support/rest-world.ts'
import { everyDay } from '../support/thorough.ts'
import { GIT, serveWorld, TOKENS } from './clients/served-world.ts'

/** Every endpoint, asked by every kind of caller. */

const CALLERS = ['stranger', 'other', 'member', 'unscoped', 'owner', 'wrong', 'sso'] as const
type Caller = (typeof CALLERS)[number]

const KETTLE = '/repos/forge/kettle'
const SECRET = '/repos/forge/secret'
// ada owns migrations 1 and 2, and as an administrator of forge 3 and 4: one for each kind of her tokens.
const USER = '/user/migrations/{1,2}'
const ORG = '/orgs/forge/migrations/{3,4}'

/** The statuses of what everybody may read, of what members may read, and of what a private repository has not. */
const PUBLIC = [200, 200, 200, 200, 200, 401, 403]
const PRIVATE = [404, 404, 200, 404, 200, 401, 403]
const ABSENT = [404, 404, 404, 404, 404, 401, 403]

/** What administrators alone may know. */
const ADMIN = [404, 404, 404, 200, 200, 401, 403]

/** What only those may know who may push to a private repository. */
const SCOPED = [404, 404, 404, 404, 200, 401, 403]

/** What everybody may ask for about a person, and what only callers may ask for. */
const PERSON = [200, 200, 200, 200, 200, 401, 200]
const CALLER = [404, 200, 200, 200, 200, 401, 200]

/** What is nowhere on this server. */
const NOWHERE = [404, 404, 404, 404, 404, 401, 404]

/** What is true, for whoever may read a repository or knows who belongs to an organization. */
const TRUE = [204, 204, 204, 204, 204, 401, 403]
const TRUE_FOR_MEMBERS = [404, 404, 204, 404, 204, 401, 403]

/** What an archive never does, for whoever may read the repository. */
const REFUSED = [403, 403, 403, 403, 403, 401, 403]

/** What redirects whoever may read it. */
const REDIRECT = [302, 302, 302, 302, 302, 401, 403]

const KETTLE_ID = madeNumber('Repository', `${HOST}/forge/kettle`)
const SECRET_ID = madeNumber('Repository', `${HOST}/forge/secret`)
const RELEASE = madeNumber('Release', `${HOST}/forge/kettle/releases/tag/v1`)
const TEAM = madeNumber('Team', `${HOST}/orgs/forge/teams/cooks`)
const ASSET = madeNumber('ReleaseAsset', `${HOST}/assets/1`)

/** The path of each endpoint, and the status for each of `CALLERS`. */
const CASES: readonly (readonly [HandlerName, string, readonly number[]])[] = [
  ['publicEvents', '/events', [200, 200, 200, 200, 200, 401, 200]],
  ['repositoryEvents', `${KETTLE}/events`, [200, 200, 200, 200, 200, 401, 403]],
  ['repositoryEvents', `${SECRET}/events`, [404, 404, 200, 404, 200, 401, 403]],
  ['networkEvents', '/networks/forge/kettle/events', [200, 200, 200, 200, 200, 401, 403]],
  ['networkEvents', '/networks/forge/secret/events', [404, 404, 200, 404, 200, 401, 403]],
  ['organizationEvents', '/orgs/forge/events', [200, 200, 200, 200, 200, 401, 403]],
  ['receivedEvents', '/users/ada/received_events', [200, 200, 200, 200, 200, 401, 200]],
  [
    'publicReceivedEvents',
    '/users/ada/received_events/public',
    [200, 200, 200, 200, 200, 401, 200],
  ],
  ['userEvents', '/users/ada/events', [200, 200, 200, 200, 200, 401, 200]],
  ['publicUserEvents', '/users/ada/events/public', [200, 200, 200, 200, 200, 401, 200]],
  ['dashboardEvents', '/users/ada/events/orgs/forge', [404, 404, 404, 200, 200, 401, 403]],
  ['repositoryIssueEvents', `${KETTLE}/issues/events`, [200, 200, 200, 200, 200, 401, 403]],
  ['repositoryIssueEvents', `${SECRET}/issues/events`, [404, 404, 200, 404, 200, 401, 403]],
  ['issueEvent', `${KETTLE}/issues/events/102`, [200, 200, 200, 200, 200, 401, 403]],
  ['issueEvent', `${SECRET}/issues/events/204`, [404, 404, 200, 404, 200, 401, 403]],
  ['threadIssueEvents', `${KETTLE}/issues/2/events`, [200, 200, 200, 200, 200, 401, 403]],
  ['threadIssueEvents', `${SECRET}/issues/1/events`, [404, 404, 200, 404, 200, 401, 403]],
  ['timeline', `${KETTLE}/issues/2/timeline`, PUBLIC],
  ['timeline', `${SECRET}/issues/1/timeline`, PRIVATE],
  ['startUserMigration', '/user/migrations', [404, 422, 422, 201, 201, 401, 201]],
  ['listUserMigrations', '/user/migrations', [404, 200, 200, 200, 200, 401, 200]],
  ['getUserMigration', USER, [404, 404, 404, 200, 200, 401, 200]],
  ['getUserArchive', `${USER}/archive`, [404, 404, 404, 302, 302, 401, 302]],
  ['listUserMigrationRepositories', `${USER}/repositories`, [404, 404, 404, 200, 200, 401, 200]],
  ['unlockUserRepository', `${USER}/repos/notes/lock`, [404, 404, 404, 204, 204, 401, 204]],
  ['deleteUserArchive', `${USER}/archive`, [404, 404, 404, 204, 204, 401, 204]],
  ['startOrgMigration', '/orgs/forge/migrations', [404, 404, 404, 201, 201, 401, 403]],
  ['listOrgMigrations', '/orgs/forge/migrations', [404, 404, 404, 200, 200, 401, 403]],
  ['getOrgMigration', ORG, [404, 404, 404, 200, 200, 401, 403]],
  ['getOrgArchive', `${ORG}/archive`, [404, 404, 404, 302, 302, 401, 403]],
  ['listOrgMigrationRepositories', `${ORG}/repositories`, [404, 404, 404, 200, 200, 401, 403]],
  ['unlockOrgRepository', `${ORG}/repos/kettle/lock`, [404, 404, 404, 204, 204, 401, 403]],
  ['deleteOrgArchive', `${ORG}/archive`, [404, 404, 404, 204, 204, 401, 403]],
  // This server takes no imports.
  ['uploadArchive', '/organizations/1/gei/archive?name=a', NOWHERE],
  ['beginUpload', '/organizations/1/gei/archive/blobs/uploads', NOWHERE],
  ['uploadPart', '/organizations/1/gei/archive/blobs/uploads', NOWHERE],
  ['finishUpload', '/organizations/1/gei/archive/blobs/uploads', NOWHERE],
  ['createAuthorization', '/authorizations', [401, 403, 403, 403, 403, 401, 403]],
  ['listAuthorizations', '/authorizations', [401, 403, 403, 403, 403, 401, 403]],
  ['getAuthorization', '/authorizations/1', [401, 403, 403, 403, 403, 401, 403]],
  ['deleteAuthorization', '/authorizations/1', [401, 403, 403, 403, 403, 401, 403]],
  ['currentUser', '/user', [404, 200, 200, 200, 200, 401, 200]],
  ['userOrganizations', '/user/orgs', [404, 200, 200, 200, 200, 401, 200]],
  ['userIssues', '/user/issues', [404, 200, 200, 200, 200, 401, 200]],
  ['userRepositories', '/user/repos', [404, 200, 200, 200, 200, 401, 200]],
  ['repository', KETTLE, [200, 200, 200, 200, 200, 401, 403]],
  ['repository', SECRET, [404, 404, 200, 404, 200, 401, 403]],
  ['repositoryById', `/repositories/${KETTLE_ID}`, PUBLIC],
  ['repositoryById', `/repositories/${SECRET_ID}`, PRIVATE],
  ['languages', `${KETTLE}/languages`, PUBLIC],
  ['languages', `${SECRET}/languages`, PRIVATE],
  ['topics', `${KETTLE}/topics`, PUBLIC],
  ['topics', `${SECRET}/topics`, PRIVATE],
  ['repositoriesOfUser', '/users/ada/repos', [200, 200, 200, 200, 200, 401, 200]],
  ['repositoriesOfOrganization', '/orgs/forge/repos', PUBLIC],
  ['collaborators', `${KETTLE}/collaborators`, ADMIN],
  ['collaborators', `${SECRET}/collaborators`, SCOPED],
  ['isCollaborator', `${KETTLE}/collaborators/ada`, [404, 404, 404, 204, 204, 401, 403]],
  ['collaboratorPermission', `${KETTLE}/collaborators/bob/permission`, ADMIN],
  ['repositoryTeams', `${KETTLE}/teams`, ADMIN],
  ['repositoryTeams', `${SECRET}/teams`, SCOPED],
  ['branches', `${KETTLE}/branches`, PUBLIC],
  ['branches', `${SECRET}/branches`, PRIVATE],
  ['branch', `${KETTLE}/branches/main`, PUBLIC],
  ['branchProtection', `${KETTLE}/branches/main/protection`, ADMIN],
  ['tags', `${KETTLE}/tags`, PUBLIC],
  ['gitRefs', `${KETTLE}/git/refs`, PUBLIC],
  ['gitRefs', `${SECRET}/git/refs`, ABSENT],
  ['gitRefOrRefs', `${KETTLE}/git/refs/heads/main`, PUBLIC],
  ['gitRef', `${KETTLE}/git/ref/heads/main`, PUBLIC],
  ['matchingRefs', `${KETTLE}/git/matching-refs/heads`, PUBLIC],
  ['gitCommit', `${KETTLE}/git/commits/${GIT.commit}`, PUBLIC],
  ['gitTree', `${KETTLE}/git/trees/${GIT.tree}`, PUBLIC],
  ['gitBlob', `${KETTLE}/git/blobs/${GIT.blob}`, PUBLIC],
  ['gitTag', `${KETTLE}/git/tags/${GIT.tag}`, PUBLIC],
  ['commits', `${KETTLE}/commits`, PUBLIC],
  ['commits', `${SECRET}/commits`, ABSENT],
  ['commit', `${KETTLE}/commits/main`, PUBLIC],
  ['readme', `${KETTLE}/readme`, PUBLIC],
  ['rootContents', `${KETTLE}/contents`, PUBLIC],
  ['contents', `${KETTLE}/contents/README.md`, PUBLIC],
  ['tarball', `${KETTLE}/tarball`, REDIRECT],
  ['tarball', `${SECRET}/tarball`, ABSENT],
  ['tarballOfRef', `${KETTLE}/tarball/refs/tags/v1`, REDIRECT],
  ['tarballOfRef', `${KETTLE}/tarball/none`, ABSENT],
  ['zipball', `${KETTLE}/zipball`, REDIRECT],
  ['zipballOfRef', `${KETTLE}/zipball/main`, REDIRECT],
  ['repositoryIssues', `${KETTLE}/issues`, [200, 200, 200, 200, 200, 401, 403]],
  ['repositoryIssues', `${SECRET}/issues`, [404, 404, 200, 404, 200, 401, 403]],
  ['issue', `${KETTLE}/issues/1`, [200, 200, 200, 200, 200, 401, 403]],
  ['issue', `${SECRET}/issues/1`, [404, 404, 200, 404, 200, 401, 403]],
  ['repositoryLabels', `${KETTLE}/labels`, PUBLIC],
  ['repositoryLabels', `${SECRET}/labels`, PRIVATE],
  ['label', `${KETTLE}/labels/bug`, PUBLIC],
  ['label', `${SECRET}/labels/bug`, ABSENT],
  ['repositoryMilestones', `${KETTLE}/milestones`, PUBLIC],
  ['repositoryMilestones', `${SECRET}/milestones`, PRIVATE],
  ['milestone', `${KETTLE}/milestones/1`, PUBLIC],
  ['milestone', `${SECRET}/milestones/1`, ABSENT],
  ['repositoryComments', `${KETTLE}/issues/comments`, PUBLIC],
  ['repositoryComments', `${SECRET}/issues/comments`, PRIVATE],
  ['issueComment', `${KETTLE}/issues/comments/22`, PUBLIC],
  ['issueComment', `${SECRET}/issues/comments/25`, PRIVATE],
  ['issueComment', `${KETTLE}/issues/comments/25`, ABSENT],
  ['issueCommentReactions', `${KETTLE}/issues/comments/22/reactions`, PUBLIC],
  ['issueCommentReactions', `${SECRET}/issues/comments/25/reactions`, PRIVATE],
  ['threadComments', `${KETTLE}/issues/1/comments`, PUBLIC],
  ['threadComments', `${SECRET}/issues/1/comments`, PRIVATE],
  ['issueReactions', `${KETTLE}/issues/1/reactions`, PUBLIC],
  ['issueReactions', `${SECRET}/issues/1/reactions`, PRIVATE],
  ['reviewCommentReactions', `${KETTLE}/pulls/comments/41/reactions`, PUBLIC],
  // It was never handed in.
  ['reviewCommentReactions', `${KETTLE}/pulls/comments/43/reactions`, ABSENT],
  ['repositoryReleases', `${KETTLE}/releases`, PUBLIC],
  ['repositoryReleases', `${SECRET}/releases`, PRIVATE],
  ['releaseByTag', `${KETTLE}/releases/tags/v1`, PUBLIC],
  ['releaseByTag', `${SECRET}/releases/tags/v1`, ABSENT],
  ['release', `${KETTLE}/releases/${RELEASE}`, PUBLIC],
  ['release', `${SECRET}/releases/${RELEASE}`, ABSENT],
  ['releaseAssets', `${KETTLE}/releases/${RELEASE}/assets`, PUBLIC],
  ['releaseAsset', `${KETTLE}/releases/assets/${ASSET}`, PUBLIC],
  ['releaseAsset', `${SECRET}/releases/assets/${ASSET}`, ABSENT],
  ['repositoryPulls', `${KETTLE}/pulls`, PUBLIC],
  ['repositoryPulls', `${SECRET}/pulls`, PRIVATE],
  ['pull', `${KETTLE}/pulls/2`, PUBLIC],
  ['pull', `${SECRET}/pulls/2`, ABSENT],
  // It is open.
  ['isMerged', `${KETTLE}/pulls/2/merge`, ABSENT],
  ['requestedReviewers', `${KETTLE}/pulls/2/requested_reviewers`, PUBLIC],
  ['pullReviews', `${KETTLE}/pulls/2/reviews`, PUBLIC],
  ['reviewComments', `${KETTLE}/pulls/2/reviews/31/comments`, PUBLIC],
  ['pullComments', `${KETTLE}/pulls/2/comments`, PUBLIC],
  ['repositoryReviewComments', `${KETTLE}/pulls/comments`, PUBLIC],
  ['repositoryReviewComments', `${SECRET}/pulls/comments`, PRIVATE],
  ['pullCommits', `${KETTLE}/pulls/2/commits`, PUBLIC],
  ['pullCommits', `${SECRET}/pulls/2/commits`, ABSENT],
  // Its commits are not in the archive.
  ['pullFiles', `${KETTLE}/pulls/2/files`, ABSENT],
  ['pullDiff', '/forge/kettle/pull/2.diff', ABSENT],
  ['pullPatch', '/forge/kettle/pull/2.patch', ABSENT],
  ['attachment', '/user-attachments/assets/a1', [404, 404, 404, 404, 404, 401, 404]],
  ['attachedFile', '/user-attachments/files/1/a', [404, 404, 404, 404, 404, 401, 404]],
  ['olderAttachment', '/forge/kettle/assets/1/a', ABSENT],
  ['olderFile', '/forge/kettle/files/1/a', ABSENT],
  ['compare', `${KETTLE}/compare/main...v1`, PUBLIC],
  // What archives do not tell
  ['forks', `${KETTLE}/forks`, PUBLIC],
  ['forks', `${SECRET}/forks`, PRIVATE],
  ['stargazers', `${KETTLE}/stargazers`, PUBLIC],
  ['subscribers', `${KETTLE}/subscribers`, PUBLIC],
  ['subscription', `${KETTLE}/subscription`, ABSENT],
  ['repositoryNotifications', `${KETTLE}/notifications`, PUBLIC],
  ['deployments', `${KETTLE}/deployments`, PUBLIC],
  ['downloads', `${KETTLE}/downloads`, PUBLIC],
  ['securityAdvisories', `${KETTLE}/security-advisories`, PUBLIC],
  ['securityAdvisories', `${SECRET}/security-advisories`, PRIVATE],
  ['mergeBranches', `${KETTLE}/merges`, REFUSED],
  ['mergeBranches', `${SECRET}/merges`, [404, 404, 403, 404, 403, 401, 403]],
  ['followers', '/users/ada/followers', PERSON],
  ['following', '/users/ada/following', PERSON],
  ['starred', '/users/ada/starred', PERSON],
  ['watched', '/users/ada/subscriptions', PERSON],
  ['gists', '/users/ada/gists', PERSON],
  ['followersOfCaller', '/user/followers', CALLER],
  ['followedByCaller', '/user/following', CALLER],
  ['starredByCaller', '/user/starred', CALLER],
  ['watchedByCaller', '/user/subscriptions', CALLER],
  ['gistsOfCaller', '/gists', CALLER],
  ['gistsStarredByCaller', '/gists/starred', CALLER],
  ['notifications', '/notifications', CALLER],
  // What archives know
  ['contributors', `${KETTLE}/contributors`, PUBLIC],
  ['contributors', `${SECRET}/contributors`, PRIVATE],
  ['assignees', `${KETTLE}/assignees`, PUBLIC],
  ['assignees', `${SECRET}/assignees`, PRIVATE],
  ['isAssignee', `${KETTLE}/assignees/bob`, TRUE],
  ['isAssignee', `${SECRET}/assignees/bob`, ABSENT],
  ['hooks', `${KETTLE}/hooks`, SCOPED],
  ['hooks', `${SECRET}/hooks`, SCOPED],
  ['hook', `${KETTLE}/hooks/1`, ABSENT],
  ['pingHook', `${KETTLE}/hooks/1/pings`, ABSENT],
  ['testHook', `${KETTLE}/hooks/1/tests`, ABSENT],
  ['keys', `${KETTLE}/keys`, SCOPED],
  ['key', `${KETTLE}/keys/1`, ABSENT],
  ['organizationHooks', '/orgs/forge/hooks', SCOPED],
  ['organizationHook', '/orgs/forge/hooks/1', ABSENT],
  ['pingOrganizationHook', '/orgs/forge/hooks/1/pings', ABSENT],
  ['members', '/orgs/forge/members', PUBLIC],
  ['isMember', '/orgs/forge/members/carol', TRUE_FOR_MEMBERS],
  ['publicMembers', '/orgs/forge/public_members', PUBLIC],
  ['organizationsOfUser', '/users/ada/orgs', PERSON],
  ['organizationIssues', '/orgs/forge/issues', [404, 200, 200, 200, 200, 401, 403]],
  ['team', `/teams/${TEAM}`, PRIVATE],
  ['issueLabels', `${KETTLE}/issues/1/labels`, PUBLIC],
  ['issueLabels', `${SECRET}/issues/1/labels`, PRIVATE],
  ['milestoneLabels', `${KETTLE}/milestones/1/labels`, PUBLIC],
  ['milestoneLabels', `${SECRET}/milestones/1/labels`, ABSENT],
  ['latestRelease', `${KETTLE}/releases/latest`, PUBLIC],
  ['latestRelease', `${SECRET}/releases/latest`, ABSENT],
  ['reviewComment', `${KETTLE}/pulls/comments/41`, PUBLIC],
  ['reviewComment', `${KETTLE}/pulls/comments/43`, ABSENT],
  ['reviewComment', `${SECRET}/pulls/comments/41`, ABSENT],
  ['repositoryCommitComments', `${KETTLE}/comments`, PUBLIC],
  ['repositoryCommitComments', `${SECRET}/comments`, PRIVATE],
  ['commitComment', `${KETTLE}/comments/51`, PUBLIC],
  ['commitComment', `${SECRET}/comments/51`, ABSENT],
  ['commitCommentReactions', `${KETTLE}/comments/51/reactions`, PUBLIC],
  ['commitComments', `${KETTLE}/commits/${SHA}/comments`, PUBLIC],
  ['commitComments', `${SECRET}/commits/${SHA}/comments`, [404, 404, 422, 404, 422, 401, 403]],
  ['commitPulls', `${KETTLE}/commits/${SHA}/pulls`, PUBLIC],
  ['combinedStatus', `${KETTLE}/commits/main/status`, PUBLIC],
  ['commitStatuses', `${KETTLE}/commits/main/statuses`, PUBLIC],
  ['statuses', `${KETTLE}/statuses/${GIT.commit}`, PUBLIC],
  ['checkRuns', `${KETTLE}/commits/main/check-runs`, PUBLIC],
  ['checkSuites', `${KETTLE}/commits/main/check-suites`, PUBLIC],
  ['commit', `${KETTLE}/commits/${GIT.commit}/nothing`, ABSENT],
  ['graphql', '/graphql', NOWHERE],
  ['enterpriseGraphql', '/api/graphql', NOWHERE],
  ['user', '/users/bob', [200, 200, 200, 200, 200, 401, 200]],
  ['organization', '/orgs/forge', [200, 200, 200, 200, 200, 401, 403]],
  ['meta', '/meta', PERSON],
  ['rateLimit', '/rate_limit', [200, 200, 200, 200, 200, 401, 200]],
  ['index', '/', [200, 200, 200, 200, 200, 401, 200]],
  [
    'directoryToken',
    '/admin/directory/v1/users/17/tokens/kettle',
    [401, 403, 403, 403, 403, 401, 403],
  ],
  ['download', '/_archives/00000000.tar.gz', [403, 403, 403, 403, 403, 403, 403]],
  ['importLog', '/_imports/00000000.log', new Array(7).fill(403)],
  ['sourceTarball', '/_sources/forge/kettle/00000000.tar.gz', new Array(7).fill(403)],
  ['sourceZipball', '/_sources/forge/kettle/00000000.zip', new Array(7).fill(403)],
  ['avatar', '/_avatars/17.svg', [200, 200, 200, 200, 200, 200, 200]],
  ['ready', '/_ready', [204, 204, 204, 204, 204, 204, 204]],
  ['showSingleSignOn', '/orgs/forge/sso', [403, 403, 403, 403, 403, 403, 403]],
  ['grantSingleSignOn', '/orgs/forge/sso', [403, 403, 403, 403, 403, 403, 403]],
]

const isPlaceOfUploads = (path: string) => path.startsWith('/organizations/')

const isSecret = (path: string) => path.includes('/secret') || path.endsWith(`/${SECRET_ID}`)

const BODIES: Partial<Record<HandlerName, object>> = {
  startUserMigration: {
    repositories: ['ada/notes'],
    exclude_git_data: true,
    exclude_attachments: true,
  },
  startOrgMigration: {
    repositories: ['kettle'],
    exclude_git_data: true,
    exclude_attachments: true,
  },
}

const open = serveWorld()
const guarded = serveWorld({ organizations: [{ login: 'forge', sso: true }] })

const tokenOf = (caller: Caller): string | undefined => {
  if (caller === 'stranger') return undefined
  if (caller === 'wrong') return 'wrong-0123456789'
  return TOKENS[caller === 'sso' ? 'owner' : caller]
}

const endpointOf = (handler: HandlerName): Endpoint =>
  (ENDPOINTS as readonly Endpoint[]).find((one) => one.handler === handler) as Endpoint

/** The path for a caller, who may have a migration of their own. */
const pathFor = (path: string, caller: Caller) =>
  path.replace(/\{(\d),(\d)\}/, caller === 'unscoped' ? '$1' : '$2')

async function ask(
  handler: HandlerName,
  path: string,
  caller: Caller,
  { headers = {}, ...more }: { method?: string; headers?: Record<string, string> } = {},
) {
  const { server } = caller === 'sso' ? guarded : open
  const token = tokenOf(caller)
  const body = BODIES[handler]
  const { method } = endpointOf(handler)
  return server.fetch(
    new Request(`http://localhost${pathFor(path, caller)}`, {
      method,
      redirect: 'manual',
      ...more,
      ...(body && !more.method && { body: JSON.stringify(body) }),
      headers: {
        Accept: 'application/vnd.github.wyandotte-preview+json',
        ...(token !== undefined && { Authorization: `token ${token}` }),
        ...headers,
      },
    }),
  )
}

beforeAll(async () => {
  const lock = { lock_repositories: true }
  BODIES.startUserMigration = { ...BODIES.startUserMigration, ...lock }
  BODIES.startOrgMigration = { ...BODIES.startOrgMigration, ...lock }
  for (const caller of ['owner', 'sso'] as const) {
    for (let i = 0; i < 2; i++) await ask('startUserMigration', '/user/migrations', caller)
  }
  for (let i = 0; i < 2; i++) await ask('startOrgMigration', '/orgs/forge/migrations', 'owner')
  await open.server.idle()
  await guarded.server.idle()
}, 60_000)

test('Every endpoint is among them', () => {
  const named = new Set(CASES.map(([handler]) => handler))
  expect(Object.keys(HANDLERS).filter((name) => !named.has(name as HandlerName))).toEqual([])
  expect(named.size).toBe(ENDPOINTS.length)
})

describe('The status of', () => {
  everyDay(1)(CASES)('%s at %s', async (handler, path, expected) => {
    const found: Record<string, number> = {}
    for (const caller of CALLERS) found[caller] = (await ask(handler, path, caller)).status
    expect(found).toEqual(Object.fromEntries(CALLERS.map((name, i) => [name, expected[i]])))
  })
})

const READS = CASES.filter(
  ([handler, , statuses]) => endpointOf(handler).method === 'GET' && statuses[4] === 200,
)

/** The rate limit differs each time. */
const STEADY = READS.filter(([handler]) => handler !== 'rateLimit')

/** What an answer says. */
const seen = async (answer: Promise<Response>) => {
  const response = await answer
  const { status, headers } = response
  return { status, headers, text: await response.text() }
}

/** Addresses of the interface, and those that are for Git and people. */
const OUTSIDE =
  /^"http:\/\/localhost\/(?:(?:api\/v3|_avatars)\b|(?:ada|forge)\/\w+(?:\.git|\/pull\/\d+\.(?:patch|diff))"$)/

describe('A read', () => {
  // A migration that is still being built would change the lists.
  beforeAll(() => open.server.idle())

  const answers = new Map<string, ReturnType<typeof seen>>()
  /** What the owner gets, which is asked for once. */
  const got = (handler: HandlerName, path: string) => {
    const key = `${handler} ${path}`
    const answer = answers.get(key) ?? seen(ask(handler, path, 'owner'))
    answers.set(key, answer)
    return answer
  }

  everyDay(9)(STEADY)(
    '%s at %s has the same headers for HEAD, and no body',
    async (handler, path) => {
      const get = await got(handler, path)
      const head = await ask(handler, path, 'owner', { method: 'HEAD' })
      expect([head.status, await head.text()]).toEqual([200, ''])
      const comparable = ({ headers }: { headers: Headers }) =>
        [...headers].filter(([name]) => !/^(date|x-.*-request-id|x-ratelimit-.*)$/.test(name))
      expect(comparable(head)).toEqual(comparable(get))
    },
  )

  everyDay(30)(STEADY)('%s at %s is not sent again to who has it', async (handler, path) => {
    const etag = (await got(handler, path)).headers.get('etag')
    expect(etag).toMatch(/^"[0-9a-f]+"$/)
    const headers = { 'If-None-Match': etag ?? '' }
    const again = await ask(handler, path, 'owner', { headers })
    expect([again.status, await again.text()]).toEqual([304, ''])
  })

  everyDay(9)(READS)('%s at %s is below /api/v3 with its own addresses', async (handler, path) => {
    const { headers, status, text } = await seen(ask(handler, `/api/v3${path}`, 'owner'))
    const isRootOnly = /^\/(_|admin)/.test(path)
    expect(status).toBe(isRootOnly ? 404 : 200)
    if (isRootOnly || !headers.get('content-type')?.includes('json')) return
    const own = text.match(/"http:\/\/localhost[^"]*"/g) ?? []
    const elsewhere = own.filter((url) => !OUTSIDE.test(url))
    expect(elsewhere).toEqual([])
    const pages = Object.values(parseLink(headers.get('link')))
    for (const url of pages) expect(url).toMatch(/^http:\/\/localhost\/api\/v3\//)
  })

  everyDay(30)(READS)(
    '%s at %s names no host but its own and those of records',
    async (handler, path) => {
      const { text } = await got(handler, path)
      const hosts = [...text.matchAll(/"[a-z]+:\/\/([^/"]+)/g)].map(([, host]) => host)
      // The last is the namespace of SVG.
      const known = ['localhost', new URL(HOST).host, 'avatars.example', 'www.w3.org']
      expect(hosts.filter((host) => !known.includes(host ?? ''))).toEqual([])
    },
  )
})

describe('Whatever the path,', () => {
  everyDay(23)(CASES)('%s at %s refuses another method, host or Accept', async (handler, path) => {
    const { method, who, isText } = endpointOf(handler)
    const wrong = await ask(handler, path, 'owner', {
      method: isPlaceOfUploads(path) ? 'DELETE' : 'PUT',
    })
    expect([wrong.status, wrong.headers.get('allow')?.split(', ')]).toEqual([
      405,
      expect.arrayContaining([method]),
    ])
    const evil = await ask(handler, path, 'owner', { headers: { Host: 'evil.example' } })
    expect(evil.status).toBe(421)
    // Without imports they are found nowhere, whatever the request accepts.
    if (isPlaceOfUploads(path)) return
    if (isText || who === 'signature' || who === 'scope' || path.startsWith('/_')) return
    const html = await ask(handler, path, 'owner', { headers: { Accept: 'text/html' } })
    expect(html.status).toBe(who === 'password' ? 403 : 415)
    const stranger = await ask(handler, path, 'stranger', { headers: { Accept: 'text/html' } })
    expect(stranger.status).toBe(
      { all: isSecret(path) ? 404 : 415, user: 404 }[who as 'all'] ?? 401,
    )
  })
})
