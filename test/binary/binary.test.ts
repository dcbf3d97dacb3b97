import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getuid } from 'node:process'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { VERSION } from '../../src/base/version.ts'
import { describeWhere } from '../support/describe-where.ts'
import { makeBareRoot } from './bare-root.ts'

const BINARY = join(import.meta.dirname, 'marc')
const SAMPLE = join(import.meta.dirname, '../../samples/hello.tar.gz')
const missing = existsSync(BINARY) ? undefined : 'no executable here; npm run binary'

/** A folder with the executable, the libraries of the system that it is linked to, and nothing else. */
let root: string

/** The command for a program in that folder, which sees no file outside of it. */
const inRoot = (words: readonly string[]): [string, string[]] => {
  const command = ['chroot', root, '/marc', ...words]
  const [program = '', ...rest] = getuid?.() === 0 ? command : ['unshare', '-r', ...command]
  return [program, rest]
}
const NOBODY = { name: 'nobody', version: '1' }
const ENV = { HOME: '/home', PATH: process.env.PATH }
const marc = (...words: string[]): string =>
  execFileSync(...inRoot(words), { env: ENV, encoding: 'utf8', stdio: 'pipe' })

describeWhere('The executable, where there is no Node.js', 'MARC_BINARY', missing, () => {
  beforeAll(() => {
    root = makeBareRoot(BINARY, 'marc', ['home', 'tmp', 'data'])
    copyFileSync(SAMPLE, join(root, 'data/hello.tar.gz'))
    marc('load', '/data/hello.tar.gz', '-o', '/data/hello.db')
  })
  afterAll(() => rmSync(root, { recursive: true, force: true }))

  test('it says its version', () => {
    expect(marc('--version')).toBe(`${VERSION}\n`)
  })

  test('its program is unpacked once, and nobody else can read it', () => {
    const programs = join(root, 'home/.cache/migration-archive/programs')
    const before = readdirSync(programs)
    marc('--version')
    expect(readdirSync(programs)).toEqual(before)
    expect(before).toHaveLength(1)
    expect(statSync(join(programs, before[0] as string)).mode & 0o777).toBe(0o700)
  })

  test('it answers questions in a process of its own', () => {
    const rows = marc('query', '--timeout', '60', '/data/hello.db', 'SELECT count(*) FROM issues')
    expect(JSON.parse(rows)).toEqual([{ 'count(*)': 5 }])
  })

  test('it finds its saved questions', () => {
    expect(marc('query', '--saved')).toContain('who-reviewed-whom')
  })

  test('it writes the archive again and a site', () => {
    marc('build', '/data/hello.db', '-o', '/data/again.tar.gz')
    // Its exit code tells of a difference.
    marc('diff', '/data/hello.tar.gz', '/data/again.tar.gz')
    marc('site', '/data/hello.db', '/data/site')
    expect(existsSync(join(root, 'data/site/index.html'))).toBe(true)
  })

  test('it serves the interface and pages', async () => {
    const [program, words] = inRoot(['serve', '/data/hello.db', '--port', '0', '--no-open'])
    const server = spawn(program, words, { env: ENV })
    try {
      const address = await new Promise<string>((resolve, reject) => {
        let output = ''
        const look = (piece: Buffer) => {
          output += piece
          const [found] = /http:\/\/\S+?:\d+/.exec(output) ?? []
          if (found) resolve(found)
        }
        server.stdout.on('data', look)
        server.stderr.on('data', look)
        server.on('close', () => reject(new Error(output)))
      })
      const page = await fetch(address, { headers: { accept: 'text/html' } })
      expect([page.status, (await page.text()).includes('<title>')]).toEqual([200, true])
      const meta = await fetch(`${address}/api/v3/meta`)
      expect(meta.status).toBe(200)
    } finally {
      server.kill('SIGTERM')
    }
  })

  test('an assistant asks it', async () => {
    const [program, words] = inRoot(['mcp', '/data/hello.db'])
    const server = spawn(program, words, { env: ENV })
    const lines = createInterface(server.stdout)[Symbol.asyncIterator]()
    const ask = async (method: string, params: object) => {
      server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })}\n`)
      return JSON.parse((await lines.next()).value as string).result
    }
    const client = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: NOBODY }
    expect((await ask('initialize', client)).serverInfo.version).toBe(VERSION)
    const sql = 'SELECT count(*) AS n FROM issues'
    const { structuredContent } = await ask('tools/call', { name: 'query', arguments: { sql } })
    expect(structuredContent).toMatchObject({ columns: ['n'], rows: [[5]] })
    server.stdin.end()
    expect(await once(server, 'exit')).toEqual([0, null])
  })

  test('git clones from a database through it', () => {
    const folder = mkdtempSync(join(tmpdir(), 'helper-'))
    symlinkSync(BINARY, join(folder, 'git-remote-marc'))
    const env = { ...process.env, PATH: `${folder}:${process.env.PATH}`, HOME: folder }
    execFileSync('git', ['clone', '-q', `marc::${join(root, 'data/hello.db')}`, 'copy'], {
      cwd: folder,
      env: { ...env, XDG_CACHE_HOME: join(folder, 'cache') },
    })
    expect(readdirSync(join(folder, 'copy'))).toContain('README.md')
    rmSync(folder, { recursive: true })
  })

  test('gh runs it as an extension, from a folder named gh-marc', () => {
    const folder = mkdtempSync(join(tmpdir(), 'extension-'))
    const extension = join(folder, 'gh-marc')
    mkdirSync(extension)
    symlinkSync(BINARY, join(extension, 'gh-marc'))
    // A word in place of a token: nothing is asked of a host.
    const env = { PATH: process.env.PATH, HOME: folder, GH_TOKEN: 'none' }
    const gh = (cwd: string, ...words: string[]) =>
      execFileSync('gh', words, { cwd, env, encoding: 'utf8', stdio: 'pipe' })
    gh(extension, 'extension', 'install', '.')
    expect(gh(folder, 'marc', '--version')).toBe(`${VERSION}\n`)
    const rows = gh(folder, 'marc', 'query', '-r', SAMPLE, 'SELECT count(*) FROM issues')
    expect(rows).toBe('5\n')
    rmSync(folder, { recursive: true })
  })

  test('it does not run what somebody else could have unpacked', () => {
    mkdirSync(join(root, 'tmp/open/migration-archive'), { recursive: true })
    chmodSync(join(root, 'tmp/open'), 0o777)
    const env = { ...ENV, XDG_CACHE_HOME: '/tmp/open' }
    const run = () => execFileSync(...inRoot(['--version']), { env, stdio: 'pipe' })
    expect(run).toThrow(/Name another one in XDG_CACHE_HOME/)
  })
})
