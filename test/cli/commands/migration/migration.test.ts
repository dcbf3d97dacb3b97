import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { start as startCommand } from '../../../../src/cli/commands/migration/start.ts'
import { SYSTEM_CLOCK } from '../../../../src/client/client-options.ts'
import { memoryOf } from '../../../../src/client/patience.ts'
import { openDatabase } from '../../../../src/database/open-database.ts'
import { serveArchive } from '../../../../src/serve/serve-archive.ts'
import { smallArchive } from '../../../support/archives.ts'
import { loadOnce } from '../../../support/load-once.ts'
import { inFolder, ROOT, type RunOptions, run, start } from '../../../support/run-command.ts'
import { outputOf } from '../../../support/run-program.ts'
import {
  cutAfter,
  GUID,
  type Host,
  migration,
  openHost,
  type Reply,
  SIGNATURE,
  TOKEN,
} from '../../../support/scripted-host.ts'
import { everyDay, THOROUGH } from '../../../support/thorough.ts'

/** A few records, and enough bytes to be cut in the middle. */
const ARCHIVE = smallArchive({ 'attachments/a1/noise': randomBytes(8000) })
const PASSWORD = 'correct-horse-battery'
const CODE = '918273'
const STATUS = 'GET /user/migrations/1'

let host: Host
let waited: number[]
const { sleep } = SYSTEM_CLOCK
/** Waits a tenth of a second at most. */
const skip: typeof sleep = (milliseconds, signal) => {
  waited.push(milliseconds)
  return sleep(Math.min(100, milliseconds), signal)
}

// Between POSTs a second passes, which no test waits for.
beforeEach(() => {
  waited = []
  // Each test is a process of its own, whose POSTs wait for no earlier ones.
  memoryOf(SYSTEM_CLOCK).posted = Number.NEGATIVE_INFINITY
  vi.spyOn(SYSTEM_CLOCK, 'sleep').mockImplementation(skip)
})

beforeEach(async () => {
  inFolder({ token: `${TOKEN}\n` })
  chmodSync('token', 0o600)
  host = await openHost(ARCHIVE)
})

/** Runs a command with the server and the token in the environment. */
const marc = (line: string, options: RunOptions = {}) =>
  run(['migration', ...line.split(' ')], {
    ...options,
    env: { MARC_SERVER: host.url, MARC_TOKEN: TOKEN, ...options.env },
  })
/** The same without a token in the environment. */
const tokenless = (line: string, options: RunOptions = {}) =>
  run(['migration', ...line.split(' '), '--server', host.url], options)

const sent = () => host.asked.map(({ headers }) => headers.authorization)

describe('The token', () => {
  everyDay(1)([
    ['a file', '--token-file token', {}],
    ['standard input', '--token-file -', { stdin: `${TOKEN}\n` }],
    ['the environment', '', { env: { MARC_TOKEN: TOKEN } }],
    ['a prompt', '', { typed: `${TOKEN}\r` }],
  ])('comes from %s', async (_, words, options) => {
    const { code, stdout, stderr } = await tokenless(`status 1 ${words}`.trim(), options)
    expect(code).toBe(0)
    expect(stdout + stderr).not.toContain(TOKEN)
    expect(sent()).toEqual([`token ${TOKEN}`])
  })

  everyDay(1)<[string, string, RunOptions]>([
    ['a prompt', '', { typed: `${TOKEN}\r` }],
    ['standard input', '--token-file -', { stdin: `${TOKEN}\n` }],
  ])('comes once from %s for all steps of a command', async (_, words, options) => {
    const line = `start --all --download x.tar.gz --load x.db --unlock --delete ${words}`.trim()
    const { code, stderr } = await tokenless(line, options)
    expect(code).toBe(0)
    expect(stderr.match(/Token: /g) ?? []).toHaveLength(words === '' ? 1 : 0)
  })

  it('is missing where nobody can be asked', async () => {
    const { code, stderr } = await tokenless('status 1', { stdin: '' })
    expect(code).toBe(4)
    expect(stderr).toBe(
      'marc: the server needs a token\nName a file with a token: --token-file, or set MARC_TOKEN.\n',
    )
  })

  it('is no option, and no header', async () => {
    expect((await marc(`status 1 --token ${TOKEN}`)).stderr).not.toContain(TOKEN)
    writeFileSync('token', 'a\nb\n')
    expect((await tokenless('status 1 --token-file token')).stderr).toContain('expected one line')
    writeFileSync('token', 'a\tb\n')
    const { code, stderr } = await tokenless('status 1 --token-file token')
    expect(code).toBe(2)
    expect(stderr).toContain('printable ASCII')
    expect(host.asked).toEqual([])
  })

  it('is not looked for in a file that is not there', async () => {
    const { code, stderr } = await tokenless('status 1 --token-file nothing')
    expect(code).toBe(2)
    expect(stderr).toContain('--token-file: there is no file nothing\n')
  })

  it('or the password is named when the server refuses it', async () => {
    host.script(STATUS, { status: 401, body: { message: 'Bad credentials' } })
    const { code, stderr } = await marc('status 1')
    expect(code).toBe(4)
    expect(stderr).toContain('the server refuses the token or password: 401 Bad credentials\n')
  })

  it('is warned of in a file that others can read', async () => {
    chmodSync('token', 0o644)
    const { stderr } = await tokenless('status 1 --token-file token')
    expect(stderr).toBe('warning: others can read token; let only you: chmod go-r token\n')
  })
})

it('A server must be named, and be reached', async () => {
  expect((await run(['migration', 'list'])).stderr).toContain('no server is named')
  expect((await marc('list --server http://git.example')).code).toBe(4)
  await host.close()
  const { code, stderr } = await marc('list')
  expect(code).toBe(4)
  expect(stderr).toMatch(/^marc: http:\/\/127\.0\.0\.1:\d+: nothing listens there\n/)
})

it('list shows migrations in a table, and until when an archive is there', async () => {
  const archive_url = `${host.url}/user/migrations/1/archive`
  host.migrations = [migration(12, { state: 'pending' }), migration(1, { archive_url })]
  const { stdout } = await marc('list -t')
  expect(stdout).toBe(`state     id  created_at            repositories            archive_until
--------  --  --------------------  ----------------------  --------------------
pending   12  2026-01-01T00:00:00Z  ada/kettle, ada/teapot
exported   1  2026-01-01T00:00:00Z  ada/kettle, ada/teapot  2026-01-08T00:10:00Z
`)
  expect((await marc('list --state exported --csv')).stdout).toMatch(/^state,.*\nexported,1,.*\n$/)
  expect(JSON.parse((await marc('list --limit 1 --json')).stdout)).toHaveLength(1)
})

it('status exits with 1 for a migration that failed, or is unknown', async () => {
  host.migrations = [migration(1, { state: 'failed' })]
  expect(await marc('status 1')).toMatchObject({
    code: 1,
    stdout: `migration 1 is failed: ada/kettle and 1 more\nguid ${GUID}\n`,
  })
  const { code, stderr } = await marc('status 2')
  expect(code).toBe(1)
  expect(stderr).toContain('the server has no migration 2 for this account')
})

describe('watch', () => {
  it('tells each state on a terminal, and only the result elsewhere', async () => {
    const pending: Reply = { status: 200, body: migration(1, { state: 'pending' }) }
    host.script(STATUS, pending)
    const shown = await marc('watch 1 --interval 0', { tty: 'stderr' })
    expect(shown.stderr).toMatch(/^migration 1 is pending\nmigration 1 is exported\n$/)
    host.script(STATUS, pending)
    expect(await marc('watch 1 --interval 0')).toEqual({
      code: 0,
      stderr: '',
      stdout: `migration 1 is exported: ada/kettle and 1 more\nguid ${GUID}\n`,
    })
  })

  it('suggests halves when several repositories failed', async () => {
    host.migrations = [migration(1, { state: 'failed' })]
    const { code, stderr } = await marc('watch 1')
    expect(code).toBe(1)
    expect(stderr).toContain('marc migration start <repositories> --batch 1')
  })

  it('says how to go on after an interrupt', async () => {
    const stop = new AbortController()
    host.script(STATUS, (_request, _response) => stop.abort())
    const { code, stderr } = await marc(`watch 1 --server ${host.url}`, { signal: stop.signal })
    expect(code).toBe(130)
    expect(stderr).toContain(
      `The server goes on. Continue with: marc migration watch 1 --server ${host.url}\n`,
    )
  })

  it.each(['soon', '25d', '-1s'])('takes no timeout of %s', async (timeout) => {
    expect((await marc(`watch 1 --timeout=${timeout}`)).code).toBe(2)
  })
})

describe('start', () => {
  const posts = () =>
    host.asked.filter(({ method }) => method === 'POST').map(({ body }) => JSON.parse(body))

  it('takes repositories from arguments, a file, standard input, and all of them', async () => {
    writeFileSync('names', 'ada/teapot\n\n')
    await marc('start ada/kettle --from-file names --lock --exclude-git-data')
    await marc('start --from-file -', { stdin: 'ada/kettle\r\n' })
    await marc('start --all')
    expect(posts()).toMatchObject([
      {
        repositories: ['ada/kettle', 'ada/teapot'],
        lock_repositories: true,
        exclude_git_data: true,
      },
      { repositories: ['ada/kettle'], lock_repositories: false },
      { repositories: ['ada/kettle', 'ada/teapot'] },
    ])
  })

  it('makes several migrations of many repositories', async () => {
    const { stdout } = await marc('start a/1 a/2 a/3 --batch 2 --json')
    expect(posts().map(({ repositories }) => repositories)).toEqual([['a/1', 'a/2'], ['a/3']])
    expect(JSON.parse(stdout).migrations).toMatchObject([{ id: 2 }, { id: 3 }])
  })

  it('waits at a limit, and goes on', async () => {
    host.script('POST /user/migrations', { status: 429, headers: { 'Retry-After': '30' } })
    const { code, stdout, stderr } = await marc('start ada/kettle --wait')
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^migration 2 is/) })
    expect(stderr).toContain('too many requests; the server takes more in 30 s; trying again')
    expect(waited).toContain(30_000)
  })

  it('says after a wait what has become of it', async () => {
    const pending = migration(2, { state: 'pending' })
    host.script('POST /user/migrations', { status: 201, body: pending })
    host.migrations.push(migration(2, { state: 'exported' }))
    const { stdout } = await marc('start ada/kettle --wait')
    expect(stdout.match(/^migration 2 is \w+/gm)).toEqual([
      'migration 2 is pending',
      'migration 2 is exported',
    ])
  })

  it('says after an interrupt what is still locked, and how to go on', async () => {
    const stop = new AbortController()
    host.script('GET /user/migrations/2', (_request, _response) => stop.abort())
    const line = `start ada/kettle --lock --download x.tar.gz --unlock --token-file token`
    const { code, stderr } = await marc(line, { signal: stop.signal })
    expect(code).toBe(130)
    expect(stderr).toContain(
      'still locked. The server goes on. Continue with: marc migration download 2 --wait -o x.tar.gz --token-file token; marc migration unlock 2 --all --token-file token\n',
    )
  })

  it('that stops says what was started, what was not, and how to go on', async () => {
    const refusal: Reply = { status: 422, body: { message: 'Validation Failed' } }
    host.script('POST /user/migrations', { status: 201, body: migration(7) }, refusal)
    const line = 'start a/1 a/2 a/3 a/4 a/5 --batch 2 --lock --wait --download x.tar.gz'
    const { code, stderr } = await marc(line)
    expect(code).toBe(4)
    expect(stderr).toContain(
      'Started: 7. Not started: 3 repositories. Go on with: marc migration start a/3 a/4 a/5 --lock --batch 2 --wait --download x.tar.gz\n',
    )
  })

  it('has one time for all of its steps', async () => {
    let passed = performance.now()
    vi.spyOn(SYSTEM_CLOCK, 'now').mockImplementation(() => passed)
    vi.spyOn(SYSTEM_CLOCK, 'sleep').mockImplementation(async (milliseconds) => {
      passed += milliseconds
    })
    const later: Reply = { status: 429, headers: { 'Retry-After': '40' } }
    host.script('POST /user/migrations', later, { status: 201, body: migration(7) }, later)
    const { code, stderr } = await marc('start a/1 a/2 --batch 1 --timeout 1m')
    expect(code).toBe(4)
    expect(stderr).toContain('Started: 7. Not started: 1 repository.')
  })

  it('that has no time to wait says that nothing was started', async () => {
    host.script('POST /user/migrations', { status: 429, headers: { 'Retry-After': '90' } })
    const { code, stderr } = await marc('start a/1 --timeout 1m --no-verify')
    expect(code).toBe(4)
    expect(stderr).toContain(
      'Nothing was started. Not started: 1 repository. Go on with: marc migration start a/1 --timeout 1m --no-verify\n',
    )
  })

  it('of which nobody knows whether it happened says how to find out', async () => {
    const broken: Reply = (_request, response) => void response.destroy()
    host.script('POST /user/migrations', broken)
    host.script('GET /user/migrations', { status: 200, body: [] }, broken, broken, broken)
    const { code, stderr } = await marc('start a/1')
    expect(code).toBe(4)
    expect(stderr).toContain(
      'it may have been started nevertheless\nLook with: marc migration list. If it was not started, go on with: marc migration start a/1\n',
    )
  })

  it('goes from nothing to SQL in one command', THOROUGH, async () => {
    const line = 'start --all --wait --download x.tar.gz --load x.db --unlock --delete'
    const { code, stdout } = await marc(line)
    expect(code).toBe(0)
    expect(stdout).toMatch(/^migration 2 is exported/)
    expect(stdout).toContain('x.tar.gz is whole: ')
    expect(stdout).toContain('x.db is ready')
    expect(stdout).toMatch(/ada\/teapot: unlocked\nThe archive of migration 2 is deleted\.\n$/)
    expect(readFileSync('x.tar.gz').equals(ARCHIVE)).toBe(true)
    const { stdout: rows } = await run(['query', 'x.db', 'select count(*) from users', '-r'])
    expect(Number(rows)).toBeGreaterThan(0)
  })

  it('unlocks even if the migration failed, and downloads nothing then', async () => {
    host.script('GET /user/migrations/2', { status: 200, body: migration(2, { state: 'failed' }) })
    const { code, stdout } = await marc('start ada/kettle --download x.tar.gz --unlock --delete')
    expect(code).toBe(1)
    expect(stdout).toContain('ada/kettle: unlocked')
    expect(host.asked.map(({ path }) => path).filter((path) => /archive/.test(path))).toEqual([])
  })

  it('says what failed first if it cannot unlock either', async () => {
    const failed = { status: 200, body: migration(2, { state: 'failed' }) }
    host.script('GET /user/migrations/2', failed, { status: 403 })
    const { code, stderr } = await marc('start ada/kettle --wait --unlock')
    expect(code).toBe(1)
    expect(stderr).toContain('failed on the server')
  })

  it('names the archives of several migrations by number', async () => {
    await marc('start a/1 a/2 --batch 1 --download x.tar.gz')
    expect(readdirSync('.').filter((name) => name.startsWith('x'))).toEqual([
      'x-1.tar.gz',
      'x-2.tar.gz',
    ])
  })

  it.each([
    ['nothing', ''],
    ['a name with a space', 'a%20b/c/d'],
    ['all and a name', 'a/b --all'],
    ['a batch of none', 'a/b --batch 0'],
    ['a file that is not there', '--from-file nothing'],
    ['a folder that is not there', 'a/b --download no/x.tar.gz'],
    ['a database in no folder', 'a/b --load no/x.db'],
    ['an archive that is there', 'a/b --download token'],
  ])('starts nothing for %s', async (_, words) => {
    const { code } = await marc(`start ${words}`.trim())
    expect(code).toBe(2)
    expect(host.asked.filter(({ method }) => method === 'POST')).toEqual([])
  })

  it('names --org when the account has nothing of its own', async () => {
    host.script('GET /user/repos', { status: 200, body: [] })
    const { code, stderr } = await marc('start --all')
    expect(code).toBe(2)
    expect(stderr).toContain('Name repositories, or the organization that owns them: --org.')
  })

  it('lists its codes', () => expect(startCommand.exits).toEqual([1, 4, 5]))
})

describe('download', () => {
  it('loads into a database, and keeps no archive that nobody named', async () => {
    const { code, stdout } = await marc('download 1 --load it.db')
    expect(code).toBe(0)
    expect(stdout).toContain('it.db is ready')
    expect(readdirSync('.').filter((name) => /tar/.test(name))).toEqual([])
  })

  it('says of a damaged archive where the part is, and how to go on', async () => {
    const damaged = Buffer.from(ARCHIVE)
    damaged.fill(0, 5000, 5100)
    host.archive = damaged
    const { code, stderr } = await marc('download 1 -o it.tar.gz')
    expect(code).toBe(3)
    expect(stderr).toMatch(/^marc: it\.tar\.gz\.part.*: .*\nDownload it again/)
    expect(existsSync('it.tar.gz')).toBe(false)
  })

  it('says after an interrupt that the part is kept, and how to go on', async () => {
    const stop = new AbortController()
    host.script('GET /store/archive', (_request, _response) => stop.abort())
    const { code, stderr } = await marc('download 1 -o it.tar.gz', { signal: stop.signal })
    expect(code).toBe(130)
    expect(stderr).toContain(
      'what is on disk is kept. Continue with: marc migration download 1 -o it.tar.gz\n',
    )
  })

  it('that is refused leaves nothing behind', async () => {
    host.script('GET /user/migrations/1/archive', { status: 404, body: { message: 'Not Found' } })
    host.script('GET /user/migrations/1/archive', { status: 404, body: { message: 'Not Found' } })
    expect((await marc('download 1 -o it.tar.gz')).code).toBe(1)
    expect(readdirSync('.').filter((name) => name.startsWith('it'))).toEqual([])
  })

  it('prints the address instead, if asked to', async () => {
    const address = `${host.url}/store/archive?signature=${SIGNATURE}`
    expect((await marc('download 1 --address')).stdout).toBe(`${address}\n`)
    expect((await marc('download 1 --address -o x')).code).toBe(2)
  })

  it('shows bytes as plain lines, and requests without signatures, with --verbose', async () => {
    const { stderr } = await marc('download 1 --verbose')
    expect(stderr).toMatch(/^GET http:\/\/\S+\/user\/migrations\/1 200 /m)
    expect(stderr).toMatch(/^GET http:\/\/\S+\/store\/archive\?… 200 /m)
    expect(stderr).not.toContain(SIGNATURE)
  })

  it('shows a bar on a terminal', async () => {
    const { stderr } = await marc('download 1', { tty: 'stderr' })
    expect(stderr).toContain('downloading')
  })
})

describe('delete', () => {
  it.each([
    ['yes\n', 0, 1],
    ['n\n', 130, 0],
    ['', 130, 0],
  ])('asks on a terminal: %j', async (typed, code, deleted) => {
    const outcome = await marc('delete 1', { typed })
    expect(outcome.stderr).toContain('Delete the archive of migration 1? [y/N]')
    expect(outcome.code).toBe(code)
    expect(host.asked.filter(({ method }) => method === 'DELETE')).toHaveLength(deleted)
  })

  it('needs --yes where nobody can be asked', async () => {
    expect((await marc('delete 1', { stdin: '' })).code).toBe(2)
    expect((await marc('delete 1 --yes', { stdin: '' })).code).toBe(0)
  })
})

it('unlock takes an id, repositories, or all', async () => {
  host.migrations = [migration(7, { lock_repositories: true })]
  host.script('DELETE /user/migrations/7/repos/teapot/lock', { status: 404 })
  expect((await marc('unlock 7 --all')).stdout).toBe(
    'ada/kettle: unlocked\nada/teapot: was not locked\n',
  )
  expect((await marc('unlock kettle')).stdout).toBe('ada/kettle: unlocked\n')
  expect((await marc('unlock 7')).code).toBe(2)
  expect((await marc('unlock 7 ada/kettle --all')).code).toBe(2)
})

it('repos lists the repositories of a migration', async () => {
  expect((await marc('repos 1 --csv')).stdout).toBe('owner,name\nada,kettle\nada,teapot\n')
})

describe('authorize', () => {
  const wanted: Reply = { status: 401, headers: { 'X-GitHub-OTP': 'required; app' } }

  it('writes a token that only its owner can read', async () => {
    host.script('POST /authorizations', wanted)
    const typed = `${PASSWORD}\r${CODE}\r`
    const { code, stdout, stderr } = await tokenless('authorize --user ada --token-file new', {
      typed,
    })
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'The token is in new.\n' })
    expect(stderr).toBe('Password: \nCode from your app: \n')
    expect(readFileSync('new', 'utf8')).toBe('f00d\n')
    expect(statSync('new').mode & 0o777).toBe(0o600)
    expect(JSON.parse(host.asked[0]?.body ?? '')).toMatchObject({
      scopes: ['repo'],
      note: expect.stringMatching(/^marc on /),
    })
  })

  it('overwrites no file, and asks nothing then', async () => {
    const { code, stderr } = await tokenless('authorize --user ada --token-file token')
    expect(code).toBe(2)
    expect(stderr).not.toContain('Password')
  })

  it('says how to make a token at github.com, and asks nothing', async () => {
    const { code, stderr } = await marc('authorize --user ada --server github')
    expect(code).toBe(4)
    expect(stderr).toContain('Open https://github.com/settings/tokens')
    expect(stderr).not.toContain('Password')
  })
})

it('No secret is in any output, file or argument after all commands', THOROUGH, async () => {
  host.script('POST /authorizations', { status: 401, headers: { 'X-GitHub-OTP': 'required; app' } })
  host.script(STATUS, { status: 403, body: { message: `bad ${TOKEN} ${SIGNATURE}` } })
  const outputs = [
    await marc('status 1 --verbose'),
    await marc('start --all --lock --verbose --json'),
    await marc('list --verbose'),
    await marc('watch 1 --verbose'),
    await marc('repos 1 --verbose'),
    await marc('download 1 -o it.tar.gz --verbose', { tty: 'stderr' }),
    await marc('unlock 1 --all --verbose'),
    await marc('delete 1 --yes --verbose'),
    await tokenless('authorize --user ada --token-file made --verbose', {
      typed: `${PASSWORD}\r${CODE}\r`,
    }),
  ]
  // A download that ends in the middle leaves its part.
  host.script('GET /store/archive', cutAfter(3000), ...Array.from({ length: 6 }, () => cutAfter(0)))
  const stop = new AbortController()
  const cut = marc('download 1 -o part.tar.gz --verbose', { signal: stop.signal })
  const isCut = () => existsSync('part.tar.gz.part.json')
  await vi.waitUntil(isCut, { interval: 5, timeout: 20_000 })
  stop.abort()
  outputs.push(await cut)
  expect(isCut()).toBe(true)
  expect(outputs.map(({ code }) => code)).toEqual([4, 0, 0, 0, 0, 0, 0, 0, 0, 130])
  const files = readdirSync('.', { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile() && !['token', 'made'].includes(file.name))
    .map((file) => readFileSync(join(file.parentPath, file.name), 'latin1'))
  const everything = [...outputs.flatMap(({ stdout, stderr }) => [stdout, stderr]), ...files]
  const secrets = [TOKEN, PASSWORD, CODE, Buffer.from(`ada:${PASSWORD}`).toString('base64')]
  for (const secret of secrets) {
    expect(everything.filter((text) => text.includes(secret))).toEqual([])
  }
  // The server that repeats a signature it made itself is no leak of ours.
  expect(everything.slice(2).filter((text) => text.includes(SIGNATURE))).toEqual([])
})

it('No secret is in the output of a download that goes on after a break', THOROUGH, async () => {
  host.script('GET /store/archive', cutAfter(3000))
  const { code, stdout, stderr } = await marc('download 1 -o it.tar.gz --verbose')
  expect(code).toBe(0)
  expect(stderr.match(/store\/archive/g)).toHaveLength(2)
  for (const secret of [TOKEN, SIGNATURE]) expect(stdout + stderr).not.toContain(secret)
})

it('No secret is in the list of processes', THOROUGH, async () => {
  let listed = ''
  host.script(STATUS, (_request, response) => {
    listed = outputOf('ps', ['axo', 'args']).toString()
    response.destroy()
  })
  const { child, ended } = start(['migration', 'status', '1', '--server', host.url], {
    env: { MARC_TOKEN: TOKEN },
  })
  child.stdin.end()
  await ended
  expect(listed).toContain('migration status 1')
  expect(listed).not.toContain(TOKEN)
})

describe('validate', () => {
  const REPOSITORY = 'mona-lindqvist/tea-timer'
  const sample = join(ROOT, 'samples/hello.tar.gz')
  const validate = `validate ${sample} --repo ${REPOSITORY}`

  /** The host has the sample after this change. */
  async function imported(change = 'SELECT 1') {
    await loadOnce([readFileSync(sample)], 'imported.db', {})
    const database = openDatabase('imported.db', { readonly: false })
    database.exec(change)
    database.close()
    const server = await serveArchive(['imported.db'], { state: ':memory:' })
    onTestFinished(() => server.close())
    host.repositories = server.fetch
  }

  it('counts what both have, and says that nothing was lost', THOROUGH, async () => {
    await imported()
    const { code, stdout } = await marc(validate)
    expect(code).toBe(0)
    expect(stdout).toMatch(/^kind +archive +server\n-+ +-+ +-+\nrepository +1 +1$/m)
    expect(stdout).toMatch(/^not compared: \d+ issue_events$/m)
    expect(stdout).toMatch(/^mona-lindqvist\/tea-timer is as in the archive\n$/m)
  })

  it('prints differences as diff does, and exits with 1', THOROUGH, async () => {
    await imported("UPDATE issues SET title = 'Another' WHERE number = 1")
    const { code, stdout } = await marc(validate)
    expect(code).toBe(1)
    expect(stdout).toMatch(/^~ issues #1\n {4}title: ".+" → "Another"\n/)
    expect(stdout).toMatch(/^mona-lindqvist\/tea-timer differs in 1 place$/m)
    const { stdout: lines } = await marc(`${validate} --format ndjson`)
    expect(JSON.parse(lines)).toMatchObject({ kind: 'issues', url: '#1', change: 'changed' })
    const { stdout: json } = await marc(`${validate} --json`)
    expect(JSON.parse(json)).toMatchObject({ repository: REPOSITORY, from: REPOSITORY, ok: false })
    const { stdout: markdown } = await marc(`${validate} --format markdown`)
    expect(markdown).toMatch(/^```diff\n~ issues #1\n/)
  })

  everyDay(1)([
    ['no repository', `validate ${sample}`, 2],
    ['a repository without owner', `validate ${sample} --repo tea-timer`, 2],
    ['a sample of some', `${validate} --sample some`, 2],
    ['a repository that the archive has not', `validate ${sample} no/such --repo a/b`, 1],
    ['a repository that the server has not', `validate ${sample} --repo a/b`, 4],
  ])('refuses %s', async (_, line, code) => {
    expect(await marc(line)).toMatchObject({ code, stdout: '' })
  })
})
