/** Servers that take imports, and how clients ask them. */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { AccountsFile } from '../../src/http/access/accounts-file.ts'
import { formatNodeId } from '../../src/interface/node-id.ts'
import type { ServeOptions } from '../../src/rest/serve-options.ts'
import { type ArchiveServer, serveArchive } from '../../src/serve/serve-archive.ts'
import { folderOf } from './folder.ts'
import { accountsOf, as } from './serve-world.ts'

const ORIGIN = 'http://localhost:8730'
/** The number of the organization `target`, as its accounts file has it. */
export const TARGET = 4242

/** `ada` and `eve` own the organization `target`, `bob` is a member, `mal` owns another one. */
export const IMPORTERS: AccountsFile = accountsOf(
  {
    ada: ['repo', 'admin:org'],
    eve: ['admin:org'],
    bob: ['admin:org'],
    mal: ['admin:org'],
    may: ['repo'],
  },
  [
    {
      login: 'target',
      id: TARGET,
      members: [
        { login: 'ada', role: 'admin' },
        { login: 'eve', role: 'admin' },
        { login: 'may', role: 'admin' },
        { login: 'bob', role: 'member' },
      ],
    },
    { login: 'other', id: 4343, members: [{ login: 'mal', role: 'admin' }] },
  ],
)

/** A server that takes imports, and a folder for its state, with which it can be opened again. */
export async function serveImports(
  databases: readonly string[] = [],
  options: ServeOptions = {},
): Promise<ArchiveServer & { folder: string }> {
  const state = options.state ?? join(await folderOf(), 'it.serve')
  const server = await open(databases, { ...options, state })
  onTestFinished(server.close)
  return server
}

/** The same for all tests of a suite, which closes it. */
export async function keepImports(): Promise<ImportServer> {
  const folder = await mkdtemp(join(tmpdir(), 'migration-archive-'))
  const server = await open([], { state: join(folder, 'it.serve') })
  return {
    ...server,
    async close() {
      await server.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

type ImportServer = ArchiveServer & { folder: string }

async function open(databases: readonly string[], options: ServeOptions & { state: string }) {
  const server = await serveArchive(databases, {
    imports: true,
    accounts: IMPORTERS,
    pace: 0,
    ...options,
  })
  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= server.close()
    return closing
  }
  return { ...server, close, folder: options.state }
}

/** An answer, with its body parsed if it is JSON. */
export interface Answered {
  status: number
  location: string
  // biome-ignore lint/suspicious/noExplicitAny: tests compare it
  body: any
}

interface Sent {
  by?: string | undefined
  body?: string | Uint8Array | undefined
  headers?: Record<string, string> | undefined
}

/** Sends a request without a socket. */
export async function send(
  server: Pick<ArchiveServer, 'fetch'>,
  method: string,
  path: string,
  { by = 'ada', body, headers = {} }: Sent = {},
): Promise<Answered> {
  const url = path.startsWith('/') ? ORIGIN + path : path
  const request = new Request(url, {
    method,
    headers: { ...(by && as(by)), ...headers },
    ...(body !== undefined && { body: body as BodyInit }),
  })
  const answer = await server.fetch(request)
  const text = await answer.text()
  const isJson = answer.headers.get('content-type')?.startsWith('application/json')
  const location = answer.headers.get('location') ?? ''
  return { status: answer.status, location, body: isJson ? JSON.parse(text) : text }
}

export const WHOLE = `/organizations/${TARGET}/gei/archive`
export const PARTS = `${WHOLE}/blobs/uploads`

/** Uploads a whole archive, and gives its address. */
export async function uploadWhole(
  server: Pick<ArchiveServer, 'fetch'>,
  body: Uint8Array,
  sent: Sent = {},
): Promise<string> {
  const { status, body: answer } = await send(server, 'POST', `${WHOLE}?name=archive.tar.gz`, {
    ...sent,
    body,
  })
  if (status !== 201) throw new Error(JSON.stringify(answer))
  return answer.uri
}

/** Sends an operation of GraphQL. */
export async function ask(
  server: Pick<ArchiveServer, 'fetch'>,
  query: string,
  variables: object = {},
  sent: Sent = {},
): Promise<Answered> {
  const body = JSON.stringify({ query, variables })
  return send(server, 'POST', '/graphql', { ...sent, body })
}

export const OWNER_ID = formatNodeId('Organization', TARGET)

export const CREATE_SOURCE = `mutation createMigrationSource($name: String!, $url: String!, $ownerId: ID!, $type: MigrationSourceType!) {
  createMigrationSource(input: {name: $name, url: $url, ownerId: $ownerId, type: $type}) {
    migrationSource { id name url type }
  }
}`

export const START = `mutation startRepositoryMigration($sourceId: ID!, $ownerId: ID!, $sourceRepositoryUrl: URI!,
    $repositoryName: String!, $continueOnError: Boolean!, $gitArchiveUrl: String, $metadataArchiveUrl: String,
    $accessToken: String!, $githubPat: String, $skipReleases: Boolean, $targetRepoVisibility: String, $lockSource: Boolean) {
  startRepositoryMigration(input: {sourceId: $sourceId, ownerId: $ownerId, sourceRepositoryUrl: $sourceRepositoryUrl,
    repositoryName: $repositoryName, continueOnError: $continueOnError, gitArchiveUrl: $gitArchiveUrl,
    metadataArchiveUrl: $metadataArchiveUrl, accessToken: $accessToken, githubPat: $githubPat,
    skipReleases: $skipReleases, targetRepoVisibility: $targetRepoVisibility, lockSource: $lockSource}) {
    repositoryMigration { id databaseId migrationSource { id name type } sourceUrl state failureReason }
  }
}`

export const WATCH = `query($id: ID!) { node(id: $id) { ... on Migration {
  id sourceUrl migrationLogUrl migrationSource { name } state warningsCount failureReason repositoryName
} } }`

/** Makes a source, and gives its id. */
export async function createSource(
  server: ArchiveServer,
  type = 'GITHUB_ARCHIVE',
): Promise<string> {
  const variables = { name: 'GHEC', url: 'https://github.com', ownerId: OWNER_ID, type }
  const { body } = await ask(server, CREATE_SOURCE, variables)
  return body.data.createMigrationSource.migrationSource.id
}

/** Starts a migration. */
export const start = async (
  server: ArchiveServer,
  uri: string,
  more: object = {},
  sent: Sent = {},
) =>
  ask(
    server,
    START,
    {
      sourceId: await createSource(server),
      ownerId: OWNER_ID,
      sourceRepositoryUrl: 'https://github.com/tea/kettle',
      repositoryName: 'kettle',
      continueOnError: true,
      gitArchiveUrl: uri,
      metadataArchiveUrl: uri,
      accessToken: 'a-secret-of-the-source',
      githubPat: 'another-secret',
      ...more,
    },
    sent,
  )

/** The migration as it is now. */
export const watch = async (server: ArchiveServer, id: string, sent: Sent = {}) =>
  (await ask(server, WATCH, { id }, sent)).body.data?.node

/** Starts a migration, and gives it when it has ended. */
export async function importArchive(server: ArchiveServer, uri: string, more: object = {}) {
  const { body } = await start(server, uri, more)
  if (body.errors) throw new Error(JSON.stringify(body.errors))
  await server.idle()
  return watch(server, body.data.startRepositoryMigration.repositoryMigration.id)
}
