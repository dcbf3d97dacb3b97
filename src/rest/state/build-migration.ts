import { dirname, join } from 'node:path'
import { ArchiveError, type Report } from '../../base/errors.ts'
import { buildArchive } from '../../build/build-archive.ts'
import type { BuildOptions } from '../../build/build-options.ts'
import { openDatabase } from '../../database/open-database.ts'
import { quoteText } from '../../database/quote.ts'
import { syncFolder } from '../../files/sync-folder.ts'
import { makeTemporaryFolder } from '../../files/temporary-folder.ts'
import { withSha256, writeFile } from '../../files/write-file.ts'
import type { Context } from '../../work/run.ts'
import type { MigrationOptions } from './migrations.ts'

/** The task of a build and its output; can be sent to a thread. */
export interface BuildOrder {
  /** The databases that are served: a repository is taken from the first that has it. */
  databases: readonly string[]
  /** As owner/name, or none if the options ask for organizations. What is in no database now is left out. */
  repositories: readonly string[]
  options: MigrationOptions
  archiveKinds: 'all' | 'documented'
  /** The archive. */
  output: string
}

/** An archive that was built. */
export interface Built {
  readonly size: number
  readonly sha256: string
  /** Uploads that are missing, because one of another repository has the same URL: no two records can have it. */
  readonly missing: number
}

/** The same, with what its records are like. */
export interface BuiltCounted extends Built {
  /** Records that break a rule. */
  readonly problems: number
}

/** Kinds whose URLs do not name their repository: after two imports of one archive, two repositories have the same. */
const UPLOADS = ['attachments', 'repository_files']

/** A migration compresses three blocks at a time and leaves one of the four threads of the process to requests. */
const THREADS = 3

/** Builds the archive of a migration in a thread, so that no request waits for it. */
export async function buildCounted(
  order: BuildOrder,
  { signal }: Pick<Context, 'signal'>,
): Promise<BuiltCounted> {
  let problems = 0
  const report = () => {
    problems++
  }
  const built = await buildMigration(order, { report, signal })
  return { ...built, problems }
}

/**
 * Builds the archive of a migration under a temporary name, and renames it when it is complete and on the disk. The same
 * databases and options give the same bytes.
 *
 * @returns the size and SHA-256 of the archive, and what is missing
 * @throws as `buildArchive` does, for example `content-missing` for a database without the contents of files;
 *   `output-full` or `output-refused`
 */
export async function buildMigration(
  { databases, options, archiveKinds, output, ...asked }: BuildOrder,
  { report, signal }: { report?: Report; signal?: AbortSignal } = {},
): Promise<Built> {
  const { organizations } = options
  const sources = organizations
    ? locate(organizations, databases, urlIn('organizations', 'login'))
    : locate(asked.repositories, databases, urlIn('repositories', 'full_name'))
  const select = organizations ? onlyOrganizations : ofRepositories
  const urls = sources.flatMap((source) => source.urls)
  const chosen = {
    ...choiceOf(options),
    archiveKinds,
    allowInvalid: true,
    threads: THREADS,
    signal,
  }
  const build = (database: string, more: BuildOptions) =>
    buildFrom(database, { ...chosen, ...more })
  const [first] = sources
  if (sources.length === 1 && first) {
    const built = await publish(output, build(first.database, { ...select(urls), report }))
    return { ...built, missing: 0 }
  }
  const temporary = makeTemporaryFolder()
  try {
    const merged = join(temporary.path, 'merged.db')
    const parts = sources.map(({ database, urls }, i) => ({
      name: `${i}.tar`,
      bytes: build(database, { ...select(urls), level: 0, archiveKinds: 'all' }),
    }))
    const { loadArchive } = await import('../../load/load-archive.ts')
    const { archives } = await loadArchive(parts, merged, { signal })
    const built = await publish(output, build(merged, { ...select(urls), report }))
    const missing = archives
      .flatMap(({ kinds }) => UPLOADS.map((kind) => kinds[kind]?.replaced ?? 0))
      .reduce((sum, count) => sum + count, 0)
    return { ...built, missing }
  } finally {
    temporary.remove()
  }
}

/** SQL for the URL of what has a name. If archives of several hosts have it, the smallest URL is the one served. */
const urlIn = (table: string, name: string): string =>
  `SELECT url FROM ${table} WHERE ${name} = ? COLLATE NOCASE AND url IS NOT NULL ORDER BY url LIMIT 1`

/** The databases that have some of these names, with the URLs of these. Throws `repository-not-found` for none. */
function locate(names: readonly string[], databases: readonly string[], find: string) {
  let wanted = names
  const sources = databases.map((database) => {
    const found = urlsOf(wanted, database, find)
    wanted = wanted.filter((name) => !found.has(name))
    return { database, urls: [...found.values()] }
  })
  const filled = sources.filter(({ urls }) => urls.length > 0)
  if (filled.length > 0) return filled
  throw new ArchiveError('repository-not-found', 'none of the repositories is there any more')
}

/** URLs by name. */
function urlsOf(names: readonly string[], path: string, sql: string): Map<string, string> {
  const database = openDatabase(path)
  try {
    const find = database.prepare<[string], string>(sql).pluck()
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

const ofRepositories = (repositories: readonly string[]): BuildOptions => ({ repositories })

/** Organizations with their teams and members, and nothing of repositories. */
function onlyOrganizations(urls: readonly string[]): BuildOptions {
  const listed = urls.map(quoteText).join(', ')
  return {
    fromQuery: `SELECT url FROM organizations WHERE url IN (${listed})
      UNION SELECT url FROM teams WHERE organization IN (${listed}) AND url IS NOT NULL
      UNION SELECT CASE m.type WHEN 'object' THEN m.value ->> 'user' END AS member
      FROM organizations AS o, json_each(CASE WHEN json_valid(o.members) THEN o.members END) AS m
      WHERE o.url IN (${listed}) AND member IS NOT NULL`,
    with: 'none',
    withoutKinds: ['repositories'],
    files: false,
  }
}

/** The selection of a build, without what the options exclude. */
function choiceOf(options: MigrationOptions): BuildOptions {
  if (options.organizations) return {}
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
