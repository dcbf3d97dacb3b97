import generation from 'octokit-rest-16'
import { beforeAll, describe, expect, test } from 'vitest'
import { THOROUGH } from '../../support/thorough.ts'
import { CODE, PASSWORD, serveWorld, TOKENS } from './served-world.ts'

/** The generation that sends previews and has the dialogue of one-time passwords. */

const { Octokit } = generation

const world = serveWorld()
let octokit: InstanceType<typeof Octokit>
beforeAll(() => {
  octokit = new Octokit({ auth: `token ${TOKENS.owner}`, baseUrl: world.url, log: SILENT })
})

/** It calls much of what it offers deprecated. */
const SILENT = { debug() {}, info() {}, warn() {}, error() {} }

const KETTLE = { owner: 'forge', repo: 'kettle' }

describe('@octokit/rest 16 reads', THOROUGH, () => {
  test.each([
    ['public events', () => octokit.activity.listPublicEvents()],
    ['events of a repository', () => octokit.activity.listRepoEvents(KETTLE)],
    ['events of a user', () => octokit.activity.listEventsForUser({ username: 'ada' })],
    ['issue events of a repository', () => octokit.issues.listEventsForRepo(KETTLE)],
    ['issue events', () => octokit.issues.listEvents({ ...KETTLE, issue_number: 2 })],
    ['repositories of the caller', () => octokit.repos.list()],
  ])('%s', async (_what, ask) => {
    const { status, data } = await ask()
    expect([status, data.length > 0]).toEqual([200, true])
  })

  test('all pages of issue events', async () => {
    const options = octokit.issues.listEventsForRepo.endpoint.merge({ ...KETTLE, per_page: 5 })
    const all: { id: number }[] = await octokit.paginate(options)
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
    expect(all.length).toBeGreaterThan(20)
  })

  test('the caller, and a repository', async () => {
    expect((await octokit.users.getAuthenticated()).data).toMatchObject({ login: 'ada', id: 17 })
    expect((await octokit.repos.get(KETTLE)).data.full_name).toBe('forge/kettle')
  })
})

test('@octokit/rest 16 asks for a one-time password, creates a token with it, and uses the token', async () => {
  let asked = 0
  const basic = new Octokit({
    baseUrl: world.url,
    log: SILENT,
    auth: {
      username: 'ada',
      password: PASSWORD,
      on2fa: async () => {
        asked++
        return CODE
      },
    },
  })
  const { status, data } = await basic.oauthAuthorizations.createAuthorization({
    note: 'octokit 16',
    scopes: ['repo'],
  })
  expect([status, asked]).toEqual([201, 1])
  expect(data.token).toMatch(/^[0-9a-f]{40}$/)
  const made = new Octokit({ auth: `token ${data.token}`, baseUrl: world.url, log: SILENT })
  expect((await made.users.getAuthenticated()).data.login).toBe('ada')
  await basic.oauthAuthorizations.deleteAuthorization({ authorization_id: data.id })
  await expect(made.users.getAuthenticated()).rejects.toMatchObject({ status: 401 })
})

test('@octokit/rest 16 runs a whole migration', THOROUGH, async () => {
  const { migrations } = octokit
  // Its types do not know all options of the interface.
  const options = {
    repositories: ['ada/notes'],
    lock_repositories: true,
    exclude_attachments: true,
    exclude_git_data: true,
  }
  const { data } = await migrations.startForAuthenticatedUser(options)
  expect(data.state).toBe('pending')
  const migration_id = data.id
  await world.server.idle()
  const status = await migrations.getStatusForAuthenticatedUser({ migration_id })
  expect(status.data.state).toBe('exported')
  const archive = await migrations.getArchiveForAuthenticatedUser({ migration_id })
  expect(Buffer.from(archive.data as unknown as ArrayBuffer).subarray(0, 2)).toEqual(
    Buffer.from([0x1f, 0x8b]),
  )
  const repo_name = 'notes'
  await migrations.unlockRepoForAuthenticatedUser({ migration_id, repo_name })
  await migrations.deleteArchiveForAuthenticatedUser({ migration_id })
  await expect(migrations.getArchiveForAuthenticatedUser({ migration_id })).rejects.toMatchObject({
    status: 404,
  })
})
