import { gunzipSync } from 'node:zlib'
import { Octokit } from '@octokit/rest'
import { beforeAll, describe, expect, test } from 'vitest'
import { crawledWorld } from '../../support/crawled-world.ts'
import { everyDay, THOROUGH } from '../../support/thorough.ts'
import { GIT, serveWorld, TOKENS } from './served-world.ts'

const world = serveWorld({}, crawledWorld())
let octokit: Octokit
beforeAll(() => {
  octokit = new Octokit({ auth: TOKENS.owner, baseUrl: world.url, log: SILENT })
})

const SILENT = { debug() {}, info() {}, warn() {}, error() {} }

const KETTLE = { owner: 'forge', repo: 'kettle' }
const ADA = { username: 'ada' }
const rest = () => octokit.rest

describe('@octokit/rest 22 reads', () => {
  everyDay(2)([
    ['public events', () => rest().activity.listPublicEvents()],
    ['events of a repository', () => rest().activity.listRepoEvents(KETTLE)],
    ['events of a network', () => rest().activity.listPublicEventsForRepoNetwork(KETTLE)],
    ['events of an organization', () => rest().activity.listPublicOrgEvents({ org: 'forge' })],
    ['events received', () => rest().activity.listReceivedEventsForUser(ADA)],
    ['public events received', () => rest().activity.listReceivedPublicEventsForUser(ADA)],
    ['events of the caller', () => rest().activity.listEventsForAuthenticatedUser(ADA)],
    ['public events of a user', () => rest().activity.listPublicEventsForUser(ADA)],
    [
      'the dashboard',
      () => rest().activity.listOrgEventsForAuthenticatedUser({ ...ADA, org: 'forge' }),
    ],
    ['issue events of a repository', () => rest().issues.listEventsForRepo(KETTLE)],
    ['issue events of a thread', () => rest().issues.listEvents({ ...KETTLE, issue_number: 2 })],
    [
      'issues of the caller',
      () => rest().issues.listForAuthenticatedUser({ filter: 'all', state: 'all' }),
    ],
    ['issues of a repository', () => rest().issues.listForRepo({ ...KETTLE, state: 'all' })],
    ['repositories of the caller', () => rest().repos.listForAuthenticatedUser()],
    ['files of the root', () => rest().repos.getContent({ ...KETTLE, path: '' })],
    ['contributors', () => rest().repos.listContributors(KETTLE)],
    ['assignees', () => rest().issues.listAssignees(KETTLE)],
    ['labels of an issue', () => rest().issues.listLabelsOnIssue({ ...KETTLE, issue_number: 1 })],
    [
      'labels of a milestone',
      () => rest().issues.listLabelsForMilestone({ ...KETTLE, milestone_number: 1 }),
    ],
    ['comments on commits', () => rest().repos.listCommitCommentsForRepo(KETTLE)],
    [
      'comments on a commit',
      () => rest().repos.listCommentsForCommit({ ...KETTLE, commit_sha: GIT.commit }),
    ],
    [
      'pull requests of a commit',
      () =>
        rest().repos.listPullRequestsAssociatedWithCommit({ ...KETTLE, commit_sha: GIT.commit }),
    ],
    ['webhooks', () => rest().repos.listWebhooks(KETTLE)],
    ['webhooks of an organization', () => rest().orgs.listWebhooks({ org: 'forge' })],
    ['deploy keys', () => rest().repos.listDeployKeys(KETTLE)],
    ['members of an organization', () => rest().orgs.listMembers({ org: 'forge' })],
    ['organizations of a user', () => rest().orgs.listForUser(ADA)],
  ])('%s', async (_what, ask) => {
    const { status, data } = await ask()
    expect(status).toBe(200)
    expect((data as readonly object[]).length).toBeGreaterThan(0)
  })

  test.each([
    ['the caller', () => rest().users.getAuthenticated(), { login: 'ada', id: 17 }],
    ['a user', () => rest().users.getByUsername({ username: 'bob' }), { login: 'bob', id: 18 }],
    ['an organization', () => rest().orgs.get({ org: 'forge' }), { login: 'forge' }],
    ['a repository', () => rest().repos.get(KETTLE), { full_name: 'forge/kettle' }],
    ['an issue', () => rest().issues.get({ ...KETTLE, issue_number: 1 }), { number: 1 }],
    ['an issue event', () => rest().issues.getEvent({ ...KETTLE, event_id: 102 }), { id: 102 }],
    ['the rate limit', () => rest().rateLimit.get(), { rate: { limit: 5000 } }],
    ['the index', () => rest().meta.root(), { events_url: expect.stringContaining('/events') }],
    ['the latest release', () => rest().repos.getLatestRelease(KETTLE), { tag_name: 'v1' }],
    [
      'a comment on a commit',
      () => rest().repos.getCommitComment({ ...KETTLE, comment_id: 51 }),
      { id: 51 },
    ],
    [
      'a review comment',
      () => rest().pulls.getReviewComment({ ...KETTLE, comment_id: 41 }),
      { id: 41 },
    ],
    [
      'the state of a commit',
      () => rest().repos.getCombinedStatusForRef({ ...KETTLE, ref: 'main' }),
      { state: 'pending', total_count: 0 },
    ],
    [
      'the checks of a commit',
      () => rest().checks.listForRef({ ...KETTLE, ref: 'main' }),
      { total_count: 0 },
    ],
  ])('%s', async (_what, ask, expected) => {
    const { status, data } = await ask()
    expect([status, data]).toEqual([200, expect.objectContaining(toPartial(expected))])
  })

  const toPartial = (expected: object) =>
    Object.fromEntries(
      Object.entries(expected).map(([name, value]) => [
        name,
        typeof value === 'object' && !('asymmetricMatch' in value)
          ? expect.objectContaining(value)
          : value,
      ]),
    )

  everyDay(5)([
    ['forks', () => rest().repos.listForks(KETTLE)],
    ['stars', () => rest().activity.listStargazersForRepo(KETTLE)],
    ['starred repositories', () => rest().activity.listReposStarredByUser(ADA)],
    ['watched repositories', () => rest().activity.listWatchedReposForAuthenticatedUser()],
    ['followers', () => rest().users.listFollowersForUser(ADA)],
    ['gists', () => rest().gists.list()],
    ['deployments', () => rest().repos.listDeployments(KETTLE)],
    ['notifications', () => rest().activity.listNotificationsForAuthenticatedUser()],
    ['advisories', () => rest().securityAdvisories.listRepositoryAdvisories(KETTLE)],
  ])('no %s', async (_what, ask) => {
    expect(await ask()).toMatchObject({ status: 200, data: [] })
  })

  test('all pages of a list, each item once', THOROUGH, async () => {
    const all = await octokit.paginate(rest().issues.listEventsForRepo, { ...KETTLE, per_page: 7 })
    const { data } = await rest().issues.listEventsForRepo({ ...KETTLE, per_page: 100 })
    expect(all).toEqual(data)
    expect(all.length).toBeGreaterThan(21)
  })

  test('304 as an error of that status', async () => {
    const { headers } = await rest().activity.listPublicEvents()
    const again = rest().activity.listPublicEvents({ headers: { 'if-none-match': headers.etag } })
    await expect(again).rejects.toMatchObject({ status: 304 })
  })
})

describe('@octokit/rest 22 meets', () => {
  test.each([
    [401, 'a wrong token', new Octokit({ auth: 'wrong', log: SILENT }), {}],
    [404, 'a private repository as a stranger', new Octokit({ log: SILENT }), { repo: 'secret' }],
    [404, 'a repository that does not exist', undefined, { repo: 'none' }],
  ])('%d for %s', async (status, _what, client, more) => {
    const ask = (client ?? octokit).rest.repos.get({ ...KETTLE, ...more, baseUrl: world.url })
    await expect(ask).rejects.toMatchObject({ status })
  })

  test('422 with all faults of a migration', async () => {
    const start = rest().migrations.startForAuthenticatedUser({ repositories: ['ada/none'] })
    await expect(start).rejects.toMatchObject({
      status: 422,
      response: {
        data: {
          message: 'Validation Failed',
          errors: [{ resource: 'Migration', field: 'repositories', code: 'missing' }],
        },
      },
    })
  })
})

const until = async (isDone: () => Promise<boolean>) => {
  for (let i = 0; !(await isDone()); i++) {
    if (i > 500) throw new Error('it never happens')
    await world.server.idle()
  }
}

const bytesOf = (data: unknown) => Buffer.from(data as ArrayBuffer)

everyDay(1)(['ada', 'forge'])(
  '@octokit/rest 22 runs a whole migration of %s: start, poll, download, unlock, delete',
  async (owner) => {
    const { migrations } = rest()
    const isUser = owner === 'ada'
    const [org, repo_name] = [owner, isUser ? 'notes' : 'kettle']
    const repositories = [`${owner}/${repo_name}`]
    const wanted = {
      repositories,
      lock_repositories: true,
      exclude_git_data: true,
      exclude_attachments: true,
    }
    const started = isUser
      ? await migrations.startForAuthenticatedUser(wanted)
      : await migrations.startForOrg({ org, ...wanted })
    expect([started.status, started.data.state]).toEqual([201, 'pending'])
    const migration_id = started.data.id
    const status = () =>
      isUser
        ? migrations.getStatusForAuthenticatedUser({ migration_id })
        : migrations.getStatusForOrg({ org, migration_id })
    await until(async () => !['pending', 'exporting'].includes((await status()).data.state))
    expect((await status()).data).toMatchObject({ state: 'exported', lock_repositories: true })

    const list = isUser
      ? await migrations.listForAuthenticatedUser()
      : await migrations.listForOrg({ org })
    expect(list.data.map(({ id }) => id)).toEqual([migration_id])
    const repos = isUser
      ? await migrations.listReposForAuthenticatedUser({ migration_id })
      : await migrations.listReposForOrg({ org, migration_id })
    expect(repos.data.map(({ full_name }) => full_name)).toEqual(repositories)

    const download = (redirect?: 'manual') => {
      const request = redirect && { request: { redirect } }
      return isUser
        ? migrations.getArchiveForAuthenticatedUser({ migration_id, ...request })
        : migrations.downloadArchiveForOrg({ org, migration_id, ...request })
    }
    const archive = bytesOf(((await download()) as { data: unknown }).data)
    expect(gunzipSync(archive).includes('schema.json')).toBe(true)
    expect(await download('manual')).toMatchObject({
      status: 302,
      headers: { location: expect.stringContaining('/_archives/') },
    })

    const unlock = () =>
      isUser
        ? migrations.unlockRepoForAuthenticatedUser({ migration_id, repo_name })
        : migrations.unlockRepoForOrg({ org, migration_id, repo_name })
    expect((await unlock()).status).toBe(204)
    await expect(unlock()).rejects.toMatchObject({ status: 404 })
    const remove = () =>
      isUser
        ? migrations.deleteArchiveForAuthenticatedUser({ migration_id })
        : migrations.deleteArchiveForOrg({ org, migration_id })
    expect((await remove()).status).toBe(204)
    await expect(download()).rejects.toMatchObject({ status: 404 })
    expect((await status()).data.state).toBe('exported')
  },
)
