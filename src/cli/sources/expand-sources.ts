import { type Dirent, existsSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { ArchiveError } from '../../base/errors.ts'
import { escapePattern } from '../../base/text.ts'
import { shellWord, UsageError } from '../command/usage-error.ts'

const ARCHIVES = /\.(?:tar\.gz|tgz|tar|zip)$/i
const SOURCES = /\.(?:tar\.gz|tgz|tar|zip|db3?|sqlite3?)$/i

/**
 * The sources that the command line names: a folder of archives, unpacked ones too, and databases stands for them, in the
 * order of their names. An unpacked archive, which has JSON files at its top or in its only folder, and a backup of another
 * form stay one source.
 *
 * Throws `UsageError` for standard input among others, for a dataset, and for an address of a bucket.
 */
export async function expandSources(named: readonly string[]): Promise<string[]> {
  const all: string[] = []
  for (const each of await expandPatterns(named)) all.push(...(await sourcesIn(each)))
  if (all.length > 1 && all.includes('-')) {
    const hint = 'Load it first with: marc load - -o name.db'
    throw new UsageError('standard input cannot be one of several sources', hint)
  }
  const [first] = all
  const isAbsent = all.length > 1 && (await Promise.all(all.map(isMissing)))
  const missing = isAbsent && all.find((_, i) => isAbsent[i])
  if (first !== undefined && missing) {
    throw new ArchiveError('archive-not-found', 'there is no such file or folder', {
      archive: missing,
    })
  }
  return [...new Set(all)]
}

/** The same without databases, for a command that reads archives. Nothing is refused. */
export async function expandArchives(named: readonly string[]): Promise<string[]> {
  const paths = await expandPatterns(named)
  const found = await Promise.all(paths.map((path) => filesOf(path, ARCHIVES)))
  return found.flat()
}

/** Whether all of these sources are datasets of `marc export --parquet`. */
export const areDatasets = (named: readonly string[]): boolean =>
  named.length > 0 && named.every((path) => existsSync(join(path, '_marc', 'archives')))

const isMissing = async (path: string) => (await stat(path).catch(() => undefined)) === undefined

async function sourcesIn(named: string): Promise<string[]> {
  if (/^s3:\/\//.test(named)) {
    const hint = `Copy it first, such as with: aws s3 sync ${shellWord(named)} lake`
    throw new UsageError('a dataset in a bucket is not read from there', hint, { archive: named })
  }
  if (existsSync(join(named, '_marc'))) {
    const hint =
      'Name it without archives and databases, or add these to it with: marc export --parquet'
    throw new UsageError('expected archives or databases, found a dataset', hint, {
      archive: named,
    })
  }
  const found = await filesOf(named, SOURCES)
  if (found[0] === named) await refuseDatasetIn(named)
  return found
}

/** Throws `UsageError` for a folder that has no sources but a dataset. */
async function refuseDatasetIn(folder: string): Promise<void> {
  const names = folder === '-' ? [] : await readdir(folder).catch((): string[] => [])
  if (names.some((name) => name.endsWith('.json'))) return
  const dataset = names.map((name) => join(folder, name)).find((path) => areDatasets([path]))
  if (dataset === undefined) return
  const message = 'expected archives, databases or a dataset, found a folder with a dataset'
  throw new UsageError(message, `Name the dataset: ${shellWord(dataset)}`, { archive: folder })
}

/** The files in a folder that have such names, and its unpacked archives; the path itself if there are none, or one source. */
async function filesOf(path: string, pattern: RegExp): Promise<string[]> {
  const entries = path === '-' ? [] : await entriesOf(path)
  const shown = entries.filter(({ name }) => !name.startsWith('.'))
  if (shown.length === 0 || entries.some(({ name }) => name.endsWith('.json'))) return [path]
  const files = shown.filter(({ name }) => pattern.test(name))
  const inner = shown.filter((entry) => !entry.isFile())
  const holdRecords = await Promise.all(inner.map(({ name }) => hasRecords(join(path, name))))
  const unpacked = inner.filter((_, i) => holdRecords[i])
  if (files.length === 0 && unpacked.length < 2) return [path]
  const { sourceWith } = await import('../../archive/foreign-source.ts')
  if (entries.some(({ name }) => sourceWith(name) !== undefined)) return [path]
  const names = new Set([...files, ...unpacked].map(({ name }) => name))
  return [...names].sort().map((name) => join(path, name))
}

const entriesOf = (folder: string): Promise<Dirent[]> =>
  readdir(folder, { withFileTypes: true }).catch(() => [])

async function hasRecords(folder: string): Promise<boolean> {
  const { endsAsRecords } = await import('../../archive/entry-role.ts')
  return (await entriesOf(folder)).some(({ name }) => endsAsRecords(name))
}

/**
 * Replaces a path whose last part has `*` or `?` by the files that it matches, in the order of their names, as a shell does:
 * it allows fewer on a command line. A file with that name is meant itself, and so is a pattern that matches nothing.
 */
export async function expandPatterns(named: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    named.map(async (path) => {
      const pattern = basename(path)
      if (!/[*?]/.test(pattern) || !(await isMissing(path))) return [path]
      const names = await readdir(dirname(path)).catch((): string[] => [])
      const form = escapePattern(pattern).replaceAll('\\*', '.*').replaceAll('\\?', '.')
      const matching = new RegExp(`^${form}$`, 'su')
      const matched = names.filter((name) => !name.startsWith('.') && matching.test(name))
      // With the path as typed: ./ stays.
      const folder = path.slice(0, path.length - pattern.length)
      return matched.length > 0 ? matched.sort().map((name) => folder + name) : [path]
    }),
  )
  return found.flat()
}
