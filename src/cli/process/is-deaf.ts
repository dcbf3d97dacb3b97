import { stat } from 'node:fs/promises'
import { isDatabase } from '../../files/is-database.ts'
import { type Command, SOURCES } from '../command/command.ts'
import type { Io } from '../command/io.ts'

/** Bytes of a source from which SQLite may work for longer than people wait for an interrupt. */
const LARGE = 16 * 2 ** 20

/**
 * Whether a command may be deaf to signals for long: while SQLite makes indexes or copies tables, JavaScript does not run.
 * Commands that only read a database may be ended at any time.
 */
export async function isDeaf(
  { works }: Pick<Command, 'works'>,
  options: Readonly<Record<string, unknown>>,
  io: Pick<Io, 'env' | 'signal' | 'stdin' | 'foreign'>,
): Promise<boolean> {
  if (works === 'in turns') return false
  // Nobody knows how much will come on standard input.
  const { output: _, ...given } = options
  if (sourcesIn(given).includes('-') && !io.stdin.isTTY) return true
  for (const path of sourcesIn(options)) {
    const stats = await stat(path).catch(() => undefined)
    // To add up the files of a folder takes as long as to look for it in the cache.
    if (!stats?.isDirectory() && !(stats?.isFile() && stats.size >= LARGE)) continue
    if (works === 'in SQLite') return true
    if (await isDatabase(path)) {
      // Several are merged.
      if (sourcesIn(given).length > 1) return true
      continue
    }
    // An archive is loaded into the cache first.
    const { findCached } = await import('../sources/cached-database.ts')
    // A folder of archives is no archive itself.
    if ((await findCached(path, io).catch(() => undefined)) === undefined) return true
  }
  return false
}

const sourcesIn = (options: Readonly<Record<string, unknown>>): string[] =>
  SOURCES.flatMap((name) => options[name] ?? []).filter((word) => typeof word === 'string')
