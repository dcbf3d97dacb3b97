import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { get } from 'node:https'
import { join } from 'node:path'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import type { Io } from '../../../src/cli/command/io.ts'
import { main } from '../../../src/cli/main.ts'
import { collector, ROOT, type RunOptions, run, shareFolder } from '../../support/run-command.ts'
import { outputOf } from '../../support/run-program.ts'
import { everyDay, THOROUGH } from '../../support/thorough.ts'

shareFolder({})
beforeAll(async () => {
  await run(['load', join(ROOT, 'samples/hello.tar.gz'), '-o', 'hello.db'])
})

/** Runs `marc serve` while `work` has its address, then interrupts it. */
async function serving(
  argv: readonly string[],
  work: (url: string, stderr: () => string) => Promise<unknown>,
  {
    tty = false,
    source = 'hello.db',
    openBrowser,
  }: Pick<RunOptions, 'tty'> & Pick<Io, 'openBrowser'> & { source?: string } = {},
) {
  const interrupt = new AbortController()
  const stderr = collector()
  let worked: Promise<unknown> | undefined
  const stdout = collector([], () => {
    worked ??= work(stdout.text().trim(), stderr.text).finally(() => interrupt.abort())
  })
  const code = await main(['serve', source, '--port', '0', ...argv], {
    stdin: Object.assign(process.stdin, { isTTY: false }),
    stdout: stdout.stream,
    stderr: Object.assign(stderr.stream, { isTTY: tty === true }),
    ...(openBrowser && { openBrowser }),
    env: { HOME: '.', XDG_CACHE_HOME: '.cache' },
    signal: interrupt.signal,
  })
  await worked
  return { code, stdout: stdout.text(), stderr: stderr.text() }
}

test(
  'An archive is served as its database, with its files, and keeps its state beside itself',
  THOROUGH,
  async () => {
    copyFileSync(join(ROOT, 'samples/hello.tar.gz'), 'hello.tar.gz')
    const { code, stderr } = await serving(
      [],
      async (url) => {
        const answer = await fetch(`${url}/repos/mona-lindqvist/tea-timer/contents/README.md`)
        expect(answer.status).toBe(200)
        // Another command that reads it changes nothing for the server.
        await run(['query', 'hello.tar.gz', 'select 1'])
        expect((await fetch(`${url}/repos/mona-lindqvist/tea-timer`)).status).toBe(200)
      },
      { source: 'hello.tar.gz' },
    )
    expect(code).toBe(0)
    expect(stderr).toContain('keeping state in hello.serve\n')
    expect(existsSync('hello.serve/state.db')).toBe(true)
  },
)

test('It prints its address alone when it is ready, answers until it is interrupted, and ends with 0', async () => {
  const { code, stdout, stderr } = await serving([], async (url) => {
    expect((await fetch(`${url}/_ready`)).status).toBe(204)
  })
  expect(code).toBe(0)
  expect(stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\n$/)
  expect(stderr).toMatch(/^serving 1 repository\nkeeping state in hello\.serve\n/)
})

test('--json prints the address and the process', async () => {
  const { stdout } = await run(['serve', 'hello.db', '-p', '0', '--json'])
  expect(JSON.parse(stdout)).toMatchObject({
    url: expect.stringMatching(/^http:/),
    pid: process.pid,
    repositories: 1,
  })
})

test('A folder of archives is served as one, with its state beside it', async () => {
  mkdirSync('exports')
  copyFileSync(join(ROOT, 'samples/hello.tar.gz'), 'exports/hello.tar.gz')
  const { stderr } = await serving([], async () => {}, { source: 'exports/' })
  expect(stderr).toMatch(/^serving 1 repository\nkeeping state in exports\.serve\n/)
})

test('--read-only names a state only if there is one', async () => {
  const argv = ['--read-only', '--state', 'nothing.serve']
  const { stderr } = await serving(argv, async () => {})
  expect(stderr).not.toContain('state')
  expect(existsSync('nothing.serve')).toBe(false)
})

describe('--for-importers says', () => {
  test('what to type into Gitea, Forgejo and GitLab, and what they must allow', async () => {
    const { stderr, stdout } = await serving(['--for-importers'], async () => {})
    const url = stdout.trim()
    for (const text of [
      `Migrate / Clone From URL   ${url}/OWNER/NAME`,
      'ALLOW_LOCALNETWORKS = true',
      `github_hostname=${url} --data personal_access_token=TOKEN`,
      'Outbound requests',
      'marc accounts token',
      'Only programs on this machine reach it',
    ]) {
      expect(stderr).toContain(text)
    }
  })

  test('the address of a proxy in front, and what its certificate may need', async () => {
    const argv = ['--for-importers', '--base-url', 'https://git.example/']
    const { stderr } = await serving(argv, async () => {})
    expect(stderr).toContain('Migrate / Clone From URL   https://git.example/OWNER/NAME\n')
    expect(stderr).toContain('SKIP_TLS_VERIFY = true')
    expect(stderr).not.toContain('Only programs on this machine')
  })

  test('the token that a person at a terminal was given', async () => {
    const { stderr } = await serving(['--for-importers'], async () => {}, { tty: true })
    const [, token] = /until the server stops: (\w+)/.exec(stderr) ?? []
    expect(stderr).toContain(`Access Token               ${token}\n`)
    expect(stderr).not.toContain('TOKEN is one of')
  })
})

describe('Pages', () => {
  const headers = { Accept: 'text/html' }

  test('are shown to browsers, and --open opens them', async () => {
    const opened: string[] = []
    await serving(
      ['--open'],
      async (url) => {
        expect(await (await fetch(url, { headers })).text()).toContain('<!DOCTYPE html>')
        await vi.waitFor(() => expect(opened).toEqual([url]))
      },
      { openBrowser: async (url) => opened.push(url) > 0 },
    )
  })

  test('are not shown with --no-pages', async () => {
    await serving(['--no-pages'], async (url) => {
      expect((await fetch(url, { headers })).headers.get('content-type')).toContain('json')
    })
  })

  test('are opened by hand where there is no browser', async () => {
    const { stderr } = await serving(['--open'], async () => {}, { openBrowser: async () => false })
    expect(stderr).toMatch(/no browser could be started: open http:\/\/127\.0\.0\.1:\d+ yourself/)
  })
})

describe('The log', () => {
  const ask = async (url: string) => void (await fetch(`${url}/rate_limit?signature=abc`))

  test('is one line for each request on a terminal', async () => {
    const { stderr } = await serving([], ask, { tty: true })
    expect(stderr).toMatch(
      /^20\S+Z GET \/rate_limit\?signature=… 200 1\d\d B \d+\.\d ms - [0-9a-f-]{36}$/m,
    )
  })

  test('is JSON where that is asked for', async () => {
    const { stderr } = await serving(['--log', 'json', '-q'], ask)
    expect(JSON.parse(stderr)).toMatchObject({
      method: 'GET',
      path: '/rate_limit?signature=…',
      status: 200,
    })
  })

  test('is silent elsewhere', async () => {
    expect((await serving(['-q'], ask)).stderr).toBe('')
  })
})

describe('At the start it says', () => {
  const nothing = async () => {}

  test('that all feeds are empty, and what helps: --now newest', async () => {
    const old = await serving(['--now', '2030'], nothing)
    expect(old.stderr).toContain('the newest event is of 2026-01-08; see --now newest')
    const newest = await serving(['--now', 'newest'], async (url) => {
      const feed = (await (await fetch(`${url}/events`)).json()) as object[]
      expect(feed.length).toBeGreaterThan(0)
    })
    expect(newest.stderr).not.toContain('feeds')
  })

  test(
    'a token of whoever made the export to a person at a terminal, and to nobody else',
    THOROUGH,
    async () => {
      const shown = /^token of mona-lindqvist, until the server stops: ([0-9a-f]{40})$/m
      const signIn = async (url: string, stderr: () => string) => {
        const headers = { Authorization: `token ${shown.exec(stderr())?.[1]}` }
        const caller = (await (await fetch(`${url}/user`, { headers })).json()) as { login: string }
        expect(caller.login).toBe('mona-lindqvist')
      }
      await serving([], signIn, { tty: true })
      expect((await serving([], nothing)).stderr).not.toMatch(/token/)
    },
  )
})

test('--now sets the clock, which runs on from there', THOROUGH, async () => {
  await serving(['--now', '2024-06-01'], async (url) => {
    const { headers } = await fetch(url)
    expect(headers.get('date')).toMatch(/^Sat, 01 Jun 2024 00:00:0\d GMT$/)
  })
})

test('--rate-limit is enforced, strangers apart', async () => {
  await serving(['--rate-limit', '10,2'], async (url) => {
    const statuses = []
    for (let i = 0; i < 3; i++) statuses.push((await fetch(url)).status)
    expect(statuses).toEqual([200, 200, 403])
    const { headers } = await fetch(url)
    expect(headers.get('x-ratelimit-remaining')).toBe('0')
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(3000)
  })
})

test('--cors lets pages of one origin read answers, and no other', async () => {
  await serving(['--cors', 'https://pages.example'], async (url) => {
    const ask = (origin: string, method = 'GET') =>
      fetch(url, {
        method,
        headers: { Origin: origin, 'Access-Control-Request-Method': 'GET' },
      })
    const allowed = await ask('https://pages.example')
    expect(allowed.headers.get('access-control-allow-origin')).toBe('https://pages.example')
    expect(allowed.headers.get('vary')).toContain('Origin')
    expect((await ask('https://pages.example', 'OPTIONS')).status).toBe(204)
    const other = await ask('https://other.example')
    expect(other.headers.get('access-control-allow-origin')).toBeNull()
    expect((await ask('https://other.example', 'OPTIONS')).status).toBe(403)
  })
})

test('With a certificate it speaks TLS, and says so of a key that others can read', async () => {
  const subject = ['-subj', '/CN=localhost', '-days', '1', '-nodes']
  const made = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1']
  const files = ['-keyout', 'key.pem', '-out', 'cert.pem']
  outputOf('openssl', ['req', '-x509', ...made, ...files, ...subject])
  chmodSync('key.pem', 0o644)
  const tls = ['--tls-cert', 'cert.pem', '--tls-key', 'key.pem']
  const { stderr } = await serving(tls, async (url) => {
    const status = await new Promise((resolve, reject) => {
      const ca = readFileSync('cert.pem')
      get(url.replace('127.0.0.1', 'localhost'), { ca }, ({ statusCode }) =>
        resolve(statusCode),
      ).on('error', reject)
    })
    expect(status).toBe(200)
  })
  expect(stderr).toContain('warning: others can read key.pem; let only you: chmod go-r key.pem\n')
})

test('Where the state cannot be kept, the folder is told, and what helps', async () => {
  const { code, stderr } = await run(['serve', 'hello.db', '--state', 'hello.db/state'])
  expect([code, stderr]).toEqual([
    3,
    expect.stringMatching(
      /hello\.db\/state.*\nName a folder for the state with --state, or keep none with --read-only\.\n$/,
    ),
  ])
})

describe('Refused:', () => {
  everyDay(6)([
    [['--port', 'x'], '--port takes a whole number from 0 to 65535, not "x"'],
    [['--port', '65536'], '--port takes'],
    [['--poll-interval', '0'], '--poll-interval takes a whole number from 1'],
    [['--pace', '-1'], '--pace takes a number from 0'],
    [['--rate-limit', '1,2,3'], '--rate-limit takes one number or two'],
    [['--tls-cert', 'cert.pem'], '--tls-cert and --tls-key belong together'],
    [['--tls-cert', 'no.pem', '--tls-key', 'no.pem'], '--tls-cert: ENOENT'],
    [['--bind', '0.0.0.0'], '--bind 0.0.0.0 can be reached by others, and there is no TLS'],
    [['--base-url', 'ftp://x'], '--base-url: expected an http or https address'],
    [['--cors', 'https://pages.example/x'], '--cors[0]: expected an origin'],
    [['--now', 'soon'], '--now takes a date'],
  ])('%j', async (argv, message) => {
    const { code, stdout, stderr } = await run(['serve', 'hello.db', ...argv])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(message)
  })

  test('a certificate that is none', async () => {
    writeFileSync('none.pem', 'no certificate', { mode: 0o600 })
    const tls = ['--tls-cert', 'none.pem', '--tls-key', 'none.pem']
    const { code, stderr } = await run(['serve', 'hello.db', '--port', '0', ...tls])
    expect(code).toBe(2)
    expect(stderr).toContain('marc: tls: certificate and key cannot be used: no start line')
  })

  test.each([
    [
      'M2: a state below /proc',
      '/proc/none/state',
      '/proc/none/state: there is no folder /proc/none',
    ],
    ['a file in the place of the state', 'none.pem', 'none.pem: this is not a folder'],
  ])('%s', async (_what, state, message) => {
    writeFileSync('none.pem', '')
    const { code, stderr } = await run(['serve', 'hello.db', '--port', '0', '--state', state])
    expect(code).toBe(3)
    expect(stderr).toContain(`marc: ${message}`)
  })

  test('a port in use', async () => {
    await serving([], async (url) => {
      const { code, stderr } = await run(['serve', 'hello.db', '--port', new URL(url).port])
      expect(code).toBe(4)
      expect(stderr).toContain('another program listens there')
    })
  })

  test('a database that is none', async () => {
    const { code, stderr } = await run(['serve', 'no.db', '--port', '0'])
    expect(code).toBe(2)
    expect(stderr).toContain('there is no such file')
  })
})
