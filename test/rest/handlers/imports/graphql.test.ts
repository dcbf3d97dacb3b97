import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { formatNodeId } from '../../../../src/interface/node-id.ts'
import type { ArchiveServer } from '../../../../src/serve/serve-archive.ts'
import {
  ask,
  createSource,
  importArchive,
  keepImports,
  OWNER_ID,
  PARTS,
  send,
  serveImports,
  start,
  TARGET,
  uploadWhole,
  watch,
} from '../../../support/imports.ts'
import { everyDay, THOROUGH } from '../../../support/thorough.ts'

const HELLO = readFileSync('samples/hello.tar.gz')

/** Several imports, each in a process of its own. */
const LONG = { ...THOROUGH, timeout: 120_000 }
const PATIENT = { timeout: 60_000 }

const messageOf = ({ body }: { body: { errors?: { message: string }[] } }) =>
  body.errors?.[0]?.message

describe('An archive that was imported', () => {
  let server: ArchiveServer & { folder: string }
  // biome-ignore lint/suspicious/noExplicitAny: tests compare it
  let migration: any
  beforeAll(async () => {
    server = await keepImports()
    const uri = await uploadWhole(server, HELLO)
    migration = await importArchive(server, uri, { targetRepoVisibility: 'internal' })
  }, 60_000)
  afterAll(() => server.close())

  test('is a migration that has succeeded', () => {
    expect(migration).toMatchObject({
      state: 'SUCCEEDED',
      failureReason: null,
      repositoryName: 'kettle',
      migrationSource: { name: 'GHEC' },
    })
    expect(migration.warningsCount).toBeGreaterThan(0)
  })

  test('is a repository of the interface under its new name, for those who may read it', async () => {
    const { status, body } = await send(server, 'GET', '/repos/target/kettle')
    expect([status, body.full_name, body.private, body.owner.login]).toEqual([
      200,
      'target/kettle',
      true,
      'target',
    ])
    expect(body.html_url).toBe('https://github.com/target/kettle')
    const issues = await send(server, 'GET', '/repos/target/kettle/issues?state=all')
    expect(issues.body.length).toBeGreaterThan(0)
    for (const { html_url } of issues.body) {
      expect(html_url).toMatch(/^https:\/\/github\.com\/target\/kettle\//)
    }
    expect((await send(server, 'GET', '/repos/target/kettle', { by: '' })).status).toBe(404)
  })

  test('is there for Git', THOROUGH, async () => {
    const path = '/target/kettle.git/info/refs?service=git-upload-pack'
    const { status, body } = await send(server, 'GET', path)
    expect([status, body]).toEqual([200, expect.stringContaining('refs/heads/main')])
  })

  test('has a log, whose address is signed and needs no token', async () => {
    const { pathname, search } = new URL(migration.migrationLogUrl)
    const { status, body } = await send(server, 'GET', pathname + search, { by: '' })
    expect(status).toBe(200)
    const lines = body.trim().split('\n')
    for (const line of lines) expect(line).toMatch(/^\[\d{4}-[^\]]+Z\] (INFO|WARN|ERROR) -- /)
    const warnings = lines.filter((line: string) => line.includes('] WARN -- '))
    expect(warnings).toHaveLength(migration.warningsCount)
    expect(body).toContain('internal is private here')
    expect((await send(server, 'GET', pathname, { by: '' })).status).toBe(403)
  })

  test('has people without an account as mannequins, in the interface as well', async () => {
    const typeOf = async (login: string) => (await send(server, 'GET', `/users/${login}`)).body.type
    expect([await typeOf('teo-park'), await typeOf('bob')]).toEqual(['Mannequin', 'User'])
    const { body } = await send(server, 'GET', '/repos/target/kettle/issues/1')
    expect(body.user).toMatchObject({ login: 'teo-park', type: 'Mannequin' })
  })

  test('has people without an account as mannequins, in pages', async () => {
    const query = `query($id: ID!, $first: Int, $after: String) { node(id: $id) { ... on Organization {
      mannequins(first: $first, after: $after) { pageInfo { endCursor hasNextPage } nodes { login id claimant { login id } } } } } }`
    const logins: string[] = []
    let after: string | null = null
    do {
      const { body } = await ask(server, query, { id: OWNER_ID, first: 2, after })
      const { nodes, pageInfo } = body.data.node.mannequins
      logins.push(...nodes.map(({ login }: { login: string }) => login))
      after = pageInfo.hasNextPage ? pageInfo.endCursor : null
    } while (after !== null)
    expect(logins).toEqual(['ines-okafor', 'mona-lindqvist', 'rui-valdez', 'teo-park'])
  })

  test('leaves nothing of the tokens in the state', () => {
    const files = readdirSync(server.folder, { recursive: true, withFileTypes: true })
    for (const file of files.filter((each) => each.isFile())) {
      const text = readFileSync(join(file.parentPath, file.name), 'latin1')
      expect(text.includes('a-secret-of-the-source'), file.name).toBe(false)
      expect(text.includes('another-secret'), file.name).toBe(false)
    }
  })

  test('keeps its name: another import of it is refused', async () => {
    const uri = await uploadWhole(server, HELLO)
    expect(messageOf(await start(server, uri, { repositoryName: 'KETTLE' }))).toBe(
      'A repository called target/KETTLE already exists',
    )
  })

  test('is listed for its organization, the newest first', async () => {
    const query = `query($login: String!) { organization(login: $login) { login id databaseId name
      repositoryMigrations(last: 1, repositoryName: "kettle") { nodes { id state } } } }`
    const { body } = await ask(server, query, { login: 'Target' })
    expect(body.data.organization).toEqual({
      login: 'target',
      id: OWNER_ID,
      databaseId: TARGET,
      name: expect.anything(),
      repositoryMigrations: { nodes: [{ id: migration.id, state: 'SUCCEEDED' }] },
    })
  })

  test('is served again after the server was stopped', THOROUGH, async () => {
    const first = await serveImports()
    await importArchive(first, await uploadWhole(first, HELLO))
    await first.close()
    const again = await serveImports([], { state: first.folder })
    expect((await send(again, 'GET', '/repos/target/kettle')).status).toBe(200)
  })
})

test('What is no archive fails, and says why', async () => {
  const server = await serveImports()
  const migration = await importArchive(
    server,
    await uploadWhole(server, Buffer.from('no archive')),
  )
  expect(migration).toMatchObject({
    state: 'FAILED',
    failureReason: expect.stringMatching(/^not-an-archive: /),
    migrationLogUrl: expect.any(String),
  })
  expect((await send(server, 'GET', '/repos/target/kettle')).status).toBe(404)
})

test(
  'An archive that the importer would not take is not valid, and its log has the places',
  THOROUGH,
  async () => {
    const server = await serveImports()
    const uri = await uploadWhole(server, readFileSync('samples/broken.tar.gz'))
    const migration = await importArchive(server, uri)
    expect(migration).toMatchObject({
      state: 'FAILED_VALIDATION',
      failureReason: expect.stringMatching(/^The archive is not valid: /),
    })
    const { pathname, search } = new URL(migration.migrationLogUrl)
    const { body } = await send(server, 'GET', pathname + search)
    expect(body).toMatch(/\] ERROR -- [a-z-]+: /)
  },
)

describe('A migration is not started', () => {
  let server: ArchiveServer
  let uri: string
  beforeAll(async () => {
    server = await keepImports()
    uri = await uploadWhole(server, Buffer.from('bytes'))
  })
  afterAll(() => server.close())

  everyDay(3)([
    ['..', 'A repository cannot be called ".."'],
    ['a/b', 'A repository cannot be called "a/b"'],
    ['a.git', 'A repository cannot be called "a.git"'],
    ['', 'A repository cannot be called ""'],
    ['a\u0000', 'A repository cannot be called "a\\u0000"'],
  ])('under the name %j', async (repositoryName, message) => {
    expect(messageOf(await start(server, uri, { repositoryName }))).toBe(message)
  })

  everyDay(2)([
    [{ gitArchiveUrl: 'https://example.org/a.tar.gz' }, /gei:\/\/ address/],
    [{ gitArchiveUrl: 'gei://archive/../../state.db' }, /gei:\/\/ address/],
    [{ gitArchiveUrl: `gei://archive/${'0'.repeat(36)}` }, /^There is no archive/],
    [{ gitArchiveUrl: null, metadataArchiveUrl: null }, /must be given/],
    [{ targetRepoVisibility: 'secret' }, /one of private, internal, public/],
    [{ sourceRepositoryUrl: 'javascript:alert(1)' }, /not the address of a repository/],
    [{ sourceId: 'MDQ6VXNlcjE3' }, /^Could not resolve to a node with the global id of/],
    [{ ownerId: 'nonsense' }, /^Could not resolve to a node with the global id of 'nonsense'/],
  ])('with %j', async (more, message) => {
    expect(messageOf(await start(server, uri, more))).toMatch(message)
  })

  test('from a source of another type', async () => {
    const sourceId = await createSource(server, 'GITLAB')
    expect(messageOf(await start(server, uri, { sourceId }))).toMatch(/of the type GITHUB_ARCHIVE/)
  })

  test("with another account's upload, or by somebody who may not", THOROUGH, async () => {
    expect(messageOf(await start(server, uri, {}, { by: 'eve' }))).toMatch(/^There is no archive/)
    for (const by of ['bob', 'mal']) {
      expect(messageOf(await start(server, uri, {}, { by }))).toBe(
        `${by} does not have the correct permissions to execute \`StartRepositoryMigration\``,
      )
    }
    expect((await start(server, uri, {}, { by: '' })).status).toBe(401)
  })

  test('with a token of an owner that has another scope', async () => {
    const { body } = await start(server, uri, {}, { by: 'may' })
    expect(body.errors).toEqual([
      expect.objectContaining({
        type: 'INSUFFICIENT_SCOPES',
        message:
          'Your token has not been granted the required scopes: `StartRepositoryMigration` needs admin:org, and it has repo',
      }),
    ])
  })

  test('with an upload that is not complete', async () => {
    const body = JSON.stringify({ name: 'a', size: 5 })
    const { location } = await send(server, 'POST', PARTS, { body })
    const half = `gei://archive/${new URL(location).searchParams.get('guid')}`
    expect(messageOf(await start(server, half))).toMatch(/is not complete$/)
  })
})

describe('An operation', () => {
  let server: ArchiveServer
  beforeAll(async () => {
    server = await keepImports()
  })

  test.each([
    [
      '{ repository(owner: "a", name: "b") { id } }',
      /^The operation repository is not served here/,
    ],
    [
      'mutation { addStar(input: {starrableId: "a"}) { id } }',
      /^The operation addStar is not served/,
    ],
    ['{ viewer { login email } }', /^The field email of User is not served here/],
    ['{ viewer { login }', /^Syntax Error/],
    ['', /^Syntax Error/],
  ])('that is not served is refused in the form of GraphQL: %s', async (query, message) => {
    const answer = await ask(server, query)
    expect(answer.status).toBe(200)
    expect(messageOf(answer)).toMatch(message)
    expect(answer.body.data).toBeUndefined()
  })

  test('of a hundred thousand aliases, or nested deep, ends soon', async () => {
    const aliases = Array.from({ length: 50_000 }, (_, i) => `a${i}:viewer{id}`).join(' ')
    expect(messageOf(await ask(server, `{ ${aliases} }`))).toMatch(/token/)
    const nodes = 'repositoryMigrations { nodes { migrationSource { id } } }'
    const deep = (levels: number) =>
      `{ node(id: "a") { ${'... on Organization { '.repeat(levels)} ${nodes} ${'} '.repeat(levels)} } }`
    expect(messageOf(await ask(server, deep(10)))).toMatch(/^Could not resolve/)
    const introspection = '{ __schema { types { fields { type '
    const types = `${introspection}${'{ ofType '.repeat(30)}{ name }${'} '.repeat(34)}`
    expect(messageOf(await ask(server, types))).toMatch(/nested deeper than 15/)
    const cycle = '{ viewer { ...A } } fragment A on User { ...B } fragment B on User { ...A }'
    expect(messageOf(await ask(server, cycle))).toMatch(/nested deeper|within itself/)
    expect((await ask(server, '['.repeat(500_000))).status).toBe(200)
  })

  test('answers who the caller is, and what is unknown', async () => {
    const { body } = await ask(server, '{ viewer { login id } }')
    expect(body.data.viewer.login).toBe('ada')
    const id = formatNodeId('RepositoryMigration', 77)
    const unknown = await ask(server, 'query($id: ID!) { node(id: $id) { id } }', { id })
    expect(unknown.body).toMatchObject({
      data: { node: null },
      errors: [
        {
          type: 'NOT_FOUND',
          path: ['node'],
          message: `Could not resolve to a node with the global id of '${id}'`,
        },
      ],
    })
    const nobody = await ask(server, '{ organization(login: "none") { id } }')
    expect(nobody.body.errors[0].type).toBe('NOT_FOUND')
  })

  test('is found below the enterprise address, too, and not without imports', async () => {
    const query = JSON.stringify({ query: '{ viewer { login } }' })
    expect((await send(server, 'POST', '/api/graphql', { body: query })).status).toBe(200)
    const other = await serveImports([], { imports: false })
    expect((await send(other, 'POST', '/graphql', { body: query })).status).toBe(404)
  })
})

test('A migration that waits is aborted, and then its name is free', THOROUGH, async () => {
  const server = await serveImports([], { pace: 60 })
  const uri = await uploadWhole(server, HELLO)
  const { body } = await start(server, uri)
  const { id } = body.data.startRepositoryMigration.repositoryMigration
  const ABORT = `mutation($id: ID!) { abortRepositoryMigration(input: {migrationId: $id}) { success } }`
  expect((await ask(server, ABORT, { id }, { by: 'mal' })).body.errors[0].type).toBe('NOT_FOUND')
  expect((await ask(server, ABORT, { id })).body.data).toEqual({
    abortRepositoryMigration: { success: true },
  })
  expect(await watch(server, id)).toMatchObject({
    state: 'FAILED',
    failureReason: 'The migration was aborted',
    warningsCount: 0,
  })
  expect((await ask(server, ABORT, { id })).body.data.abortRepositoryMigration.success).toBe(false)
  expect((await start(server, uri)).body.errors).toBeUndefined()
})

test('An archive is imported from a host that is named, and from no other', LONG, async () => {
  const host = createServer((_, response) => response.end(HELLO)).listen(0, '127.0.0.1')
  await once(host, 'listening')
  const { port } = host.address() as AddressInfo
  try {
    const server = await serveImports([], { fetchArchives: [`127.0.0.1:${port}`] })
    const address = `http://127.0.0.1:${port}/hello.tar.gz?signature=t0ps3cret`
    const other = address.replace('127.0.0.1', 'localhost')
    expect(messageOf(await start(server, other))).toBe(
      `No archive is fetched from this address: localhost:${port} is not a host that archives are fetched from`,
    )
    const migration = await importArchive(server, address)
    expect(migration).toMatchObject({ state: 'SUCCEEDED', failureReason: null })
    const { pathname, search } = new URL(migration.migrationLogUrl)
    const { body } = await send(server, 'GET', pathname + search, { by: '' })
    expect(body).toContain(`INFO -- Fetching an archive from 127.0.0.1:${port}`)
    expect(body).not.toContain('t0ps3cret')
  } finally {
    host.close()
  }
})

test('A rate limit has the form in which clients of GraphQL look for it', async () => {
  const server = await serveImports([], { rateLimit: { callers: 1 } })
  const viewer = () => ask(server, '{ viewer { login } }')
  expect((await viewer()).body).toEqual({ data: { viewer: { login: 'ada' } } })
  const message = expect.stringMatching(/^API rate limit exceeded/)
  expect(await viewer()).toMatchObject({
    status: 200,
    body: { errors: [{ type: 'RATE_LIMIT', message }] },
  })
  expect((await send(server, 'GET', '/orgs/target')).status).toBe(403)
})

describe('A mannequin', () => {
  const LIST = `query($id: ID!) { node(id: $id) { ... on Organization { mannequins(login: "teo-park") {
    nodes { id login claimant { login } } } } } }`
  const INPUT = '($ownerId: ID!, $sourceId: ID!, $targetId: ID!)'
  const BOTH = `(input: {ownerId: $ownerId, sourceId: $sourceId, targetId: $targetId}) {
    source { ... on Mannequin { login } } target { ... on User { login } } } }`
  const CLAIM = `mutation${INPUT} { reattributeMannequinToUser${BOTH}`
  const INVITE = `mutation${INPUT} { createAttributionInvitation${BOTH}`
  let server: ArchiveServer
  let ids: { ownerId: string; sourceId: string; targetId: string }
  const idOf = async (login: string) =>
    (await ask(server, `{ user(login: "${login}") { id } }`)).body.data.user.id
  const mannequin = async (at = server) =>
    (await ask(at, LIST, { id: OWNER_ID })).body.data.node.mannequins.nodes[0]
  const authors = async (name: string, at = server) => {
    const { body } = await send(at, 'GET', `/repos/target/${name}/issues?state=all`)
    return body.map(({ user }: { user: { login: string } }) => user.login)
  }
  beforeAll(async () => {
    server = await keepImports()
    await importArchive(server, await uploadWhole(server, HELLO))
    const { id: sourceId } = await mannequin()
    ids = { ownerId: OWNER_ID, sourceId, targetId: await idOf('bob') }
  }, 60_000)
  afterAll(() => server.close())

  test('is given to members of the organization alone', async () => {
    const targetId = await idOf('mal')
    expect(messageOf(await ask(server, CLAIM, { ...ids, targetId }))).toBe(
      'Target must be a member of the target organization',
    )
    expect((await ask(server, CLAIM, ids, { by: 'bob' })).body.errors[0].type).toBe('FORBIDDEN')
  })

  test('stays what it is when an account is invited', async () => {
    const { body } = await ask(server, INVITE, ids)
    expect(body.data.createAttributionInvitation).toEqual({
      source: { login: 'teo-park' },
      target: { login: 'bob' },
    })
    expect(await mannequin()).toMatchObject({ claimant: null })
  })

  test('becomes an account with everything of it, for good', THOROUGH, async () => {
    const before = await authors('kettle')
    const { body } = await ask(server, CLAIM, ids)
    expect(body.errors).toBeUndefined()
    await server.idle()
    const claimed = before.map((login: string) => (login === 'teo-park' ? 'bob' : login))
    expect(await authors('kettle')).toEqual(claimed)
    const hello = await send(server, 'GET', '/repos/target/kettle/contributors')
    expect(hello.status).toBe(200)
    expect(await mannequin()).toMatchObject({ claimant: { login: 'bob' } })
    const other = { ...ids, targetId: await idOf('ada') }
    expect(messageOf(await ask(server, CLAIM, other))).toMatch(/is claimed by another account$/)
  })

  test('of a later import is the account at once', LONG, async () => {
    const server = await serveImports()
    const uri = await uploadWhole(server, HELLO)
    await importArchive(server, uri)
    const before = await authors('kettle', server)
    const { id: sourceId } = await mannequin(server)
    await ask(server, CLAIM, { ...ids, sourceId })
    // What is imported afterwards is not written anew by the claim.
    await server.idle()
    await importArchive(server, uri, { repositoryName: 'teapot' })
    const claimed = before.map((login: string) => (login === 'teo-park' ? 'bob' : login))
    expect(claimed).not.toEqual(before)
    expect(await authors('teapot', server)).toEqual(claimed)
  })

  test('of an import that had begun before the claim is the account, too', LONG, async () => {
    const server = await serveImports()
    const uri = await uploadWhole(server, HELLO)
    await importArchive(server, uri)
    const { id: sourceId } = await mannequin(server)
    const { body } = await start(server, uri, { repositoryName: 'teapot' })
    const { id } = body.data.startRepositoryMigration.repositoryMigration
    await expect.poll(async () => (await watch(server, id)).state, PATIENT).not.toBe('QUEUED')
    await ask(server, CLAIM, { ...ids, sourceId })
    await server.idle()
    for (const name of ['kettle', 'teapot']) {
      expect(await authors(name, server)).not.toContain('teo-park')
    }
  })
})
