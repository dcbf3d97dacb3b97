import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { importArchive, openImport } from '../../../src/client/import/import-archive.ts'
import type { ImportOptions } from '../../../src/client/import/import-options.ts'
import { openDatabase } from '../../../src/database/open-database.ts'
import { loadArchive } from '../../../src/load/load-archive.ts'
import { IMPORT_LIMITS } from '../../../src/rules/import-limits.ts'
import { type ImportHost, openImportHost } from '../../support/import-host.ts'
import { inFolder, ROOT } from '../../support/run-command.ts'
import { type Reply, TOKEN } from '../../support/scripted-host.ts'
import { THOROUGH } from '../../support/thorough.ts'

const SAMPLE = join(ROOT, 'samples/hello.tar.gz')
const SEVERAL = join(ROOT, 'samples/organization.tar.gz')
const FILE = 'hello.tar.gz'
const SOURCE = 'https://github.com/mona-lindqvist/tea-timer'

let own: ImportHost
let notices: string[]

beforeEach(async () => {
  inFolder()
  copyFileSync(SAMPLE, FILE)
  copyFileSync(SEVERAL, 'several.tar.gz')
  own = await openImportHost()
  notices = []
})

/** The samples as databases: each test gets a copy. */
const loaded = new Map<string, Buffer>()

async function databaseOf(file: string) {
  const path = `${file}.db`
  if (!loaded.has(file)) {
    await loadArchive(file, path)
    loaded.set(file, readFileSync(path))
  }
  writeFileSync(path, loaded.get(file) as Buffer)
  const database = openDatabase(`${file}.db`)
  onTestFinished(() => void database.close())
  return database
}

const optionsOf = (more: Partial<ImportOptions> = {}): ImportOptions => ({
  ...own.host.client({ notice: (text) => void notices.push(text) }),
  organization: 'forge',
  repository: 'tea-timer',
  wait: true,
  ...more,
})

async function imported(more: Partial<ImportOptions> = {}, file = FILE) {
  return importArchive(file, optionsOf({ database: await databaseOf(file), ...more }))
}

const started = () => own.imports.map(({ variables }) => variables)

describe('importArchive', () => {
  it('uploads an archive, starts an import, waits, and reads the log', THOROUGH, async () => {
    own.log = `[2026-01-01T00:00:00Z] INFO -- Migration started
[2026-01-01T00:00:01Z] WARN -- Review of ${SOURCE}/issues/1, which is locked
[2026-01-01T00:00:02Z] ERROR -- Could not migrate #2.
[2026-01-01T00:00:03Z] WARN -- A webhook (https://elsewhere.example/hook) arrives disabled
`
    const states: string[] = []
    const done = await imported({
      log: 'import.log',
      skipReleases: true,
      visibility: 'internal',
      onState: (_, state) => states.push(state),
    })
    const uri = `gei://archive/${own.uploads[0]?.guid}`
    expect(started()).toEqual([
      expect.objectContaining({
        sourceId: 'MS_1',
        ownerId: 'O_forge',
        repositoryName: 'tea-timer',
        sourceRepositoryUrl: SOURCE,
        gitArchiveUrl: uri,
        metadataArchiveUrl: uri,
        continueOnError: true,
        skipReleases: true,
        targetRepoVisibility: 'internal',
      }),
    ])
    expect(done).toMatchObject({
      from: 'mona-lindqvist/tea-timer',
      repository: 'forge/tea-timer',
      archives: [{ path: FILE, bytes: readFileSync(FILE).length }],
      migration: 'RM_1',
      state: 'SUCCEEDED',
      failureReason: null,
      log: { lines: 4, warnings: 2, errors: 1, file: 'import.log' },
    })
    expect(done.log?.findings).toEqual([
      {
        severity: 'warning',
        message: `Review of ${SOURCE}/issues/1, which is locked`,
        record: { table: 'issues', url: `${SOURCE}/issues/1` },
      },
      {
        severity: 'error',
        message: 'Could not migrate #2.',
        record: { table: 'pull_requests', url: `${SOURCE}/pull/2` },
      },
      expect.objectContaining({ severity: 'warning', record: null }),
    ])
    expect(readFileSync('import.log', 'utf8')).toBe(own.log)
    expect(states).toEqual(['QUEUED', 'IN_PROGRESS', 'SUCCEEDED'])
    expect(own.uploads[0]?.parts[0]?.equals(readFileSync(FILE))).toBe(true)
    expect(readdirSync('.').filter((name) => /part/.test(name))).toEqual([])
  })

  it('loads the archive itself without a database', THOROUGH, async () => {
    const done = await importArchive(FILE, optionsOf())
    expect(done).toMatchObject({ state: 'SUCCEEDED', from: 'mona-lindqvist/tea-timer' })
  })

  it('only starts it without wait, and finds it again afterwards', THOROUGH, async () => {
    expect(await imported({ wait: false })).toMatchObject({ state: 'QUEUED', log: null })
    expect(await imported()).toMatchObject({ state: 'SUCCEEDED', migration: 'RM_1' })
    expect([own.imports.length, own.uploads.length]).toEqual([1, 1])
    expect(notices).toEqual(['the import of mona-lindqvist/tea-timer was started before: RM_1'])
  })

  it('uploads and starts nothing for a dry run', async () => {
    const done = await imported({ dryRun: true })
    expect(done).toMatchObject({ state: null, migration: null, archives: [{ path: FILE }] })
    expect([own.imports, own.uploads]).toEqual([[], []])
  })

  it('refuses an archive with errors, unless that is allowed', THOROUGH, async () => {
    copyFileSync(join(ROOT, 'samples/broken.tar.gz'), FILE)
    const refused = importArchive(FILE, optionsOf())
    await expect(refused).rejects.toMatchObject({
      code: 'check-failed',
      message: expect.stringMatching(/^the check found errors: [a-z-]+/),
    })
    expect(own.host.asked).toEqual([])
    const options = optionsOf({ allowInvalid: true })
    expect((await importArchive(FILE, options)).state).toBe('SUCCEEDED')
  })

  it('refuses a name that is taken, before it uploads', THOROUGH, async () => {
    own.names.add('tea-timer')
    await expect(imported()).rejects.toMatchObject({
      code: 'name-taken',
      message: 'there is a repository forge/tea-timer',
    })
    expect(own.uploads).toEqual([])
  })

  it('tells one that is done as imported before, and reads its log', THOROUGH, async () => {
    own.log = '[2026-01-01T00:00:00Z] WARN -- Something\n'
    await imported()
    expect(await imported({ log: 'late.log' })).toMatchObject({
      state: 'SUCCEEDED',
      importedBefore: true,
      migration: 'RM_1',
      log: { warnings: 1, file: 'late.log' },
    })
    expect(await imported({ dryRun: true })).toMatchObject({ importedBefore: true })
    expect([own.imports.length, own.uploads.length]).toEqual([1, 1])
  })

  it.each([
    ['from another address', { sourceUrl: 'https://git.example/other/one' }],
    ['before the archive was made', { createdAt: '2001-01-01T00:00:00Z' }],
    ['and not to its end', { state: 'FAILED' }],
  ])('does not take a repository for its own that was imported %s', THOROUGH, async (_, found) => {
    await imported()
    Object.assign(own.imports[0] ?? {}, found)
    await expect(imported()).rejects.toMatchObject({ code: 'name-taken' })
  })

  it('says why an import failed, and keeps the upload for another try', THOROUGH, async () => {
    own.states = ['IN_PROGRESS', 'FAILED']
    own.failureReason = 'The archive is strange'
    own.log = '[2026-01-01T00:00:00Z] ERROR -- The archive is strange\n'
    expect(await imported()).toMatchObject({
      state: 'FAILED',
      failureReason: 'The archive is strange',
      log: { errors: 1 },
    })
    own.states = ['SUCCEEDED']
    expect(await imported()).toMatchObject({ state: 'SUCCEEDED', migration: 'RM_2' })
    expect(own.uploads).toHaveLength(1)
  })

  it.each([
    ['a name with a slash', { repository: 'forge/tea-timer' }],
    ['an address that is none', { sourceUrl: 'tea-timer' }],
    ['an address with a password', { sourceUrl: 'https://ada:secret@git.example/a/b' }],
    ['parts that are too small', { partSize: 1000 }],
  ] as [string, Partial<ImportOptions>][])('refuses %s', THOROUGH, async (_, more) => {
    await expect(imported(more)).rejects.toMatchObject({ code: 'option-invalid' })
    expect(own.uploads).toEqual([])
  })

  it('says what organizations and repositories there are not', THOROUGH, async () => {
    await expect(imported({ organization: 'none' })).rejects.toMatchObject({ status: 404 })
    await expect(imported({ from: 'no/such' })).rejects.toMatchObject({
      code: 'repository-not-found',
      message: 'the archive has no repository "no/such"; it has mona-lindqvist/tea-timer',
    })
  })
})

describe('An import is started once', () => {
  it('although the answer was lost', async () => {
    own.loses = (what) => what === 'start'
    expect(await imported()).toMatchObject({ state: 'SUCCEEDED', migration: 'RM_1' })
    expect(own.imports).toHaveLength(1)
  })

  it('although the process ended before the answer came', THOROUGH, async () => {
    const stop = new AbortController()
    own.loses = (what) => {
      if (what === 'start') stop.abort()
      return what === 'start'
    }
    await expect(imported({ signal: stop.signal })).rejects.toMatchObject({ code: 'interrupted' })
    own.loses = () => false
    expect(await imported()).toMatchObject({ state: 'SUCCEEDED', migration: 'RM_1' })
    expect([own.imports.length, own.uploads.length]).toEqual([1, 1])
  })

  it('although the import has ended when the next process comes', THOROUGH, async () => {
    await imported({ wait: false })
    Object.assign(own.imports[0] ?? {}, { state: 'SUCCEEDED' })
    own.names.add('tea-timer')
    expect(await imported()).toMatchObject({ state: 'SUCCEEDED', migration: 'RM_1' })
    expect(own.imports).toHaveLength(1)
  })

  it('and not taken for one to the same name from elsewhere', THOROUGH, async () => {
    await imported({ wait: false, sourceUrl: 'https://git.example/other/one' })
    const notes = readdirSync('.').find((name) => name.endsWith('.part.json')) as string
    writeFileSync(notes, '')
    await imported({ wait: false })
    expect(own.imports.map(({ sourceUrl }) => sourceUrl)).toEqual([
      'https://git.example/other/one',
      SOURCE,
    ])
  })

  it('with another upload if the server has thrown the first away', THOROUGH, async () => {
    own.states = ['FAILED']
    await imported()
    own.uploads.length = 0
    own.states = ['SUCCEEDED']
    expect((await imported()).state).toBe('SUCCEEDED')
    expect(notices).toEqual([expect.stringMatching(/There is no archive gei:.+; uploading again$/)])
  })
})

describe('A wait', () => {
  it('goes on while replicas do not know the import, and through faults', async () => {
    own.lag = 4
    own.loses = (what, count) => what === 'begin' && count === 1
    const limit: Reply = {
      status: 200,
      headers: { 'Retry-After': '5' },
      body: { data: null, errors: [{ type: 'RATE_LIMIT', message: 'API rate limit exceeded' }] },
    }
    const { loses } = own
    own.loses = (what, count) => {
      if (what === 'start') own.host.script('POST /graphql', limit, { status: 502 })
      return loses(what, count)
    }
    expect((await imported()).state).toBe('SUCCEEDED')
    expect(own.imports).toHaveLength(1)
  })

  it('ends when its time is over, whatever it had been spent on', THOROUGH, async () => {
    own.states = []
    await expect(imported({ timeout: 90_000 })).rejects.toMatchObject({
      code: 'migration-timeout',
      message: expect.stringMatching(
        /^the import of mona-lindqvist\/tea-timer is still QUEUED after \d+ s$/,
      ),
    })
    const waited = own.host.waited.reduce((sum, each) => sum + each, 0)
    expect(waited).toBe(90_000)
  })

  it('asks for another address if that of the log has expired', THOROUGH, async () => {
    own.log = '[2026-01-01T00:00:00Z] WARN -- Something\n'
    own.expired = 2
    expect((await imported()).log).toMatchObject({ warnings: 1 })
    const logs = own.host.asked.filter(({ path }) => path.startsWith('/logs/'))
    expect(new Set(logs.map(({ path }) => path)).size).toBe(3)
    for (const { headers } of logs) expect(headers.authorization).toBeUndefined()
  })

  it('ends without a log that never comes', THOROUGH, async () => {
    own.expired = 100
    expect(await imported()).toMatchObject({ state: 'SUCCEEDED', log: null })
    expect(notices.at(-1)).toMatch(/^the log cannot be read: /)
  })
})

describe('Archives', () => {
  const limits = IMPORT_LIMITS as { archive: number }
  /** Lowers the limit for one archive. */
  function limitTo(bytes: number): void {
    const { archive } = limits
    limits.archive = bytes
    onTestFinished(() => {
      limits.archive = archive
    })
  }

  it('with several repositories are written anew for each', THOROUGH, async () => {
    const database = await databaseOf('several.tar.gz')
    const importing = await openImport(['several.tar.gz'], optionsOf({ database }))
    expect(importing.repositories.length).toBeGreaterThan(1)
    const [from = ''] = importing.repositories
    const done = await importing.run({ from, repository: 'one' })
    expect(done).toMatchObject({ from, state: 'SUCCEEDED' })
    const [upload] = own.uploads
    mkdirSync('sent')
    writeFileSync('sent/one.tar.gz', upload?.parts[0] as Buffer)
    await loadArchive('sent/one.tar.gz', 'sent/one.db')
    const sent = openDatabase('sent/one.db')
    onTestFinished(() => void sent.close())
    expect(sent.prepare('SELECT full_name FROM repositories').pluck().all()).toEqual([from])
    expect(existsSync('several.tar.gz.parts')).toBe(false)
  })

  it('with several repositories need to know which', THOROUGH, async () => {
    await expect(imported({ repository: 'nothing' }, 'several.tar.gz')).rejects.toMatchObject({
      code: 'repository-not-found',
    })
    const database = await databaseOf('several.tar.gz')
    const [url = ''] = database.prepare<[], string>('SELECT url FROM repositories').pluck().all()
    const done = await imported({ repository: 'renamed', sourceUrl: url }, 'several.tar.gz')
    expect(url.endsWith(done.from)).toBe(true)
  })

  it(
    'that are too large for one go as a pair, and the next process goes on with them',
    THOROUGH,
    async () => {
      limitTo(12_000)
      own.loses = (what, count) => what === 'whole' && count === 2
      const stop = new AbortController()
      const { loses } = own
      own.loses = (what, count) => {
        const isLost = loses(what, count)
        if (isLost) stop.abort()
        return isLost
      }
      await expect(imported({ signal: stop.signal })).rejects.toMatchObject({ code: 'interrupted' })
      own.loses = () => false
      const { archives } = await imported()
      expect(archives.map(({ path }) => path)).toEqual([
        `${FILE}.parts/mona-lindqvist-tea-timer-git.tar.gz`,
        `${FILE}.parts/mona-lindqvist-tea-timer-metadata.tar.gz`,
      ])
      const [git, , metadata] = own.uploads.map(({ guid }) => `gei://archive/${guid}`)
      expect(started()).toMatchObject([{ gitArchiveUrl: git, metadataArchiveUrl: metadata }])
      expect(existsSync(`${FILE}.parts`)).toBe(false)
    },
  )

  it('of which a half is too large are refused', THOROUGH, async () => {
    limitTo(1000)
    const refused = imported({ allowInvalid: true })
    await expect(refused).rejects.toMatchObject({ code: 'limit-extracted' })
    expect(own.uploads).toEqual([])
  })

  it('that are a pair go as they are, Git data first', async () => {
    limitTo(12_000)
    await imported({ wait: false })
    const sent = own.uploads.map(({ parts }) => parts[0] as Buffer)
    limits.archive = 2 ** 30
    writeFileSync('git.tar.gz', sent[0] as Buffer)
    writeFileSync('metadata.tar.gz', sent[1] as Buffer)
    own.uploads.length = 0
    const done = await importArchive(
      ['metadata.tar.gz', 'git.tar.gz'],
      optionsOf({ repository: 'again' }),
    )
    expect(done.archives.map(({ path }) => path)).toEqual(['git.tar.gz', 'metadata.tar.gz'])
    expect(own.uploads[0]?.parts[0]?.equals(sent[0] as Buffer)).toBe(true)
  })
})

describe('The token', () => {
  it('goes to the server and to the host of uploads, and to no other', async () => {
    const uploads = await openImportHost()
    own.uploads.push = (...all) => {
      throw new Error(`nothing is uploaded here: ${all.length}`)
    }
    // Both hosts know the same uploads.
    Object.assign(uploads, { imports: own.imports })
    const promise = imported({ uploads: uploads.host.url, wait: false })
    await expect(promise).rejects.toMatchObject({ code: 'request-refused' })
    expect(uploads.host.asked.map(({ path }) => path)).toEqual([
      '/organizations/7/gei/archive?name=hello.tar.gz',
    ])
    for (const { headers } of [...own.host.asked, ...uploads.host.asked]) {
      expect(headers.authorization).toBe(`token ${TOKEN}`)
    }
  })

  it('is in no notes on the disk', THOROUGH, async () => {
    await imported({ wait: false })
    for (const name of readdirSync('.')) {
      expect(readFileSync(name, 'latin1')).not.toContain(TOKEN)
    }
  })
})

it(
  'POSTs come one second apart, also of several imports at once; questions do not wait',
  THOROUGH,
  async () => {
    const database = await databaseOf('several.tar.gz')
    const importing = await openImport(['several.tar.gz'], optionsOf({ database, wait: false }))
    const before = own.host.waited.length
    await Promise.all(
      importing.repositories.map((from, i) => importing.run({ from, repository: `r${i}` })),
    )
    const changes = own.host.asked.filter(
      ({ method, body, path }) =>
        method === 'POST' && (path !== '/graphql' || /^{"query":"mutation/.test(body)),
    )
    expect(changes.length).toBe(3 * importing.repositories.length)
    expect(own.host.waited.length - before).toBeGreaterThanOrEqual(changes.length - 1)
  },
)
