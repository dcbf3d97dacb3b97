import { join } from 'node:path'
import { inspect } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { asBytes } from '../src/base/streams.ts'
import * as library from '../src/index.ts'
import { thrownCodes } from './support/documented-codes.ts'
import { runs, someOf } from './support/property-runs.ts'
import { inFolder, ROOT } from './support/run-command.ts'
import { THOROUGH } from './support/thorough.ts'

type Call = (...given: never[]) => unknown

interface PublicFunction {
  call: Call
  /** Arguments that it takes as they are; the last ones may be left out. */
  given: () => readonly unknown[]
  /** Its options, if the argument after these has any. */
  options?: readonly string[]
}

const HELLO = join(ROOT, 'samples/hello.tar.gz')
const REPOSITORY = 'mona-lindqvist/tea-timer'
const ISSUE = `https://github.com/${REPOSITORY}/issues/4`

const READING = ['limits', 'report', 'signal', 'salvage', 'position', 'form']
const SELECTION = ['owners', 'until', 'labels', 'authors', 'states', 'where', 'fromQuery'].concat([
  'not',
  'with',
])
const LIMITS = Object.keys(library.DEFAULT_LIMITS).map((name) => `limits.${name}`)

const CLIENT = ['token', 'organization', 'insecure', 'oneTimePassword', 'notice', 'trace'].concat(
  'stallAfter',
  'clock',
  'signal',
)

/** A function that asks a server, which is not there. Its last argument are its options. */
function asking(call: Call, given: unknown[], options: readonly string[] = []): PublicFunction {
  const server = 'http://127.0.0.1:9'
  const withServer = (...all: unknown[]) => {
    const last = all.length > given.length ? all.at(-1) : {}
    const isPlain = Object.getPrototypeOf(Object(last)) === Object.prototype && last !== null
    return call(
      ...(all.toSpliced(given.length, 1, isPlain ? { server, ...last } : last) as never[]),
    )
  }
  return { call: withServer as Call, given: () => given, options: [...options, 'server'] }
}

/** Every public function, with a database and a repository in it, and a file `made` that may be written. */
function publicFunctions(database: library.Database): Record<string, PublicFunction> {
  const on = (call: Call, given: unknown[] = [], options?: string[]): PublicFunction => ({
    call,
    given: () => [database, ...given],
    ...(options && { options }),
  })
  const entry = () => ({
    path: 'a',
    size: 1,
    mode: 0o644,
    modifiedAt: new Date(0),
    content: asBytes([Buffer.from('a')]),
  })
  const repository = library.openRepository(database, REPOSITORY)
  const user = { url: 'https://h/ada', login: 'ada', name: null, emails: [], created_at: null }
  const file = { path: 'x', size: 1, content: asBytes([Buffer.from('x')]) }
  const records = () => asBytes([Buffer.from('[{"url":"x"}]')])
  const source = (name: string, value: unknown) => ({ records: { users: [user] }, [name]: value })
  return {
    buildArchive: on(
      library.buildArchive,
      [],
      [
        'repositories',
        'since',
        'kinds',
        'files',
        'part',
        'form',
        'level',
        'date',
        'progress',
      ].concat(['allowInvalid', 'report', 'signal'], SELECTION, ['cutReferences']),
    ),
    splitArchive: on(library.splitArchive, ['repo'], ['leftOut']),
    checkDatabase: on(library.checkDatabase, [], ['profile', 'only', 'skip', 'report', 'progress']),
    cloneRepository: on(
      library.cloneRepository,
      [REPOSITORY, 'made'],
      ['force', 'worktree', 'maxExtracted', 'progress', 'signal'],
    ),
    diffAsSql: on(library.diffAsSql, [database], ['labels']),
    diffDatabases: on(library.diffDatabases, [database], ['only', 'ignore']),
    eventSentence: { call: library.eventSentence, given: () => ['closed', {}] },
    examineDatabase: on(library.examineDatabase, [], ['repair', 'progress']),
    exportArchive: {
      call: library.exportArchive,
      given: () => [source('files', [])],
      options: [
        'form',
        'schema',
        'urls',
        'emptyArray',
        'date',
        'level',
        'allowInvalid',
        'report',
        'signal',
      ],
    },
    'exportArchive of files': {
      call: ((value: unknown) => library.exportArchive(source('files', value) as never)) as Call,
      given: () => [[]],
    },
    'exportArchive of a file': {
      call: ((value: unknown) =>
        library.exportArchive(source('files', [value]) as never, { allowInvalid: true })) as Call,
      given: () => [{}],
      options: [],
    },
    ...Object.fromEntries(
      ['path', 'size', 'content', 'file', 'modifiedAt'].map((name) => [
        `exportArchive of a file's ${name}`,
        {
          call: ((value: unknown) => {
            const given = source('files', [{ ...file, [name]: value }])
            return library.exportArchive(given as never, { allowInvalid: true })
          }) as Call,
          given: () => ['x'],
        },
      ]),
    ),
    ...Object.fromEntries(
      ['fullName', 'directory', 'wiki'].map((name) => [
        `exportArchive of a repository's ${name}`,
        {
          call: ((value: unknown) => {
            const repository = { fullName: 'o/r', directory: 'x', [name]: value }
            return library.exportArchive(source('repositories', [repository]) as never)
          }) as Call,
          given: () => ['x'],
        },
      ]),
    ),
    'exportArchive of records': {
      call: ((value: unknown) => library.exportArchive({ records: value } as never)) as Call,
      given: () => [{}],
    },
    'exportArchive of users': {
      call: ((value: unknown) =>
        library.exportArchive({ records: { users: value } } as never)) as Call,
      given: () => [[]],
    },
    'exportArchive of a user': {
      call: ((value: unknown) =>
        library.exportArchive({ records: { users: [value] } } as never)) as Call,
      given: () => [{}],
    },
    exportData: on(
      library.exportData as Call,
      ['dataset'],
      [
        'format',
        'as',
        'compression',
        'derived',
        'raw',
        'selection',
        'force',
        'wait',
        'limits',
        'salvage',
        'report',
        'progress',
        'signal',
        'schema',
        'shard',
        'user',
        'password',
      ],
    ),
    extractAttachments: on(
      library.extractAttachments,
      ['made'],
      ['by', 'force', 'maxExtracted', 'report', 'signal'],
    ),
    findRecord: on(library.findRecord, [ISSUE, 'issues']),
    findRepository: on(library.findRepository, [REPOSITORY]),
    removePartition: {
      call: library.removePartition,
      given: () => ['dataset', 'hello'],
      options: ['format', 'schema', 'user', 'password', 'wait', 'signal'],
    },
    verifyExport: {
      call: library.verifyExport as Call,
      given: () => [HELLO, 'nowhere'],
      options: [
        'format',
        'as',
        'schema',
        'user',
        'password',
        'wait',
        'limits',
        'salvage',
        'signal',
        'progress',
      ],
    },
    resolveTarget: on(library.resolveTarget, [ISSUE]),
    inspectArchive: {
      call: library.inspectArchive,
      given: () => [HELLO],
      options: ['limits', 'salvage', 'progress', 'signal', ...LIMITS],
    },
    listAttachments: on(library.listAttachments),
    listRepositories: on(library.listRepositories),
    loadArchive: {
      call: library.loadArchive,
      given: () => [HELLO, 'made'],
      options: ['limits', 'files', 'salvage', 'replace', 'report', 'progress', 'signal'],
    },
    mapDatabase: on(
      library.mapDatabase,
      [undefined, { hosts: [], logins: [], repositories: [] }],
      ['mentions', 'unmapped', 'force', 'signal'],
    ),
    openArchive: { call: library.openArchive, given: () => [HELLO], options: [...READING, 'hash'] },
    openDatabase: { call: library.openDatabase, given: () => ['hello.db'], options: ['readonly'] },
    openGitFs: on(library.openGitFs, [REPOSITORY], ['maxObject']),
    openRepository: on(library.openRepository, [REPOSITORY], ['maxObject']),
    ...Object.fromEntries(
      Object.entries({
        log: ['main'],
        readFile: ['main', 'README.md'],
        streamFile: ['main', 'README.md'],
        resolve: ['main', 'commit'],
        walk: ['main'],
        refs: [],
      }).map(([name, given]) => [
        `repository.${name}`,
        {
          call: repository[name as 'log'].bind(repository) as Call,
          given: () => given,
          ...(name === 'log' && { options: ['paths', 'since', 'until', 'author', 'limit'] }),
        },
      ]),
    ),
    pathOf: { call: library.pathOf, given: () => [{ role: 'schema' }] },
    redactDatabase: on(
      library.redactDatabase,
      [undefined],
      [
        'what',
        'mode',
        'key',
        'keepDomain',
        'keep',
        'also',
        'attachments',
        'git',
        'force',
        'labels',
        'signal',
      ],
    ),
    parseUsers: { call: library.parseUsers, given: () => [Buffer.from('old,new\n'), 'users.csv'] },
    readArchive: {
      call: library.readArchive,
      given: () => [HELLO],
      options: [...READING, ...LIMITS],
    },
    'readArchive of bytes': {
      call: ((value: unknown) => library.readArchive(asBytes([value as never]))) as Call,
      given: () => [Buffer.from('x')],
    },
    'loadArchive of bytes': {
      call: ((value: unknown) =>
        library.loadArchive({ name: 'x', bytes: asBytes([value as never]) }, 'made')) as Call,
      given: () => [Buffer.from('x')],
    },
    'loadArchive of sources': {
      call: ((value: unknown) => library.loadArchive([value] as never, 'made')) as Call,
      given: () => ['x'],
    },
    readArchiveRecords: {
      call: library.readArchiveRecords as Call,
      given: () => [HELLO],
      options: ['limits', 'report', 'signal', 'kinds'],
    },
    readAttachment: on(library.readAttachment, ['attachments/1']),
    readFile: on(library.readFile, [1]),
    readFolder: { call: library.readFolder, given: () => ['.'], options: READING },
    readRecords: {
      call: library.readRecords,
      given: () => [records(), 'users_000001.json'],
      options: [
        'limits',
        'report',
        'form',
        'salvage',
        'bytesAsText',
        'limits.depth',
        'limits.record',
      ],
    },
    'readRecords of bytes': {
      call: ((value: unknown) => library.readRecords(asBytes([value as never]), 'x')) as Call,
      given: () => [Buffer.from('[]')],
    },
    readThread: on(library.readThread, [ISSUE]),
    readTimeline: on(library.readTimeline, [ISSUE]),
    roleOf: { call: library.roleOf, given: () => ['schema.json'] },
    runQuery: on(library.runQuery, ['SELECT 1 WHERE 1', {}], ['maxRows']),
    'runQuery with a parameter': {
      call: ((value: unknown) => library.runQuery(database, 'SELECT ?', [value] as never)) as Call,
      given: () => [1],
    },
    searchDatabase: on(
      library.searchDatabase,
      ['tea'],
      ['repository', 'author', 'kinds', 'state', 'since', 'until', 'limit'],
    ),
    serveArchive: {
      call: library.serveArchive as Call,
      given: () => [['hello.db']],
      options: [
        'bind',
        'tls',
        'insecure',
        'hostNames',
        'baseUrl',
        'cors',
        'accounts',
        'state',
        'pages',
        'readOnly',
        'clock',
        'now',
        'pace',
        'archiveKinds',
        'linkLife',
        'archiveLife',
        'strictPreview',
        'allEvents',
        'pollInterval',
        'rateLimit',
        'rateLimit.callers',
        'fail',
        'log',
        'notice',
        'signal',
      ],
    },
    servePages: {
      call: library.servePages as Call,
      given: () => [['hello.db']],
      options: ['public', 'hostNames'],
    },
    exportMarkdown: {
      call: library.exportMarkdown as Call,
      given: () => [['hello.db'], 'notes'],
      options: ['selection', 'progress', 'signal'],
    },
    writeSite: {
      call: library.writeSite as Call,
      given: () => [['hello.db'], 'made'],
      options: [
        'public',
        'git',
        'commits',
        'allRefs',
        'repositories',
        'files',
        'search',
        'base',
        'dryRun',
        'progress',
        'signal',
      ],
    },
    createToken: asking(library.createToken, ['ada', 'secret'], ['note', ...CLIENT]),
    deleteArchive: asking(library.deleteArchive, [1]),
    downloadArchive: asking(
      library.downloadArchive,
      [1, 'made'],
      [...CLIENT, 'wait', 'force', 'verify', 'progress', 'timeout', 'interval', 'onState'],
    ),
    importArchive: asking(
      library.importArchive,
      [['hello.tar.gz']],
      [
        'repository',
        'from',
        'sourceUrl',
        'log',
        'uploads',
        'database',
        'allowInvalid',
        'partSize',
        'dryRun',
        'wait',
        'timeout',
        'interval',
        'visibility',
        'skipReleases',
        'progress',
        'onState',
      ],
    ),
    listMannequins: asking(library.listMannequins, []),
    reclaimMannequins: asking(
      library.reclaimMannequins,
      [[{ id: 'M_1', target: 'ada' }]],
      ['skipInvitation'],
    ),
    getArchiveAddress: asking(library.getArchiveAddress, [1]),
    getMigration: asking(library.getMigration, [1], CLIENT),
    listMigrationRepositories: asking(library.listMigrationRepositories, [1]),
    listMigrations: asking(library.listMigrations, []),
    listOwnRepositories: asking(library.listOwnRepositories, []),
    startMigration: asking(
      library.startMigration,
      [['ada/kettle']],
      [
        'lockRepositories',
        'excludeAttachments',
        'excludeMetadata',
        'excludeGitData',
        'excludeReleases',
        'timeout',
      ],
    ),
    unlockRepositories: asking(library.unlockRepositories, [1, ['ada/kettle']]),
    watchMigration: asking(library.watchMigration, [1], ['timeout', 'interval', 'onState']),
    validateArchive: asking(
      library.validateArchive,
      [database],
      ['repository', 'from', 'sample', 'progress'],
    ),
    updateSearchIndex: on(library.updateSearchIndex, [], ['progress', 'signal']),
    verifyRepository: on(library.verifyRepository, [REPOSITORY], ['contents', 'progress']),
    writeArchive: {
      call: library.writeArchive,
      given: () => [[entry()]],
      options: ['prefix', 'level', 'gzip', 'directories'],
    },
    ...Object.fromEntries(
      ['path', 'size', 'mode', 'modifiedAt', 'content'].map((name) => [
        `writeArchive of an entry's ${name}`,
        {
          call: ((value: unknown) => library.writeArchive([{ ...entry(), [name]: value }])) as Call,
          given: () => ['x'],
        },
      ]),
    ),
    writeRecords: {
      call: library.writeRecords,
      given: () => [[{ url: 'x' }], { emptyArray: 'new' }],
      options: ['emptyArray'],
    },
  }
}

/** Made anew for each call, which may fill them in. */
const oddValues = (): readonly unknown[] => [
  null,
  0,
  -1,
  1.5,
  1e15,
  Number.NaN,
  true,
  10n,
  'x',
  '',
  'a\0b',
  '../x',
  Symbol('odd'),
  {},
  [],
  [null],
  { path: 'x' },
  Object.create(null),
  () => 1,
  new Date(Number.NaN),
  new Date(),
  Buffer.from('x'),
  new Map(),
  Promise.resolve(1),
  asBytes([]),
]

/** The options with this value for one of them, which may be within another one. */
function optionsWith(name: string, value: unknown): object {
  const [outer = '', inner] = name.split('.')
  return { [outer]: inner === undefined ? value : { [inner]: value } }
}

const shown = (value: unknown) => inspect(value, { breakLength: Number.POSITIVE_INFINITY })

/** Calls a function and takes all it gives. */
async function drain(call: Call, given: readonly unknown[]): Promise<void> {
  const result: unknown = await call(...(given as never[]))
  const rows = (result as { rows?: unknown } | undefined)?.rows ?? result
  const entries = (rows as { entries?: unknown } | undefined)?.entries ?? rows
  if (typeof entries !== 'object' || entries === null || Array.isArray(entries)) return
  if (Symbol.asyncIterator in entries || Symbol.iterator in entries) {
    for await (const _ of entries as AsyncIterable<unknown>);
  }
  const { close } = result as { close?: unknown }
  if (typeof close === 'function') await close.call(result)
}

/** The codes that the @throws of a function names, or of the function that made the object whose method it is. */
const documentedCodes = (name: string): ReadonlySet<string> =>
  thrownCodes(name.startsWith('repository.') ? 'openRepository' : (name.split(' ')[0] as string))
    .codes

describe('A public function answers odd values with ArchiveError or its result', () => {
  const setUp = async () => {
    inFolder()
    await library.loadArchive(HELLO, 'hello.db')
    const database = library.openDatabase('hello.db')
    await library.updateSearchIndex(database)
    onTestFinished(() => void database.close())
    return publicFunctions(database)
  }

  test('in place of each argument and option', { ...THOROUGH, timeout: 120_000 }, async () => {
    const functions = await setUp()
    const faults: string[] = []
    let calls = 0
    let refused = 0
    const untold = new Set<string>()
    const attempt = async (name: string, what: string, call: Call, given: readonly unknown[]) => {
      calls++
      try {
        await drain(call, given)
      } catch (error) {
        refused++
        if (!(error instanceof library.ArchiveError)) faults.push(`${what}: ${error}`)
        else if (!documentedCodes(name).has(error.code)) untold.add(`${name}: ${error.code}`)
      }
    }
    for (const [name, { call, given, options = [] }] of Object.entries(functions)) {
      const usual = given()
      for (const [i] of [...usual, {}].entries()) {
        for (const value of someOf(oddValues())) {
          if (i === usual.length && options.length === 0) break
          const told = `${name}, argument ${i + 1}: ${shown(value)}`
          await attempt(name, told, call, given().toSpliced(i, 1, value))
        }
      }
      for (const option of options) {
        for (const value of someOf(oddValues())) {
          const told = `${name}, ${option}: ${shown(value)}`
          await attempt(name, told, call, [...given(), optionsWith(option, value)])
        }
      }
    }
    expect(faults).toEqual([])
    expect([...untold]).toEqual([])
    expect(calls).toBeGreaterThan(runs(4000))
    expect(refused / calls).toBeGreaterThan(0.5)
  })

  test('and with interrupted, if it takes a signal that was aborted before', async () => {
    const functions = Object.entries(await setUp())
    const stoppable = functions.filter(([, { options }]) => options?.includes('signal'))
    const others: string[] = []
    for (const [name, { call, given }] of stoppable) {
      const stopped = drain(call, [...given(), { signal: AbortSignal.abort() }])
      const error = await stopped.catch((error: unknown) => error)
      const { code } = error instanceof library.ArchiveError ? error : { code: String(error) }
      if (code !== 'interrupted') others.push(`${name}: ${code}`)
    }
    expect(others).toEqual([])
    expect(stoppable.length).toBeGreaterThan(15)
  })

  test('and none of them is left out', async () => {
    const tried = Object.keys(await setUp())
    const names = Object.entries(library).flatMap(([name, value]) =>
      typeof value === 'function' && name !== 'ArchiveError' && name !== 'describePlace'
        ? name
        : [],
    )
    expect(names.filter((name) => !tried.includes(name))).toEqual([])
  })
})
