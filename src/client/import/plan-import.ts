import { mkdirSync, rmdirSync, rmSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ArchiveError } from '../../base/errors.ts'
import { buildArchive } from '../../build/build-archive.ts'
import type { BuildOptions } from '../../build/build-options.ts'
import type { Database } from '../../database/open-database.ts'
import { safeName } from '../../files/safe-name.ts'
import { withSha256, writeFile } from '../../files/write-file.ts'
import { IMPORT_LIMITS } from '../../rules/import-limits.ts'
import { repositoriesIn } from './source-repository.ts'

/** An archive on disk, as it goes to a server. */
export interface PlannedArchive {
  /** Its path. */
  path: string
  /** Its size. */
  bytes: number
  /** Its SHA-256 in hex. */
  sha256: string
}

/** The archives of one repository: one, or Git data and then records. */
export interface Plan {
  archives: PlannedArchive[]
  /** Removes what was built. */
  remove(): void
}

/** The archives as named, and the database that they were loaded into. */
export interface Sources {
  paths: readonly string[]
  database: Database
}

/**
 * The archives of one repository that a server takes. Those that were named are used as they are if they hold nothing else and are not
 * too large. Otherwise the repository is written beside them, whole or as a pair; the same archives always give the same bytes.
 *
 * @throws `limit-extracted` if a half is too large; the codes of `buildArchive`
 */
export async function planArchives(
  sources: Sources,
  from: string,
  options: Pick<BuildOptions, 'allowInvalid' | 'signal' | 'progress'>,
): Promise<Plan> {
  const named = await namedArchives(sources)
  const isAlone = repositoriesIn(sources.database).length === 1
  const { archive: most } = IMPORT_LIMITS
  if (named && isAlone && named.every(({ bytes }) => bytes <= most)) {
    return { archives: named, remove: () => {} }
  }
  const folder = `${sources.paths[0]}.parts`
  const write = async (part?: 'git' | 'metadata') => {
    mkdirSync(folder, { recursive: true })
    const name = `${safeName(from.replace('/', '-'))}${part ? `-${part}` : ''}.tar.gz`
    return writeBuilt(sources.database, join(folder, name), {
      ...options,
      part,
      ...(!isAlone && { repositories: [from] }),
    })
  }
  const remove = (archives: readonly PlannedArchive[]) => () => {
    for (const { path } of archives) rmSync(path, { force: true })
    removeEmpty(folder)
  }
  const whole = named?.some(({ bytes }) => bytes > most) && isAlone ? undefined : await write()
  if (whole && whole.bytes <= most) return { archives: [whole], remove: remove([whole]) }
  if (whole) remove([whole])()
  const halves = [await write('git'), await write('metadata')]
  const large = halves.find(({ bytes }) => bytes > most)
  if (!large) return { archives: halves, remove: remove(halves) }
  remove(halves)()
  const message = `${large.bytes} bytes of ${from} in one archive; importers take ${most}`
  throw new ArchiveError('limit-extracted', message, { archive: large.path }).over({
    allowed: most,
    found: large.bytes,
  })
}

interface LoadedArchive {
  size: number | null
  sha256: string
  hasGit: number
  hasRecords: number
}

/** The archives that were named, Git data first, if a server can take them as they are. */
async function namedArchives({ paths, database }: Sources): Promise<PlannedArchive[] | undefined> {
  const loaded = database
    .prepare<[], LoadedArchive>(
      `SELECT size, sha256,
         EXISTS (SELECT 1 FROM files WHERE archive = archives.id AND role = 'git') AS hasGit,
         EXISTS (SELECT 1 FROM record_files WHERE archive = archives.id) AS hasRecords
       FROM archives WHERE state = 'complete' AND json_extract(form, '$.container') = 'gzip' ORDER BY id`,
    )
    .all()
  if (loaded.length !== paths.length || loaded.length > 2) return undefined
  const found: (PlannedArchive & LoadedArchive)[] = []
  for (const [i, path] of paths.entries()) {
    const one = loaded[i] as LoadedArchive
    const stats = await stat(path).catch(() => undefined)
    if (!stats?.isFile() || stats.size !== one.size) return undefined
    found.push({ ...one, path, bytes: stats.size })
  }
  found.sort((a, b) => b.hasGit - a.hasGit)
  const [first, second] = found
  if (second && !(first?.hasGit && !second.hasGit && second.hasRecords)) return undefined
  return found.map(({ path, bytes, sha256 }) => ({ path, bytes, sha256 }))
}

async function writeBuilt(
  database: Database,
  path: string,
  options: BuildOptions,
): Promise<PlannedArchive> {
  const built = withSha256(buildArchive(database, options))
  await writeFile(path, built.bytes, { force: true })
  return { path, ...built.sum() }
}

function removeEmpty(folder: string): void {
  try {
    // A folder with something else in it stays.
    rmdirSync(folder)
  } catch {}
}
