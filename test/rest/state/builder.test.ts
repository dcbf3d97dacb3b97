import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished, test } from 'vitest'
import { partialOf } from '../../../src/files/partial-file.ts'
import { loadArchive } from '../../../src/load/load-archive.ts'
import { type BuildOrder, buildMigration } from '../../../src/rest/state/build-migration.ts'
import { openBuildQueue } from '../../../src/rest/state/build-queue.ts'
import { SILENCE } from '../../../src/rest/state/job-queue.ts'
import { openState, type State, type StateOptions } from '../../../src/rest/state/state.ts'
import { openStateDatabase } from '../../../src/rest/state/state-database.ts'
import { CLOCK } from '../../crash/build-migrations.ts'
import { sha256Of, unpack } from '../../support/build.ts'
import { folderOf } from '../../support/folder.ts'
import { columnOf, loaded, opened } from '../../support/load.ts'
import { loadOnce } from '../../support/load-once.ts'
import { LOCKING, MIGRATION_WORLD, WHOLE } from '../../support/migrations.ts'
import { COMPILE_CACHE, inFolder, ROOT, run } from '../../support/run-command.ts'
import { runProgram } from '../../support/run-program.ts'
import { everyDay, THOROUGH } from '../../support/thorough.ts'

const ADA = { owner: 'ada' }
const start = (state: State, ...repositories: string[]) => {
  const migration = state.migrations.start({ owner: 'ada', repositories, options: LOCKING })
  state.wake()
  return migration as NonNullable<typeof migration>
}

async function openServer(folder: string, options: Partial<StateOptions> = {}) {
  const steps: string[] = []
  const state = openState(folder, {
    clock: () => new Date(),
    archiveLife: 1e9,
    readOnly: false,
    pace: 0,
    fail: [],
    archiveKinds: 'all',
    databases: [],
    log: (step, id, message) => void steps.push([id, step, message].filter(Boolean).join(' ')),
    ...options,
  })
  let isClosed = false
  const close = async () => {
    if (!isClosed) await state.close()
    isClosed = true
  }
  onTestFinished(close)
  return { state, steps, close }
}

const newFolder = async () => join(await folderOf(), 'it.serve')

test(
  'Migrations are built in a thread, as in this one: one has what was asked for, another fails with the reason',
  THOROUGH,
  async () => {
    const { path } = await loaded(MIGRATION_WORLD)
    const { state, steps } = await openServer(await newFolder(), { databases: [path] })
    const { guid } = start(state, 'ada/kettle')
    start(state, 'ada/gone')
    await state.idle()
    const reason = 'repository-not-found: none of the repositories is there any more'
    expect(steps).toEqual(['1 taken', '1 built', '1 exported', '2 taken', `2 failed ${reason}`])
    expect(state.migrations.find(2, ADA)?.failure).toBe(reason)
    const archive = readFileSync(state.archivePath(guid) as string)
    expect(state.migrations.find(1, ADA)?.archive).toEqual({
      size: archive.length,
      sha256: sha256Of(archive),
    })
    const order = { databases: [path], repositories: ['ada/kettle'], options: LOCKING }
    const output = join(await folderOf(), 'again.tar.gz')
    const again = await buildMigration({ ...order, archiveKinds: 'all', output })
    expect(again.sha256).toBe(sha256Of(archive))
    const { files } = await unpack(archive)
    expect(Object.keys(files).sort()).toEqual([
      'attachments/a1/leak.png',
      'attachments_000001.json',
      'issues_000001.json',
      'repositories/ada/kettle.git/HEAD',
      'repositories_000001.json',
      'schema.json',
      'users_000001.json',
    ])
  },
)

test(
  'Repositories of several databases come into one archive, each from the first that has it',
  THOROUGH,
  async () => {
    const { path } = await loaded({
      'schema.json': { version: '1.0.1' },
      'repositories_000001.json': [
        {
          type: 'repository',
          url: 'https://github.com/ada/kettle',
          name: 'kettle',
          website: 'first',
        },
      ],
    })
    const { path: second } = await loaded(MIGRATION_WORLD)
    const output = join(await folderOf(), 'it.tar.gz')
    const order: BuildOrder = {
      databases: [path, second],
      repositories: ['ada/kettle', 'ADA/teapot', 'ada/gone'],
      options: WHOLE,
      archiveKinds: 'all',
      output,
    }
    await buildMigration(order)
    const { files } = await unpack(readFileSync(output))
    const repositories = JSON.parse(files['repositories_000001.json'] ?? '')
    expect(repositories.map(({ url, website }: Record<string, string>) => [url, website])).toEqual([
      ['https://github.com/ada/kettle', 'first'],
      ['https://github.com/ada/teapot', undefined],
    ])
    expect(Object.keys(files)).not.toContain('repositories/ada/kettle.git/HEAD')
    expect(Object.keys(files)).toContain('repositories/ada/teapot.git/HEAD')
  },
)

test('An upload whose URL a repository of another database has as well is missing, and is counted', async () => {
  const world = (repository: string) => ({
    'schema.json': { version: '1.0.1' },
    'repositories_000001.json': [{ type: 'repository', url: `https://github.com/${repository}` }],
    'issues_000001.json': [
      {
        type: 'issue',
        url: `https://github.com/${repository}/issues/1`,
        repository: `https://github.com/${repository}`,
      },
    ],
    'attachments_000001.json': [
      {
        type: 'attachment',
        url: 'https://github.com/user-attachments/assets/a1',
        issue: `https://github.com/${repository}/issues/1`,
      },
    ],
  })
  const [one, two] = [await loaded(world('ada/one')), await loaded(world('ada/two'))]
  const { state, steps } = await openServer(await newFolder(), { databases: [one.path, two.path] })
  start(state, 'ada/one', 'ada/two')
  await state.idle()
  expect(steps[1]).toMatch(
    /^1 built .*1 uploads are missing: one of another repository has the URL$/,
  )
})

test(
  'The metadata of organizations have their teams and members, and nothing of repositories',
  THOROUGH,
  async () => {
    const url = 'https://github.com/orgs/forge/teams/smiths'
    const team = {
      type: 'team',
      url,
      organization: 'https://github.com/forge',
      name: 'Smiths',
      permissions: [{ repository: 'https://github.com/forge/anvil', access: 'push' }],
      members: [{ user: 'https://github.com/bob', role: 'member' }],
    }
    const { path } = await loaded({ ...MIGRATION_WORLD, 'teams_000001.json': [team] })
    const { path: other } = await loaded({
      'schema.json': { version: '1.0.1' },
      'organizations_000001.json': [
        { type: 'organization', url: "https://github.com/o'hara", login: "o'hara", members: [] },
      ],
    })
    const output = join(await folderOf(), 'it.tar.gz')
    const pathsOf = async (databases: string[], organizations: string[]) => {
      const options = { ...WHOLE, org_metadata_only: true, organizations }
      await buildMigration({ databases, repositories: [], options, archiveKinds: 'all', output })
      return (await unpack(readFileSync(output))).files
    }
    const files = await pathsOf([path, other], ['FORGE'])
    expect(Object.keys(files).sort()).toEqual([
      'organizations_000001.json',
      'schema.json',
      'teams_000001.json',
      'users_000001.json',
    ])
    const logins = (text = '[]') => JSON.parse(text).map(({ login }: { login: string }) => login)
    expect(logins(files['users_000001.json']).sort()).toEqual(['ada', 'bob'])
    const both = await pathsOf([path, other], ['forge', "o'hara"])
    expect(logins(both['organizations_000001.json']).sort()).toEqual(['forge', "o'hara"])
  },
)

everyDay(1)([
  [{ exclude_attachments: true }, ['issues', 'git']],
  [{ exclude_metadata: true }, ['git']],
  [{ exclude_git_data: true }, ['issues', 'attachments']],
])('%j leaves that out', async (excluded, left) => {
  const { path } = await loaded(MIGRATION_WORLD)
  const output = join(await folderOf(), 'it.tar.gz')
  await buildMigration({
    databases: [path],
    repositories: ['ada/kettle'],
    archiveKinds: 'all',
    output,
    options: { ...WHOLE, ...excluded },
  })
  const paths = Object.keys((await unpack(readFileSync(output))).files)
  const parts = { issues: 'issues_', attachments: 'attachments', git: 'repositories/' }
  const found = Object.entries(parts).filter(([, start]) =>
    paths.some((path) => path.startsWith(start)),
  )
  expect(found.map(([name]) => name)).toEqual(left)
})

describe('A migration fails, with the reason, and leaves no file', () => {
  it('that was to fail; its locks stay until they are released', async () => {
    const { state } = await openServer(':memory:', { fail: ['Ada/Kettle'] })
    const { guid } = start(state, 'ada/kettle')
    await state.idle()
    expect(state.migrations.find(1, ADA)?.failure).toBe('ada/kettle was to fail')
    expect(readdirSync(dirname(state.archivePath(guid) as string))).toEqual([])
    expect(state.migrations.locksOf(1)).toEqual(['ada/kettle'])
    expect(state.migrations.unlock(1, 'ada/kettle')).toBe(true)
  })

  everyDay(1)([
    ['whose database has no contents of files', { files: false }, 'ada/kettle', 'content-missing'],
    ['whose repository is gone', {}, 'ada/gone', 'repository-not-found'],
    ['whose database is gone', undefined, 'ada/kettle', 'database-not-found'],
  ])('%s', async (_, options, repository, code) => {
    const path = options ? (await loaded(MIGRATION_WORLD, options)).path : '/no/such.db'
    const folder = await folderOf()
    const build = buildMigration({
      databases: [path],
      repositories: [repository],
      options: WHOLE,
      archiveKinds: 'all',
      output: join(folder, 'it.tar.gz'),
    })
    await expect(build).rejects.toMatchObject({ code })
    expect(readdirSync(folder)).toEqual([])
  })

  it('in a folder that takes no files', async () => {
    const { path } = await loaded(MIGRATION_WORLD)
    const build = buildMigration({
      databases: [path],
      repositories: ['ada/kettle'],
      options: WHOLE,
      archiveKinds: 'all',
      output: '/proc/it.tar.gz',
    })
    await expect(build).rejects.toMatchObject({ code: 'output-refused' })
  })
})

test(
  'A database without contents is enough where neither Git data nor attachments are wanted',
  THOROUGH,
  async () => {
    const { path } = await loaded(MIGRATION_WORLD, { files: false })
    const output = join(await folderOf(), 'it.tar.gz')
    const options = { ...WHOLE, exclude_git_data: true, exclude_attachments: true }
    await buildMigration({
      databases: [path],
      repositories: ['ada/kettle'],
      options,
      archiveKinds: 'all',
      output,
    })
    expect(Object.keys((await unpack(readFileSync(output))).files)).toContain('issues_000001.json')
  },
)

test('A server that stops leaves its build to the next one', THOROUGH, async () => {
  const { path } = await loaded(MIGRATION_WORLD)
  const folder = await newFolder()
  const first = await openServer(folder, { databases: [path], pace: 60_000, machineTime: () => 0 })
  const { guid } = start(first.state, 'ada/kettle')
  await first.close()
  // Its pace is over in this one, but it is exporting for a minute more.
  const second = await openServer(folder, {
    databases: [path],
    pace: 60_000,
    machineTime: () => 1e9,
  })
  await expect.poll(() => second.steps, { timeout: 20_000 }).toContain('1 built')
  expect(second.state.migrations.find(1, ADA)?.state).toBe('exporting')
  await second.close()
  expect(second.steps.at(-1)).toBe('1 released')
  const third = await openServer(folder, { databases: [path] })
  await third.state.idle()
  expect(third.steps).toEqual(['1 taken over', '1 built', '1 exported'])
  expect(readdirSync(join(folder, 'archives'))).toEqual([`${guid}.tar.gz`])
})

async function takeOver(options: Partial<StateOptions> = {}) {
  const { path } = await loaded(MIGRATION_WORLD)
  const folder = await newFolder()
  const { state: waiting, close } = await openServer(folder, { pace: 60_000 })
  const { guid } = start(waiting, 'ada/kettle')
  await close()
  const store = openStateDatabase(folder)
  const now = Date.now()
  const time = { clock: () => new Date(), pace: 0, machineTime: () => now }
  expect(openBuildQueue(store, time).take()).toMatchObject({ id: 1 })
  store.close()
  const archives = join(folder, 'archives')
  const gone = partialOf(join(archives, `${guid}.tar.gz`)).replace(
    `-${process.pid}-`,
    '-999999999-',
  )
  writeFileSync(gone, 'half')
  writeFileSync(join(archives, `${guid.replace(/^./, 'z')}.tar.gz`), 'not ours')
  writeFileSync(join(archives, `${guid.replace(/^..../, '0000')}.tar.gz`), 'of nobody')
  const { state, steps } = await openServer(folder, {
    databases: [path],
    machineTime: () => now + SILENCE,
    ...options,
  })
  await state.idle()
  const left = readdirSync(archives).sort()
  return { steps, left, built: `${guid}.tar.gz`, foreign: `${guid.replace(/^./, 'z')}.tar.gz` }
}

test('A start takes over what a server that is gone had begun, and removes what killed ones have left', async () => {
  // That a migration fails takes no thread.
  const { steps, left, foreign } = await takeOver({ fail: ['ada/kettle'] })
  expect(steps).toEqual(['1 taken over', '1 failed ada/kettle was to fail'])
  expect(left).toEqual([foreign])
})

test('A start builds what it takes over', THOROUGH, async () => {
  const { steps, left, built, foreign } = await takeOver()
  expect(steps).toEqual(['1 taken over', '1 built', '1 exported'])
  expect(left).toEqual([built, foreign])
})

test('Two servers build each migration once', THOROUGH, async () => {
  const { path } = await loaded(MIGRATION_WORLD)
  const folder = await newFolder()
  const one = await openServer(folder, { databases: [path] })
  const other = await openServer(folder, { databases: [path] })
  for (let i = 0; i < 6; i++) start(i % 2 ? one.state : other.state, 'ada/kettle')
  await expect
    .poll(() => one.state.migrations.list(ADA, { offset: 0, limit: 9 }).map(({ state }) => state), {
      timeout: 20_000,
    })
    .toEqual(Array.from({ length: 6 }, () => 'exported'))
  const taken = [...one.steps, ...other.steps].filter((step) => step.endsWith('taken'))
  expect(taken.sort()).toEqual([1, 2, 3, 4, 5, 6].map((id) => `${id} taken`))
  const hashes = one.state.migrations
    .list(ADA, { offset: 0, limit: 9 })
    .map(({ archive }) => archive?.sha256)
  expect(new Set(hashes).size).toBe(1)
})

test.each(['taken', 'built', 'exported'])(
  'A server that is killed right after a migration was %s loses nothing',
  THOROUGH,
  async (step) => {
    const { path } = await loaded(MIGRATION_WORLD)
    const folder = await newFolder()
    const waiting = await openServer(folder, { databases: [path], pace: 60_000, clock: CLOCK })
    const migrations = ['ada/kettle', 'ada/gone'].map((name) => start(waiting.state, name))
    await waiting.close()
    const program = join(ROOT, 'test/crash/build-migrations.ts')
    const { signal } = runProgram(process.execPath, [program, folder, path, step], {
      env: { ...process.env, ...COMPILE_CACHE },
    })
    expect(signal).toBe('SIGKILL')
    const { state, steps } = await openServer(folder, { databases: [path], clock: CLOCK })
    await state.idle()
    expect(steps[0]).toBe(step === 'exported' ? '2 taken' : '1 taken over')
    const [first, second] = migrations.map(({ id }) => state.migrations.find(id, ADA))
    expect([first?.state, second?.state]).toEqual(['exported', 'failed'])
    expect(state.migrations.locksOf(1)).toEqual(['ada/kettle'])
    const bytes = readFileSync(state.archivePath(first?.guid ?? '') as string)
    expect(sha256Of(bytes)).toBe(first?.archive?.sha256)
    expect(readdirSync(join(folder, 'archives'))).toEqual([`${first?.guid}.tar.gz`])
    const output = join(await folderOf(), 'again.tar.gz')
    const again = await buildMigration({
      databases: [path],
      repositories: ['ada/kettle'],
      options: LOCKING,
      output,
      archiveKinds: 'all',
    })
    expect(again.sha256).toBe(first?.archive?.sha256)
  },
)

test(
  'A migration on a full disk fails with the reason, and leaves nothing half written',
  THOROUGH,
  async () => {
    const noise = randomBytes(1_000_000).toString('latin1')
    const { path } = await loaded({ ...MIGRATION_WORLD, 'attachments/a1/leak.png': noise })
    const folder = await newFolder()
    const waiting = await openServer(folder, { databases: [path], pace: 60_000 })
    start(waiting.state, 'ada/kettle')
    await waiting.close()
    const program = join(ROOT, 'test/crash/build-migrations.ts')
    const line = `trap '' XFSZ; ulimit -f 600; '${process.execPath}' '${program}' '${folder}' '${path}'`
    const { status, stderr } = runProgram('bash', ['-c', line], {
      env: { ...process.env, ...COMPILE_CACHE },
    })
    expect([status, stderr.toString()]).toEqual([0, ''])
    const { state } = await openServer(folder, { databases: [path] })
    expect(state.migrations.find(1, ADA)).toMatchObject({
      state: 'failed',
      failure: expect.stringMatching(/^output-full: file too large/),
    })
    expect(readdirSync(join(folder, 'archives'))).toEqual([])
  },
)

test('The archive of a migration loads and passes the checks', THOROUGH, async () => {
  const folder = inFolder()
  await loadOnce([readFileSync(join(ROOT, 'samples/hello.tar.gz'))], 'it.db', {})
  await buildMigration({
    databases: ['it.db'],
    repositories: ['mona-lindqvist/tea-timer'],
    options: WHOLE,
    archiveKinds: 'all',
    output: join(folder, 'built.tar.gz'),
  })
  expect((await run(['check', 'built.tar.gz', '--quiet'])).code).toBe(0)
  await loadArchive('built.tar.gz', 'again.db')
  expect(columnOf(opened('again.db'), 'SELECT full_name FROM repositories')).toEqual([
    'mona-lindqvist/tea-timer',
  ])
})
