/** THE TABLE of what is killed: each writes something, and must write it wholly or not at all. */

import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import Sqlite from 'better-sqlite3'
import { asBytes } from '../../src/base/streams.ts'
import { createImports } from '../../src/rest/state/imports.ts'
import { createMigrations } from '../../src/rest/state/migrations.ts'
import { openStateDatabase } from '../../src/rest/state/state-database.ts'
import { createUploads } from '../../src/rest/state/uploads.ts'
import { tarOf } from '../support/build-tar.ts'
import { LOCKING } from '../support/migrations.ts'
import { sendSlowly, startHost, TOKEN } from '../support/scripted-host.ts'
import { CLOCK } from './build-migrations.ts'

export interface Operation {
  name: string
  /** Makes what the command starts from, in an empty folder with `base.tar.gz`, `more.tar.gz` and, unpacked, `folder`. */
  before: readonly (readonly string[])[]
  /** What is done to that by something else than `marc`. */
  harm?(folder: string): void | Promise<void>
  /** Starts what the command talks to, which ends with this process. Returns variables of the environment that name it. */
  environment?(): Promise<Record<string, string>>
  /** The program that is killed, if it is not `marc`. */
  program?: string
  /** The command that is killed. */
  command: readonly string[]
  /** The command that is run after that; the same unless told otherwise. */
  again?: readonly string[]
  /** The name of what it makes or changes. */
  output: string
  /** What stands under that name, to be compared; undefined where there is nothing. */
  read(path: string): unknown
  /** Whether a folder grows file by file, each of them whole. */
  growing?: boolean
}

const CACHE = '.home/.cache/migration-archive'

const load = (name: string, ...more: string[]) => ['load', name, '-o', 'it.db', '-q', ...more]

export const OPERATIONS: readonly Operation[] = [
  {
    name: 'load into a new database',
    before: [],
    command: load('base.tar.gz'),
    output: 'it.db',
    read: readDatabase,
  },
  {
    name: 'load into a database that is there',
    before: [load('more.tar.gz')],
    command: load('base.tar.gz'),
    output: 'it.db',
    read: readDatabase,
  },
  {
    name: 'load contents that were left out',
    before: [load('base.tar.gz', '--no-files')],
    command: load('base.tar.gz'),
    output: 'it.db',
    read: readDatabase,
  },
  {
    name: 'load in place of a database',
    before: [load('more.tar.gz')],
    command: load('base.tar.gz', '--force'),
    output: 'it.db',
    read: readDatabase,
  },
  {
    name: 'build',
    before: [load('base.tar.gz')],
    command: ['build', 'it.db', '-o', 'out.tar.gz', '-q'],
    again: ['build', 'it.db', '-o', 'out.tar.gz', '-q', '--force'],
    output: 'out.tar.gz',
    read: readBytes,
  },
  {
    name: 'build in place of an archive',
    before: [load('base.tar.gz'), ['build', 'it.db', '-o', 'out.tar.gz', '-q', '--level', '1']],
    command: ['build', 'it.db', '-o', 'out.tar.gz', '-q', '--force'],
    output: 'out.tar.gz',
    read: readBytes,
  },
  {
    name: 'build of a folder',
    before: [],
    command: ['build', 'folder', '-o', 'out.tar.gz', '-q'],
    again: ['build', 'folder', '-o', 'out.tar.gz', '-q', '--force'],
    output: 'out.tar.gz',
    read: readBytes,
  },
  {
    name: 'rename people into a new archive',
    before: [load('base.tar.gz')],
    command: ['map', 'it.db', '--rename', 'kofi-meadow=kofi', '-o', 'out.tar.gz', '-q'],
    again: ['map', 'it.db', '--rename', 'kofi-meadow=kofi', '-o', 'out.tar.gz', '-q', '--force'],
    output: 'out.tar.gz',
    read: readBytes,
  },
  {
    name: 'rename a host in a database',
    before: [load('base.tar.gz')],
    command: [
      'map',
      'it.db',
      '--in-place',
      '-q',
      '--url',
      'https://github.com=https://forge.example',
    ],
    // What has its new name is not renamed again.
    again: ['query', 'it.db', 'SELECT 1'],
    output: 'it.db',
    read: readDatabase,
  },
  {
    name: 'redact into a new database, Git history as well',
    before: [load('base.tar.gz')],
    harm: (folder) => writeFileSync(join(folder, 'key'), Buffer.alloc(32, 7)),
    command: ['redact', 'it.db', '--key-file', 'key', '-o', 'out.db', '-q'],
    again: ['redact', 'it.db', '--key-file', 'key', '-o', 'out.db', '-q', '--force'],
    output: 'out.db',
    read: readDatabase,
  },
  {
    name: 'extract attachments',
    before: [load('base.tar.gz')],
    command: ['attachments', 'extract', 'it.db', 'out', '-q'],
    output: 'out',
    read: readFolder,
    growing: true,
  },
  {
    name: 'clone a repository',
    before: [load('base.tar.gz')],
    command: ['repo', 'clone', 'it.db', 'harbour-lights/almanac', 'out', '-q'],
    again: ['repo', 'clone', 'it.db', 'harbour-lights/almanac', 'out', '-q', '--force'],
    output: 'out',
    read: readFolder,
  },
  {
    name: 'index what people wrote',
    before: [load('base.tar.gz')],
    command: ['search', 'it.db', 'the', '-q'],
    output: 'it.db',
    read: readDatabase,
  },
  {
    name: 'index commits',
    before: [load('base.tar.gz')],
    command: ['repo', 'index', 'it.db', '-q'],
    output: 'it.db',
    read: readDatabase,
  },
  {
    name: 'repair a database',
    before: [load('base.tar.gz')],
    harm: (folder) => harmDatabase(join(folder, 'it.db')),
    command: ['doctor', 'it.db', '--repair', '-q'],
    output: 'it.db',
    read: readDatabase,
  },
  {
    name: 'check out a work tree',
    before: [load('base.tar.gz')],
    command: ['repo', 'clone', 'it.db', 'harbour-lights/almanac', 'out', '--worktree', '-q'],
    // A work tree that is there is kept, as people may have changed it.
    again: ['repo', 'list', 'it.db'],
    output: 'out',
    read: readWorkTree,
  },
  {
    name: 'build migrations',
    before: [load('base.tar.gz')],
    harm: startMigrations,
    program: join(import.meta.dirname, 'build-migrations.ts'),
    command: ['it.serve', 'it.db'],
    output: 'it.serve',
    read: readMigrations,
    growing: true,
  },
  {
    name: 'import archives, and claim a mannequin',
    before: [],
    harm: startImports,
    program: join(import.meta.dirname, 'import-archives.ts'),
    command: ['it.serve', '', 'teo-park'],
    output: 'it.serve',
    read: readImports,
    growing: true,
  },
  {
    name: 'ask an archive by way of the cache',
    before: [],
    command: ['query', 'base.tar.gz', 'SELECT count(*) FROM issues'],
    output: CACHE,
    read: readCache,
  },
  {
    name: 'ask several databases where they are',
    before: [load('base.tar.gz'), ['load', 'more.tar.gz', '-o', 'more.db', '-q']],
    command: ['query', 'it.db', 'more.db', 'SELECT count(*) FROM issues'],
    output: CACHE,
    read: readCache,
  },
  {
    name: 'export to Parquet',
    before: [['export', 'more.tar.gz', '--parquet', 'out', '-q']],
    command: ['export', 'base.tar.gz', '--parquet', 'out', '-q'],
    output: 'out',
    read: readDataset,
    growing: true,
  },
  {
    name: 'download an archive',
    before: [],
    environment: serveArchive,
    command: ['migration', 'download', '1', '-o', 'it.tar.gz', '-q'],
    again: ['migration', 'download', '1', '-o', 'it.tar.gz', '-q', '--force'],
    output: 'it.tar.gz',
    read: readBytes,
  },
  {
    name: 'clear the cache',
    before: [['query', 'base.tar.gz', 'SELECT count(*) FROM issues']],
    command: ['cache', 'clear', '-q'],
    output: CACHE,
    read: readCache,
  },
]

/** A server with an archive of 4 MiB that takes a second. */
async function serveArchive(): Promise<Record<string, string>> {
  const attachments = { 'attachments/a/b': randomBytes(2 ** 22) }
  const host = await startHost(
    gzipSync(tarOf({ 'schema.json': { version: '1.0.1' }, ...attachments })),
  )
  host.store = sendSlowly(15)
  return { MARC_SERVER: host.url, MARC_TOKEN: TOKEN }
}

/** Takes away what a repair makes again, and leaves chunks of no file. */
function harmDatabase(path: string): void {
  const database = new Sqlite(path)
  database.exec(`DROP VIEW threads; CREATE VIEW threads AS SELECT 1 AS url; DROP VIEW people;
    DROP INDEX issues_by_url; DROP INDEX issue_comments_by_url;
    INSERT INTO chunks (sha256, bytes) SELECT randomblob(32), bytes FROM chunks`)
  database.close()
}

/** Starts three migrations, of which the last has nothing to export and will fail. */
function startMigrations(folder: string): void {
  const state = openStateDatabase(join(folder, 'it.serve'))
  const migrations = createMigrations(state, { clock: CLOCK, archiveLife: 1e9 })
  for (const name of ['harbour-lights/almanac', 'harbour-lights/tidewatch', 'nobody/nothing']) {
    migrations.start({ owner: 'ada', repositories: [name], options: LOCKING })
  }
  state.close()
}

/** Starts two imports, of which the second has no records and will fail. */
async function startImports(folder: string): Promise<void> {
  const store = openStateDatabase(join(folder, 'it.serve'))
  // Old uploads would be removed.
  const clock = () => new Date()
  const uploads = createUploads(store, join(folder, 'it.serve', 'uploads'), { clock })
  const imports = createImports(store, { clock })
  const owner = { owner: 'ada', organization: 'target' }
  const source = { organization: 'target', name: 'old', url: null, type: 'GITHUB_ARCHIVE' }
  const from = imports.createSource(source)
  for (const [repository, bytes] of [
    ['one', readFileSync(join(folder, 'more.tar.gz'))],
    ['two', gzipSync(tarOf({ 'schema.json': { version: '1.0.1' } }))],
  ] as const) {
    const { guid } = await uploads.store(owner, `${repository}.tar.gz`, asBytes([bytes]))
    const options = {
      sourceUrl: 'https://github.com/mona-lindqvist/tea-timer',
      organizationUrl: 'https://forge.example/target',
      organizationLogin: 'target',
      git: guid,
      metadata: guid,
      visibility: 'private' as const,
      skipReleases: false,
    }
    imports.start({ ...owner, repository, source: from, options })
  }
  store.close()
}

/** Imports and claims that are at an end, and the databases. */
function readImports(path: string): unknown {
  const database = new Sqlite(join(path, 'state.db'))
  try {
    const imports = database
      .prepare<[], { id: number; database: string | null }>(
        `SELECT id, guid, state, warnings, failure, worker, database FROM imports
         WHERE state NOT IN ('QUEUED', 'PENDING_VALIDATION', 'IN_PROGRESS')`,
      )
      .all()
    const claims = database
      .prepare<[], { id: number }>(
        "SELECT id, login, claimant, state, worker FROM claims WHERE state IN ('SUCCEEDED', 'FAILED')",
      )
      .all()
    const isClaimed = claims.length > 0
    return Object.fromEntries([
      ...claims.map((row) => [`claim ${row.id}`, JSON.stringify(row)]),
      ...imports.flatMap(({ database: file, ...row }) => [
        [`import ${row.id}`, JSON.stringify(row)],
        // Until it is claimed, either may be there.
        ...(file && isClaimed
          ? [[`database ${row.id}`, JSON.stringify(readDatabase(join(path, 'imports', file)))]]
          : []),
      ]),
    ])
  } finally {
    database.close()
  }
}

/** Migrations that are at an end, all locks, and the archives. */
function readMigrations(path: string): unknown {
  const database = new Sqlite(join(path, 'state.db'))
  try {
    const ended = database
      .prepare<[], { id: number }>(
        `SELECT id, guid, state, updated_at, archive_size, archive_sha256, failure, worker
         FROM migrations WHERE state IN ('exported', 'failed')`,
      )
      .all()
    const locks = database.prepare('SELECT * FROM locks').all()
    const archives = readFolder(join(path, 'archives')) as Record<string, string> | undefined
    return Object.fromEntries([
      ['locks', JSON.stringify(locks)],
      ...ended.map((row) => [`migration ${row.id}`, JSON.stringify(row)]),
      ...Object.entries(archives ?? {}),
    ])
  } finally {
    database.close()
  }
}

/** The databases in the cache, whatever the path of their archive, which is a part of their names. */
function readCache(path: string): unknown {
  if (!existsSync(path)) return []
  const names = readdirSync(path).filter((name) => name.endsWith('.db'))
  return names.map((name) => readDatabase(join(path, name)))
}

const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

function readBytes(path: string): unknown {
  return existsSync(path) ? digest(readFileSync(path)) : undefined
}

/** Every file of a folder; those that are being written included, which have names of their own. */
function readFolder(path: string): Record<string, string> | undefined {
  if (!existsSync(path)) return undefined
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' }).sort()
  const files = names.filter((name) => statSync(join(path, name)).isFile())
  return Object.fromEntries(files.map((name) => [name, digest(readFileSync(join(path, name)))]))
}

/** The files of partitions, and the manifests of those that are complete. Views have the path of their folder. */
function readDataset(path: string): Record<string, string> {
  const isWhole = (name: string) =>
    name.endsWith('/data.parquet') ||
    (/^_marc\/archives\/\w+\.json$/.test(name) &&
      JSON.parse(readFileSync(join(path, name), 'utf8')).state === 'complete')
  return Object.fromEntries(
    Object.entries(readFolder(path) ?? {}).filter(([name]) => isWhole(name)),
  )
}

/** The same of a work tree; its index has the times at which files were written. */
function readWorkTree(path: string): unknown {
  const files = readFolder(path)
  return files && '.git/index' in files ? { ...files, '.git/index': 'there' } : files
}

/** Every row of every table, but for when it was loaded; throws where SQLite finds a fault. */
function readDatabase(path: string): unknown {
  if (!existsSync(path)) return undefined
  const database = new Sqlite(path)
  try {
    const check = database.pragma('integrity_check', { simple: true })
    if (check !== 'ok') throw new Error(`integrity_check: ${check}`)
    const relations = database
      .prepare<[], { name: string; type: string; sql: string }>(
        "SELECT name, type, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY 1, 2",
      )
      .all()
    return relations.map(({ name, type, sql }) => {
      if (type !== 'table' || /^CREATE VIRTUAL/i.test(sql)) return [name, type, sql]
      const rows = database.prepare(`SELECT * FROM "${name.replaceAll('"', '""')}"`).all()
      const texts = rows.map((row) => {
        const { loaded_at, indexed_at, ...rest } = row as Record<string, unknown>
        // Each run is in a folder of its own.
        if (name === 'attached parts') delete rest.path
        // These cover when archives were loaded.
        return name === 'row_checksums' && rest.name === 'archives' ? '' : JSON.stringify(rest)
      })
      return [name, type, sql, rows.length, digest(Buffer.from(texts.join('\n')))]
    })
  } finally {
    database.close()
  }
}
