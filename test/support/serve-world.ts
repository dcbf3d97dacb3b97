/** Databases and servers that the tests of a file share. */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { sha256Of } from '../../src/http/access/accounts.ts'
import type { AccountsFile } from '../../src/http/access/accounts-file.ts'
import { type Catalog, type CatalogOptions, openCatalog } from '../../src/rest/catalog/catalog.ts'
import type { ServeOptions } from '../../src/rest/serve-options.ts'
import { type ArchiveServer, serveArchive } from '../../src/serve/serve-archive.ts'
import { type Files, tarOf } from './build-tar.ts'
import { loadOnce } from './load-once.ts'
import { filesOf } from './rest-world.ts'

type Records = Readonly<Record<string, readonly object[]>>

export interface WorldWithFiles {
  readonly records: Records
  /** Further entries of its archive. */
  readonly files: Files
}
type World = Records | WorldWithFiles

const asWorld = (world: World): WorldWithFiles =>
  'files' in world && !Array.isArray(world.files)
    ? (world as WorldWithFiles)
    : { records: world as Records, files: {} }

/** Loads each world into a database before the tests of a file, and gives the paths. */
export function shareDatabases(...worlds: World[]): { readonly paths: string[] } {
  const shared = { paths: [] as string[] }
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'migration-archive-'))
    for (const [i, world] of worlds.entries()) {
      const { records, files } = asWorld(world)
      const path = join(folder, `${i}.db`)
      await loadOnce([tarOf({ ...filesOf(records), ...files })], path, {})
      shared.paths.push(path)
    }
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))
  return shared
}

/** Opens a catalog of these worlds, one database each, for the tests of a file. */
export function shareCatalog(worlds: Records[], options: CatalogOptions = {}): () => Catalog {
  const { paths } = shareDatabases(...worlds)
  let catalog: Catalog
  beforeAll(async () => {
    catalog = await openCatalog(paths, { lookEvery: 0, ...options })
  })
  afterAll(() => catalog.close())
  return () => catalog
}

/** An answer, its body parsed. */
export interface Told<Body> {
  readonly status: number
  readonly headers: Headers
  readonly body: Body
}

/** Asks a server without a socket. */
export type Ask = <Body = Readonly<Record<string, unknown>>>(
  path: string,
  headers?: Record<string, string>,
) => Promise<Told<Body>>

/** Accounts with a token each: its scopes by login. */
export const accountsOf = (
  scopes: Readonly<Record<string, readonly string[]>>,
  organizations: AccountsFile['organizations'] = [],
): AccountsFile => ({
  version: 1,
  accounts: Object.keys(scopes).map((login) => ({ login })),
  organizations,
  tokens: Object.entries(scopes).map(([login, each]) => ({
    login,
    sha256: sha256Of(tokenOf(login)),
    scopes: [...each],
  })),
})

const tokenOf = (login: string) => `the-token-of-${login}`

/** The header of a request by somebody. */
export const as = (login: string) => ({ authorization: `token ${tokenOf(login)}` })

/** Serves these worlds for the tests of a file. */
export function shareServer(worlds: Records[], options: ServeOptions = {}, files: Files = {}): Ask {
  const { paths } = shareDatabases(...worlds.map((records) => ({ records, files })))
  let server: ArchiveServer
  beforeAll(async () => {
    server = await serveArchive(paths, { state: ':memory:', ...options })
  })
  afterAll(() => server.close())
  return async (path, headers = {}) => {
    const request = new Request(`http://localhost:8730${path}`, { headers })
    const response = await server.fetch(request)
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    const { status } = response
    return { status, headers: response.headers, body: isJson ? JSON.parse(text) : text }
  }
}
