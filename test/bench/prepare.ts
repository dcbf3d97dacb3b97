import { execFileSync, spawn } from 'node:child_process'
import { copyFileSync, createWriteStream, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { exportArchive, openDatabase } from '../../src/index.ts'
import { type ArchiveOptions, generateArchive } from './generate-archive.ts'
import { writeManyRepositories } from './many-repositories.ts'
import { Random } from './random.ts'
import { startServer } from './server/child-server.ts'
import type { Bench } from './trials.ts'

/** How much of everything. */
export interface Size {
  records: number
  /** Bytes that cannot be compressed. */
  bytes: number
}

export const SIZES: { readonly [name: string]: Size } = {
  small: { records: 60_000, bytes: 100 * 2 ** 20 },
  medium: { records: 600_000, bytes: 2 ** 30 },
  large: { records: 6_000_000, bytes: 10 * 2 ** 30 },
}

/** Makes in a folder all that the trials work on; `tell` hears what is being made. Stop it at the end. */
export async function prepareBench(
  folder: string,
  { records, bytes }: Size,
  { tell, withPostgres }: { tell: (what: string) => void; withPostgres: boolean },
): Promise<Bench & { stop(): Promise<void> }> {
  const at = (name: string) => join(folder, name)
  const bench = {
    folder,
    archive: at('json.tar.gz'),
    foreign: at('foreign.tar.gz'),
    other: at('other.tar.gz'),
    withFiles: at('files.tar.gz'),
    unpacked: at('unpacked'),
    database: at('json.db'),
    changed: at('changed.db'),
    many: at('many.db'),
    few: at('few.csv'),
    people: at('people.csv'),
    gitDatabase: at('git.db'),
    gitDirectory: at('noise.git'),
    token: at('token'),
  }
  const few = Math.max(100, Math.round(records / 100))
  tell(`archives of ${records} records and of ${bytes} bytes`)
  const json = await write(bench.archive, { records, seed: 1 })
  await write(bench.other, { records: Math.round(records / 2), seed: 2 })
  const files = await write(bench.withFiles, { records: few, seed: 1, files: { bytes } })
  tell('what is made of them')
  mkdirSync(bench.unpacked)
  execFileSync('tar', ['xzf', bench.archive, '-C', bench.unpacked])
  load(bench.archive, bench.database)
  makeChanged(bench.database, bench.changed)
  writeManyRepositories(folder, at('many.tar.gz'), records)
  load(at('many.tar.gz'), bench.many)
  writeRenamings(bench.database, bench.few, 3)
  writeRenamings(bench.database, bench.people, 3000)
  await makeRepository(bench.gitDirectory, bytes)
  await writeRepository(bench.gitDirectory, at('git.tar.gz'))
  load(at('git.tar.gz'), bench.gitDatabase)
  writeFileSync(bench.token, 'bench-0123456789\n', { mode: 0o600 })
  const server = await startServer(['test/bench/server/archive-server.ts', bench.withFiles])
  const { startPostgres } = await import('../engines/postgres-server.ts')
  const servers = withPostgres ? [await startPostgres(), await startPostgres()] : []
  return {
    ...bench,
    server,
    postgres: servers.map(({ url }) => url),
    bytes: { json, files, git: bytes },
    async stop() {
      await Promise.all([server.stop(), ...servers.map((one) => one.close())])
    },
  }
}

/** Returns the bytes before compression. */
async function write(path: string, options: ArchiveOptions): Promise<number> {
  let written = 0
  async function* counted() {
    for await (const chunk of generateArchive(options)) {
      written += chunk.length
      yield chunk
    }
  }
  const tar = Readable.from(counted(), { objectMode: false, highWaterMark: 2 ** 20 })
  await pipeline(tar, createGzip({ level: 6, chunkSize: 2 ** 18 }), createWriteStream(path))
  return written
}

const load = (archive: string, database: string) =>
  execFileSync(process.execPath, ['dist/bin.js', 'load', archive, '-o', database, '-q'])

/** Copies a database and changes one record in a thousand. */
function makeChanged(database: string, copy: string): void {
  copyFileSync(database, copy)
  const changed = openDatabase(copy, { readonly: false })
  changed.exec(`UPDATE issue_comments SET body = body || ' more' WHERE rowid % 1000 = 3;
    UPDATE issues SET title = title || '!' WHERE rowid % 300 = 3;
    DELETE FROM issue_events WHERE rowid % 1000 = 5`)
  changed.close()
}

/** A map of so many people, or of all if there are fewer. */
function writeRenamings(database: string, path: string, people: number): void {
  const opened = openDatabase(database)
  const logins = opened.prepare('SELECT login FROM users LIMIT ?').pluck().all(people)
  opened.close()
  writeFileSync(path, `old,new\n${logins.map((login) => `${login},new-${login}\n`).join('')}`)
}

/** A repository with one commit of files that cannot be compressed, 1 MiB each. */
async function makeRepository(directory: string, bytes: number): Promise<void> {
  execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', directory])
  const git = spawn('git', ['-C', directory, 'fast-import', '--quiet'], {
    stdio: ['pipe', 'inherit', 'inherit'],
  })
  const ended = new Promise<void>((resolve, reject) => {
    git.on('error', reject)
    git.on('close', (code) =>
      code === 0 ? resolve() : reject(new Error('git fast-import failed')),
    )
  })
  await pipeline(Readable.from(noise(Math.ceil(bytes / 2 ** 20))), git.stdin)
  await ended
}

function* noise(files: number): Generator<Buffer> {
  const random = new Random(1, 9, 0)
  yield Buffer.from(
    'commit refs/heads/main\ncommitter Bench <bench@example.com> 0 +0000\ndata 5\nNoise',
  )
  for (let file = 0; file < files; file++) {
    const bytes = Buffer.alloc(2 ** 20)
    for (let at = 0; at < bytes.length; at += 4) bytes.writeUInt32LE(random.next(), at)
    yield Buffer.from(`\nM 100644 inline ${file}\ndata ${bytes.length}\n`)
    yield bytes
  }
  yield Buffer.from('\n')
}

async function writeRepository(directory: string, path: string): Promise<void> {
  const owner = 'https://bench.example/bench'
  const created_at = '2024-01-02T03:04:05Z'
  const flags = { private: false, has_issues: true, has_wiki: false, has_downloads: true }
  const lists = { labels: [], collaborators: [], webhooks: [], public_keys: [] }
  const repository = {
    url: `${owner}/noise`,
    owner,
    name: 'noise',
    description: null,
    ...flags,
    ...lists,
    default_branch: 'main',
    git_url: 'tarball://root/repositories/bench/noise.git',
    created_at,
  }
  const archive = exportArchive(
    {
      records: {
        users: [{ url: owner, login: 'bench', name: null, emails: [], created_at }],
        repositories: [repository],
      },
      repositories: [{ fullName: 'bench/noise', directory }],
    },
    { level: 1 },
  )
  await pipeline(archive, createWriteStream(path))
}
