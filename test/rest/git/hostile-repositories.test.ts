import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { loadArchive } from '../../../src/load/load-archive.ts'
import { type ArchiveServer, serveArchive } from '../../../src/serve/serve-archive.ts'
import {
  type HostileRepository,
  type HostileWorld,
  hostileWorld,
  SOUND,
} from '../../support/hostile-repositories.ts'
import { firstOfEach, THOROUGH } from '../../support/thorough.ts'

let world: HostileWorld
let server: ArchiveServer
let plain: ArchiveServer
/** Faults of the server, for which nobody is to blame but the server. */
const faults: string[] = []

beforeAll(async () => {
  world = made
  const path = join(world.root, 'it.db')
  await loadArchive(world.folder, path)
  const log = ({ fault }: { fault?: string | undefined }) => {
    if (fault !== undefined) faults.push(fault)
  }
  server = await serveArchive([path], { log, pages: 'all', state: join(world.root, 'state') })
  plain = await serveArchive([path], { log, state: ':memory:', git: 'no-such-program' })
})

afterAll(async () => {
  await server.close()
  await plain.close()
  world.close()
})

beforeEach(() => {
  faults.length = 0
})

const made = hostileWorld()
const CASES = made.repositories.map((one) => ({ ...one, title: `${one.code}: ${one.what}` }))

async function ask(path: string, from = server, accept = '*/*') {
  const request = new Request(`http://localhost${path}`, { headers: { accept } })
  const answer = await from.fetch(request)
  // A download that is damaged in the middle ends early.
  const text = await answer.text().catch(() => '')
  return { status: answer.status, text }
}

const ENDPOINTS = [
  '',
  '/branches',
  '/tags',
  '/git/refs',
  '/commits',
  '/commits/main',
  '/contents',
  '/contents/README.md',
  '/contents/a',
  '/contents/secret',
  '/contents/..%2fx',
  '/readme',
  '/git/trees/main?recursive=1',
  `/git/blobs/${SOUND.blob}`,
  `/git/blobs/${'a'.repeat(40)}`,
  '/branches/main',
  '/branches/round',
  '/git/ref/tags/long',
  '/compare/main...other',
  '/languages',
  '/tarball/main',
  '/zipball/main',
]
const PAGES = [
  '',
  '/tree/main',
  '/blob/main/README.md',
  '/blob/main/a',
  '/raw/main/a',
  '/commits/main',
  '/commit/main',
  '/branches',
  '/tags',
  '/compare/main...other',
]
/** What a client may hear. */
const STATUSES = [200, 302, 403, 404, 409, 415, 422]

/** To git, damage is damage, and a repository without commits has none whatever its HEAD says. */
const [[ofGitEveryDay]] = firstOfEach(CASES, ({ code, name }) =>
  code === 'G4' || code === 'G7' ? code : name,
)
/** Damage of the other kinds is met by the readers of objects and packs, whose tests have each of them. */
const DAMAGES = ['flipped', 'unindexed', 'lacks', 'sha256']
const isEveryDay = ({ code, name }: HostileRepository) => code !== 'G4' || DAMAGES.includes(name)

describe.each(CASES)('$title ($name)', (each) => {
  const { name } = each
  const ofGit = ofGitEveryDay.includes(each) ? {} : THOROUGH
  const ofEndpoints = isEveryDay(each) ? {} : THOROUGH
  test('is answered for by every endpoint and page', ofEndpoints, async () => {
    for (const path of ENDPOINTS) {
      const { status } = await ask(`/repos/ada/${name}${path}`)
      expect([path, STATUSES.includes(status)]).toEqual([path, true])
    }
    for (const path of PAGES) {
      const { status } = await ask(`/ada/${name}${path}`, server, 'text/html')
      expect([path, STATUSES.includes(status)]).toEqual([path, true])
    }
    expect(faults).toEqual([])
  })

  test('is answered for by plain files', () => expectGitAnswers(plain))

  test('is answered for by git', ofGit, () => expectGitAnswers(server))

  async function expectGitAnswers(from: ArchiveServer): Promise<void> {
    const refs = await ask(`/ada/${name}.git/info/refs?service=git-upload-pack`, from)
    const isRefused = /sha256|reftable/.test(name) || (name === 'unindexed' && from === plain)
    expect(refs.status).toBe(isRefused ? 404 : 200)
    expect(refs.text).not.toMatch(/__gh__|passwd|\.\.|@\{/)
    for (const path of ['HEAD', `objects/aa/${'a'.repeat(38)}`, 'objects/info/packs']) {
      const { status } = await ask(`/ada/${name}.git/${path}`, from)
      expect([path, [200, 404].includes(status)]).toEqual([path, true])
    }
    expect(faults).toEqual([])
  }
})

describe('Of hostile repositories', () => {
  test('G1: nothing is run, and nothing but objects and refs is kept', () => {
    expect(existsSync(world.witness)).toBe(false)
    const kept = readdirSync(join(world.root, 'state/git'), { recursive: true, encoding: 'utf8' })
    const files = kept.filter((path) => !/^[0-9a-f]{40}\.git(?:\/|$)/.test(path))
    expect(files).toEqual([])
    expect(kept.join('\n')).not.toMatch(/hooks|evil|alternates|commondir|gitdir|commit-graph|multi/)
    for (const path of kept.filter((each) => each.endsWith('/config'))) {
      const config = readFileSync(join(world.root, 'state/git', path), 'utf8')
      expect(config).toMatch(/^\[core\]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare/)
    }
  })

  test('G2: nothing outside of the archive is read', async () => {
    const { oid, text } = world.secret
    const loose = `/ada/borrows.git/objects/${oid.slice(0, 2)}/${oid.slice(2)}`
    const paths = ['/repos/ada/borrows/contents/secret', `/repos/ada/borrows/git/blobs/${oid}`]
    for (const [path, from] of [...paths, loose].flatMap((path) => [
      [path, server] as const,
      [path, plain] as const,
    ])) {
      const answer = await ask(path, from)
      expect([answer.status, answer.text.includes(text.trim())]).toEqual([404, false])
    }
  })

  test('G4: the answer names the damage', async () => {
    const { text } = await ask('/ada/unindexed.git/info/refs', plain)
    expect(text).toBe('The Git data are damaged: expected the index of a pack, version 1 or 2\n')
    const { status, text: json } = await ask('/repos/ada/flipped/contents')
    expect([status, JSON.parse(json).message]).toEqual([
      422,
      'An object of this repository is damaged in the archive',
    ])
    expect((await ask('/repos/ada/flipped/languages')).text).toBe('{}')
  })

  test(
    'G4: where git fails without a word, a client hears what to do, and the log what git said',
    THOROUGH,
    async () => {
      const body = `0011command=fetch00010032want ${SOUND.commit}\n0009done\n0000`
      const answer = await server.fetch(
        new Request('http://localhost/ada/astray.git/git-upload-pack', {
          method: 'POST',
          body,
          headers: { 'git-protocol': 'version=2' },
        }),
      )
      expect([answer.status, await answer.text()]).toEqual([
        502,
        'Git cannot read this repository. The command marc repo fsck says what is damaged.\n',
      ])
      expect(faults).toEqual([
        expect.stringMatching(/^git upload-pack ended with 128: fatal: offset/),
      ])
    },
  )

  test('G5: hidden refs and those that Git does not take are not shown', async () => {
    const { text } = await ask('/ada/refs.git/info/refs', plain)
    const names = [...text.matchAll(/^[0-9a-f]{40}\t(.*)$/gm)].map(([, name = '']) => name)
    const odd = ['b'.repeat(40), 'main', 'x'.repeat(300), 'é'].map((name) => `refs/heads/${name}`)
    expect(names.sort()).toEqual([...odd, 'refs/pull/1/head'].sort())
  })
})
