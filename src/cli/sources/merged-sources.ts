import { writeFileSync } from 'node:fs'
import { hashFile } from '../../archive/open-archive.ts'
import { isPlainFile, readPlainFile } from '../../files/inner-folder.ts'
import { writeOwnFile } from '../../files/own-file.ts'
import type { Io } from '../command/io.ts'
import { listCache, SOURCES } from './cache-folder.ts'

/** A source of a cached database of several, and what it was when it was loaded. */
export interface MergedSource {
  /** Its whole path. */
  readonly path: string
  /** Its name in the column `_source`. */
  readonly source: string
  /** Changes when the source does. */
  readonly state: string
}

/** A source that was loaded, with the number of its archive. It has none if the same archive has another path, too. */
export interface LoadedSource extends MergedSource {
  readonly archive?: number | undefined
}

/**
 * Returns the sources with each archive assigned to one path. If several paths lead to it, that is the last one: of archives with
 * the same age, the last one wins.
 *
 * @param sources in their order
 * @param numberOf finds the number of an archive by its SHA-256
 */
export async function ofLastPath(
  sources: readonly LoadedSource[],
  numberOf: (sha256: string) => number | undefined,
): Promise<LoadedSource[]> {
  const all = [...sources]
  for (const [i, source] of sources.entries()) {
    if (source.archive !== undefined || !isPlainFile(source.path)) continue
    const archive = numberOf(await hashFile(source.path))
    const other = all.findIndex((each) => archive !== undefined && each.archive === archive)
    if (other < 0 || other > i) continue
    all[other] = { ...(all[other] as LoadedSource), archive: undefined }
    all[i] = { ...source, archive }
  }
  return all
}

/** Notes the sources of a cached database in a file beside it. */
export const noteSources = (database: string, sources: readonly LoadedSource[]): void =>
  writeOwnFile(database + SOURCES, (partial) => writeFileSync(partial, JSON.stringify(sources)))

/** A cached database, and how its sources differ from others. */
export interface Base {
  readonly database: string
  /** Its sources that are as they were. */
  readonly same: readonly LoadedSource[]
  /** Its sources that have changed. */
  readonly changed: readonly LoadedSource[]
}

/** The cached database with the most of these sources as they are, if it has no others, and at least half of them. */
export function findBase(sources: readonly MergedSource[], io: Pick<Io, 'env'>): Base | undefined {
  const wanted = new Map(sources.map((each) => [keyOf(each), each]))
  const bases = listCache(io).flatMap(({ path: database }): Base[] => {
    const loaded = readSources(database)
    if (!loaded.every((each) => wanted.has(keyOf(each)))) return []
    const isSame = (each: LoadedSource) => wanted.get(keyOf(each))?.state === each.state
    const same = loaded.filter(isSame)
    return [{ database, same, changed: loaded.filter((each) => !isSame(each)) }]
  })
  const [best] = bases.sort((a, b) => b.same.length - a.same.length)
  return best && best.same.length * 2 >= sources.length ? best : undefined
}

export const keyOf = ({ path, source }: MergedSource): string => `${path}\0${source}`

/** The noted sources; none if there is no such file, or no intact one. */
function readSources(database: string): LoadedSource[] {
  const path = database + SOURCES
  if (!isPlainFile(path)) return []
  try {
    const found: unknown = JSON.parse(readPlainFile(path))
    return Array.isArray(found) ? (found as LoadedSource[]) : []
  } catch {
    return []
  }
}
