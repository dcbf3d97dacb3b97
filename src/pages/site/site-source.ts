import { VERSION } from '../../base/version.ts'
import { hashDatabases } from '../../exporters/hash-databases.ts'
import { ASSETS } from '../assets.ts'
import type { WriteSiteOptions } from './site-options.ts'

/** A hash of all that a site is made from: the bytes of the databases, the options and this program. */
export function hashSource(
  databases: readonly string[],
  { progress, signal, dryRun, commits, ...options }: WriteSiteOptions,
): Promise<string> {
  const own = [VERSION, ...Object.values(ASSETS).map(({ path }) => path)]
  // JSON has no infinity.
  const others = JSON.stringify([own, { ...options, commits: String(commits) }])
  return hashDatabases(databases, others, signal)
}
