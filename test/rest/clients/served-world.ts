/** The world, served over HTTP to clients. */

import { afterAll, beforeAll } from 'vitest'
import { sha256Of } from '../../../src/http/access/accounts.ts'
import type { AccountsFile } from '../../../src/http/access/accounts-file.ts'
import { type ArchiveServer, serveArchive } from '../../../src/serve/serve-archive.ts'
import { commitOf, looseOf, oidOf, repositoryOf, treeOf } from '../../support/build-pack.ts'
import type { Files } from '../../support/build-tar.ts'
import { cheapHash } from '../../support/cheap-hash.ts'
import { HOST, KETTLE, worldRecords } from '../../support/rest-world.ts'
import { shareDatabases, type WorldWithFiles } from '../../support/serve-world.ts'

export const PASSWORD = 'tea at five'
export const CODE = '246810'

/** Tokens by who has them. */
export const TOKENS = {
  owner: 'owner-0123456789',
  member: 'member-0123456789',
  other: 'other-0123456789',
  unscoped: 'unscoped-0123456789',
  directory: 'directory-0123456789',
} as const

export const ACCOUNTS: AccountsFile = {
  version: 1,
  accounts: [
    { login: 'ada', emails: ['ada@forge.example', 'countess@forge.example'] },
    { login: 'carol' },
    { login: 'twin' },
  ],
  applications: [
    {
      client_id: 'kettle',
      secret_sha256: sha256Of('secret'),
      name: 'Kettle',
      url: 'https://kettle.example',
    },
  ],
  tokens: [
    { login: 'ada', sha256: sha256Of(TOKENS.owner), scopes: ['repo'] },
    { login: 'carol', sha256: sha256Of(TOKENS.member), scopes: ['repo'] },
    { login: 'twin', sha256: sha256Of(TOKENS.other), scopes: ['repo'] },
    { login: 'ada', sha256: sha256Of(TOKENS.unscoped), scopes: ['user'] },
    {
      login: 'ada',
      sha256: sha256Of(TOKENS.directory),
      client_id: 'kettle',
      scopes: ['https://scopes.example/auth/admin.directory.user.security'],
    },
  ],
}

const README = '# Kettle\n'
const blob = oidOf('blob', README)
const tree = oidOf('tree', treeOf(['100644', 'README.md', blob]))
const commit = oidOf('commit', commitOf(tree))
const tagText = `object ${commit}\ntype commit\ntag v1\ntagger Ada <ada@forge.example> 1714564800 +0200\n\nOne\n`

/** The objects of the one commit of `forge/kettle`, and its annotated tag `v1`. */
export const GIT = { blob, tree, commit, tag: oidOf('tag', tagText) }

/** The Git data of a repository, as the archive has them. */
export const gitDataOf = (fullName: string): Files =>
  repositoryOf(fullName, {
    ...looseOf('blob', README),
    ...looseOf('tree', treeOf(['100644', 'README.md', blob])),
    ...looseOf('commit', commitOf(tree)),
    ...looseOf('tag', tagText),
    'refs/heads/main': `${commit}\n`,
    'refs/tags/v1': `${GIT.tag}\n`,
  })

/** The Git data of `forge/kettle`. */
export const gitData = gitDataOf('forge/kettle')

export const protectedBranches = [
  {
    type: 'protected_branch',
    name: 'main',
    url: `${KETTLE}/settings/branches/main`,
    repository_url: KETTLE,
    creator_url: `${HOST}/ada`,
    admin_enforced: true,
  },
]

const WORLD: WorldWithFiles = {
  records: { ...worldRecords(), protected_branches: protectedBranches },
  files: gitData,
}

/** Serves the world on a port of its own for the tests of a file; everything in it happened within the last hours. */
export function serveWorld(
  more: Partial<AccountsFile> = {},
  world: WorldWithFiles = WORLD,
): {
  readonly server: ArchiveServer
  readonly url: string
} {
  const { paths } = shareDatabases(world)
  const shared = {} as { server: ArchiveServer; url: string }
  beforeAll(async () => {
    const [ada = { login: 'ada' }, ...others] = ACCOUNTS.accounts ?? []
    const two_factor = { delivery: 'app' as const, code: CODE }
    const password = cheapHash(PASSWORD)
    const accounts = {
      ...ACCOUNTS,
      ...more,
      accounts: [{ ...ada, password, two_factor }, ...others],
    }
    const now = new Date('2024-05-06T12:00:00Z')
    shared.server = await serveArchive(paths, {
      port: 0,
      pace: 0,
      state: ':memory:',
      accounts,
      now,
    })
    shared.url = shared.server.url ?? ''
  })
  afterAll(() => shared.server.close())
  return shared
}
