import { closeSync, fsyncSync, openSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { buildArchive } from '../../build-archive/build-archive.ts'
import type { BuildOptions } from '../../build-archive/build-options.ts'
import { openDatabase } from '../../database/open-database.ts'
import { ArchiveError, type Report } from '../../errors.ts'
import { makeTemporaryFolder } from '../../files/temporary-folder.ts'
import { withSha256, writeFile } from '../../files/write-file.ts'
import type { MigrationOptions } from './migrations.ts'

/** The task of a build and its output; can be sent to a thread. */
export interface BuildOrder {
  /** The databases that are served: a repository is taken from the first that has it. */
  databases: readonly string[]
  /** As owner/name. Repositories that are in no database now are left out. */
  repositories: readonly string[]
  options: MigrationOptions
  archiveKinds: 'all' | 'documented'
  /** The archive. */
  output: string
}

/**
 * Builds the archive of a migration under a temporary name, and renames it when it is complete and on the disk. The same
 * databases and options give the same bytes.
 *
 * @returns the size and SHA-256 of the archive
 * @throws as `buildArchive` does, for example `content-missing` for a database without the contents of files;
 *   `output-full` or `output-refused`
 */
export async function buildMigration(
  { databases, options, archiveKinds, output, ...asked }: BuildOrder,
  { report, signal }: { report?: Report; signal?: AbortSignal } = {},
): Promise<{ size: number; sha256: string }> {
  const sources = locate(asked.repositories, databases)
  const repositories = sources.flatMap((source) => source.repositories)
  const chosen = { ...choiceOf(options), archiveKinds, allowInvalid: true, threads: 1, signal }
  const build = (database: string, more: BuildOptions) =>
    buildFrom(database, { ...chosen, ...more })
  const [first] = sources
  if (sources.length === 1 && first) {
    return publish(output, build(first.database, { repositories, report }))
  }
  const temporary = makeTemporaryFolder()
  try {
    const merged = join(temporary.path, 'merged.db')
    const parts = sources.map(({ database, repositories }, i) => ({
      name: `${i}.tar`,
      bytes: build(database, { repositories, level: 0, archiveKinds: 'all' }),
    }))
    const { loadArchive } = await import('../../load-archive/load-archive.ts')
    await loadArchive(parts, merged, { signal })
    return await publish(output, build(merged, { repositories, report }))
  } finally {
    temporary.remove()
  }
}

/** The databases that have some of the repositories, with the URLs of these. Throws `repository-not-found` for none. */
function locate(repositories: readonly string[], databases: readonly string[]) {
  let wanted = repositories
  const sources = databases.map((database) => {
    const found = urlsOf(wanted, database)
    wanted = wanted.filter((name) => !found.has(name))
    return { database, repositories: [...found.values()] }
  })
  const filled = sources.filter((source) => source.repositories.length > 0)
  if (filled.length > 0) return filled
  throw new ArchiveError('repository-not-found', 'none of the repositories is there any more')
}

/** URLs by name. If archives of several hosts have a repository of this name, the smallest URL is the one served. */
function urlsOf(names: readonly string[], path: string): Map<string, string> {
  const database = openDatabase(path)
  try {
    const find = database
      .prepare<[string], string>(
        'SELECT url FROM repositories WHERE full_name = ? COLLATE NOCASE AND url IS NOT NULL ORDER BY url LIMIT 1',
      )
      .pluck()
    return new Map(
      names.flatMap((name) => {
        const url = find.get(name)
        return url === undefined ? [] : [[name, url] as const]
      }),
    )
  } finally {
    database.close()
  }
}

/** The selection of a build, without what the options exclude. */
function choiceOf(options: MigrationOptions): BuildOptions {
  const withoutKinds = [
    ...(options.exclude_attachments ? ['attachments', 'repository_files'] : []),
    ...(options.exclude_releases ? ['releases'] : []),
    ...(options.exclude_owner_projects ? ['projects'] : []),
  ]
  const part = options.exclude_metadata ? 'git' : options.exclude_git_data ? 'metadata' : undefined
  return { withoutKinds, part }
}

async function* buildFrom(path: string, options: BuildOptions): AsyncGenerator<Uint8Array> {
  const database = openDatabase(path)
  try {
    yield* buildArchive(database, options)
  } finally {
    database.close()
  }
}

async function publish(path: string, bytes: AsyncIterable<Uint8Array>) {
  const whole = withSha256(bytes)
  await writeFile(path, whole.bytes, { force: true, mode: 0o600 })
  syncFolder(dirname(path))
  const { bytes: size, sha256 } = whole.sum()
  return { size, sha256 }
}

/** Waits until the disk has the names in a folder. Some systems cannot do that, and need not. */
function syncFolder(path: string): void {
  try {
    const folder = openSync(path, 'r')
    try {
      fsyncSync(folder)
    } finally {
      closeSync(folder)
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EIO') throw error
  }
}
