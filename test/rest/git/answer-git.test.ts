import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createRouter } from '../../../src/http/router.ts'
import { loadArchive } from '../../../src/load/load-archive.ts'
import { GIT, toGitAddress } from '../../../src/rest/git/git-address.ts'
import { type ArchiveServer, serveArchive } from '../../../src/serve/serve-archive.ts'
import { git as gitSync } from '../../support/bare-repository.ts'
import { copyRepository, type GitWorld, gitWorld } from '../../support/git-world.ts'
import { accountsOf, as } from '../../support/serve-world.ts'
import { account, repository } from '../../support/small-world.ts'
import { THOROUGH } from '../../support/thorough.ts'

let world: GitWorld
let server: ArchiveServer
let plain: ArchiveServer
let path: string

beforeAll(async () => {
  world = gitWorld()
  copyRepository(world.directoryOf('ada/kettle'), world.directoryOf('ada/secret'))
  const wiki_url = 'tarball://root/repositories/ada/kettle.wiki.git'
  const records = [
    { ...repository('kettle'), wiki_url },
    repository('pot'),
    repository('gone'),
    { ...repository('secret'), private: true },
    { ...repository('tea'), wiki_url: 'tarball://root/repositories/ada/tea.wiki.git' },
  ]
  copyRepository(world.directoryOf('ada/kettle.wiki'), world.directoryOf('ada/tea.wiki'))
  writeFileSync(join(world.folder, 'repositories_000001.json'), JSON.stringify(records))
  writeFileSync(
    join(world.folder, 'users_000001.json'),
    JSON.stringify([account('ada'), account('bob')]),
  )
  path = join(world.root, 'it.db')
  await loadArchive(world.folder, path)
  const accounts = accountsOf({ ada: ['repo'], bob: ['repo'], cy: [] })
  const options = { port: 0, accounts, state: join(world.root, 'state') }
  server = await serveArchive([path], options)
  plain = await serveArchive([path], { ...options, state: ':memory:', git: 'no-such-program' })
})

afterAll(async () => {
  await server.close()
  await plain.close()
  world.close()
})

const run = promisify(execFile)
let made = 0

/** Runs git as a client: never asks, and knows nothing of this machine's settings. */
async function git(...args: string[]): Promise<string> {
  const { PATH } = process.env
  const env = {
    PATH,
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    LC_ALL: 'C',
    GIT_TERMINAL_PROMPT: '0',
    HOME: world.root,
  }
  const { stdout, stderr } = await run('git', args, { env, cwd: world.root })
  return stdout + stderr
}

async function clone(address: string, ...options: string[]): Promise<string> {
  const directory = join(world.root, `clone-${made++}`)
  await git('clone', '-q', ...options, address, directory)
  return directory
}

const at = (name: string, user = '', from = server) =>
  `${from.url?.replace('://', `://${user}`)}/ada/${name}.git`
const tokenOf = (login: string) => as(login).authorization.slice('token '.length)
const refsOf = (directory: string) =>
  gitSync(directory, ['for-each-ref', '--format=%(objectname) %(refname)'])
const commits = (directory: string, ...args: string[]) =>
  Number(gitSync(directory, ['rev-list', '--count', '--all', ...args]))

/** Asks a server for the refs of a repository, as git does first. */
const askRefs = (name: string, from: ArchiveServer, headers: Record<string, string> = {}) =>
  fetch(`${at(name, '', from)}/info/refs?service=git-upload-pack`, { headers })

describe.each([
  ['git', () => server, THOROUGH, {}],
  // Repositories are found in the same way, and no process is started.
  ['plain files', () => plain, {}, THOROUGH],
] as const)('A server with %s', (_kind, serving, options, ofClone) => {
  test('is cloned from, with all refs but hidden ones, and passes fsck', ofClone, async () => {
    const directory = await clone(at('kettle', '', serving()), '--mirror')
    const expected = refsOf(world.directoryOf('ada/kettle'))
      .split('\n')
      .filter(
        (line) => !line.includes('refs/__gh__/') && !line.endsWith('refs/remotes/origin/HEAD'),
      )
    const found = refsOf(directory)
      .split('\n')
      .filter((line) => !line.endsWith('refs/remotes/origin/HEAD'))
    expect(found).toEqual(expected)
    expect(gitSync(directory, ['fsck', '--full', '--strict'])).toBe('')
    expect(gitSync(directory, ['symbolic-ref', 'HEAD'])).toBe('refs/heads/main\n')
  })

  test(
    'has wikis, also of repositories without Git data, and empty repositories',
    options,
    async () => {
      for (const name of ['kettle.wiki', 'tea.wiki']) {
        expect(await (await askRefs(name, serving())).text()).toContain('refs/heads/master')
      }
      const pot = await askRefs('pot', serving())
      expect(pot.status).toBe(200)
      expect(await pot.text()).not.toContain('refs/')
    },
  )

  test('has wikis and empty repositories that can be cloned', THOROUGH, async () => {
    for (const name of ['kettle.wiki', 'tea.wiki']) {
      const wiki = await clone(at(name, '', serving()))
      expect(readdirSync(wiki).sort()).toEqual(['.git', 'Home.md'])
    }
    const pot = await clone(at('pot', '', serving()))
    expect(commits(pot)).toBe(0)
  })

  test(
    'shows a private repository to those who may read it, and asks strangers who they are',
    options,
    async () => {
      const from = serving()
      const password = Buffer.from(`oauth2:${tokenOf('ada')}`).toString('base64')
      const allowed = await askRefs('secret', from, { authorization: `Basic ${password}` })
      expect(allowed.status).toBe(200)
      expect(await allowed.text()).toContain('refs/heads/main')
      for (const name of ['secret', 'none']) {
        const answer = await askRefs(name, from)
        expect(answer.status).toBe(401)
        expect(answer.headers.get('www-authenticate')).toMatch(/^Basic realm=/)
        expect(await answer.text()).toMatch(/^There is no public .* give a token of this server/)
        const bob = await fetch(`${at(name, '', from)}/info/refs`, { headers: as('bob') })
        expect(bob.status).toBe(404)
        expect(bob.headers.get('www-authenticate')).toBeNull()
        expect(await bob.text()).toBe('There is no such repository here, or you may not read it\n')
      }
      const wrong = { authorization: 'Basic b2F1dGgyOndyb25n' }
      const refused = await fetch(`${at('kettle', '', from)}/info/refs`, { headers: wrong })
      expect(refused.status).toBe(401)
      expect(refused.headers.get('www-authenticate')).toMatch(/^Basic realm=/)
    },
  )

  test('says that it takes no pushes', options, async () => {
    const answer = await fetch(`${at('kettle', '', serving())}/info/refs?service=git-receive-pack`)
    expect(answer.status).toBe(403)
    expect(await answer.text()).toMatch(/^This server only reads: it takes no pushes/)
  })

  test('refuses what git pushes, and git says why', THOROUGH, async () => {
    const directory = await clone(at('kettle', '', serving()))
    const pushed = git('-C', directory, 'push', 'origin', 'HEAD:refs/heads/x')
    await expect(pushed).rejects.toThrow(/takes no pushes/)
  })
})

test.each([
  ['/ada/kettle.git/info/refs', 'ada/kettle', 'info/refs'],
  ['/ada/kettle/git-upload-pack', 'ada/kettle', 'git-upload-pack'],
  ['/ada/kettle.wiki.git/HEAD', 'ada/kettle.wiki', 'HEAD'],
  ['/ada/k%C3%A9.git/objects/info/packs', 'ada/ké', 'objects/info/packs'],
  ['/ada/kettle/HEAD', undefined, undefined],
  ['/ada/kettle/tree/main/info/refs', undefined, undefined],
  ['/ada/kettle.git/config', undefined, undefined],
  ['/ada/kettle.git', undefined, undefined],
])('The address %s is that of %s', (path, name, inner) => {
  const [found] = createRouter(GIT).match('GET', path)
  expect(found && toGitAddress(found)).toEqual(name && { name, path: inner })
})

describe('Git over HTTP', () => {
  test('speaks versions 0, 1 and 2 of the protocol', async () => {
    const answers = ['version=0', 'version=1', 'version=2'].map((version) =>
      askRefs('kettle', server, { 'git-protocol': version }),
    )
    const service = '001e# service=git-upload-pack\n0000'
    const [zero, one, two] = (await Promise.all(answers)) as [Response, Response, Response]
    for (const [answer, start] of [
      [zero, service],
      [one, `${service}000eversion 1\n`],
    ] as const) {
      const refs = await answer.text()
      expect(refs.slice(0, start.length)).toBe(start)
      expect(refs).toContain(' refs/pull/7/head\n')
      expect(refs).not.toContain('refs/__gh__/')
    }
    expect(await two.text()).toMatch(/^000eversion 2\n/)
    expect(two.headers.get('content-type')).toBe('application/x-git-upload-pack-advertisement')
    expect(two.headers.get('x-ratelimit-limit')).toBeNull()
  })

  test('lists refs for git in each version', THOROUGH, async () => {
    for (const version of [0, 1, 2]) {
      const refs = await git('-c', `protocol.version=${version}`, 'ls-remote', at('kettle'))
      expect(refs).toContain('\trefs/pull/7/head\n')
      expect(refs).not.toContain('refs/__gh__/')
    }
  })

  test('makes shallow and partial clones, which can fetch the rest', THOROUGH, async () => {
    const shallow = await clone(at('kettle'), '--depth', '1')
    expect(commits(shallow)).toBe(1)
    await git('-C', shallow, 'fetch', '-q', '--unshallow')
    const whole = await clone(at('kettle'), '--bare', '--single-branch')
    expect(commits(shallow)).toBe(commits(whole))
    const partial = await clone(at('kettle'), '--filter=blob:none', '--no-checkout')
    expect(await git('-C', partial, 'show', 'HEAD:loose.txt')).toBe('y')
  })

  test('keeps one clone for two repositories with one content', THOROUGH, async () => {
    const clonesNow = () => readdirSync(join(world.root, 'state/git'))
    await clone(at('kettle'), '--bare')
    const clones = clonesNow()
    expect(clones.every((name) => /^[0-9a-f]{40}\.git$/.test(name))).toBe(true)
    await clone(at('secret', `x:${tokenOf('ada')}@`), '--bare')
    expect(clonesNow()).toEqual(clones)
    expect(statSync(join(world.root, 'state/git')).mode & 0o777).toBe(0o700)
  })

  test('answers many clients at a time', THOROUGH, async () => {
    const directories = await Promise.all(
      Array.from({ length: 10 }, () => clone(at('kettle'), '--bare')),
    )
    expect(new Set(directories.map((directory) => commits(directory))).size).toBe(1)
  })

  test('takes compressed requests', THOROUGH, async () => {
    const body = gzipSync('0014command=ls-refs\n00010009peel\n0000')
    const headers = { 'content-encoding': 'gzip', 'git-protocol': 'version=2' }
    const address = `${at('kettle')}/git-upload-pack`
    const answer = await fetch(address, { method: 'POST', body, headers })
    expect(await answer.text()).toContain('refs/heads/main')
    const broken = await fetch(address, { method: 'POST', body: 'x', headers })
    expect(broken.status).toBe(400)
  })

  test('has no other files, methods and addresses', async () => {
    const base = `${at('kettle')}`
    for (const [inner, status] of [
      ['/config', 404],
      ['/objects/info/alternates', 404],
      ['/objects/../config', 404],
      ['/objects/pack/pack-1.pack', 404],
      ['/git-upload-pack', 405],
      ['/git-receive-pack', 403],
      ['/info/refs?service=git-receive-pack', 403],
    ] as const) {
      const { status: found } = await fetch(base + inner, { headers: { accept: 'x/y' } })
      expect([inner, found]).toEqual([inner, inner.includes('..') ? found : status])
    }
    expect((await fetch(`${base}/info/refs`, { method: 'POST' })).status).toBe(405)
    expect((await fetch(`${at('gone')}/info/refs`)).status).toBe(404)
    const foreign = { origin: 'https://evil.example' }
    const post = { method: 'POST', headers: foreign, body: '0000' }
    expect((await fetch(`${base}/git-upload-pack`, post)).status).toBe(403)
  })

  test(
    'writes nothing to the database, and in a read-only server nothing to the state',
    THOROUGH,
    async () => {
      const before = statSync(path).mtimeMs
      const state = join(world.root, 'untouched')
      const reader = await serveArchive([path], { port: 0, state, readOnly: true })
      try {
        expect(await (await askRefs('kettle', reader)).text()).toContain('refs/heads/main')
      } finally {
        await reader.close()
      }
      expect(existsSync(join(state, 'git'))).toBe(false)
      expect(statSync(path).mtimeMs).toBe(before)
      rmSync(state, { recursive: true, force: true })
    },
  )
})

test('A server without accounts never asks for a token', async () => {
  const open = await serveArchive([path], { state: ':memory:' })
  for (const name of ['secret', 'none']) {
    const address = `http://localhost/ada/${name}.git/info/refs?service=git-upload-pack`
    const answer = await open.fetch(new Request(address))
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([404, null])
    expect(await answer.text()).toMatch(/^There is no public repository .* see marc accounts\n$/)
  }
  await open.close()
})

test('Plain files are packs, not the objects in them one by one', async () => {
  const oidOf = (revision: string) =>
    gitSync(world.directoryOf('ada/kettle'), ['rev-parse', revision]).trim()
  const statusOf = async (oid: string) => {
    const address = `${at('kettle', '', plain)}/objects/${oid.slice(0, 2)}/${oid.slice(2)}`
    return (await fetch(address)).status
  }
  expect(await statusOf(oidOf('v1.0'))).toBe(404)
  expect(await statusOf(oidOf('v2.0'))).toBe(200)
})

test('Plain files are the refs, HEAD and the packs, of which there is a list', async () => {
  const address = at('kettle', '', plain)
  const textOf = async (path: string) => (await fetch(`${address}/${path}`)).text()
  const refs = await textOf('info/refs')
  const expected = refsOf(world.directoryOf('ada/kettle'))
  for (const ref of ['refs/heads/main', 'refs/tags/v1.0', 'refs/pull/7/head']) {
    const [line = ''] = expected.split('\n').filter((each) => each.endsWith(` ${ref}`))
    expect(refs).toContain(`${line.replace(' ', '\t')}\n`)
  }
  expect(refs).not.toContain('refs/__gh__/')
  expect(await textOf('HEAD')).toBe('ref: refs/heads/main\n')
  const listed = (await textOf('objects/info/packs')).match(/pack-[0-9a-f]{40}\.pack/g) ?? []
  const kept = join(world.directoryOf('ada/kettle'), 'objects/pack')
  const names = readdirSync(kept).filter((name) => name.endsWith('.pack'))
  expect(listed.toSorted()).toEqual(names.toSorted())
  for (const name of names.flatMap((each) => [each, each.replace('.pack', '.idx')])) {
    const answer = await fetch(`${address}/objects/pack/${name}`)
    const bytes = Buffer.from(await answer.arrayBuffer())
    expect(bytes.equals(readFileSync(join(kept, name)))).toBe(true)
  }
})
