import { join } from 'node:path'
import type { BuildOptions, SplitBy } from '../../build/build-options.ts'
import { splitArchive } from '../../build/split-archive.ts'
import type { Database } from '../../database/open-database.ts'
import { makeInnerFolder } from '../../files/inner-folder.ts'
import { foldName, numberedName, safeName } from '../../files/safe-name.ts'
import type { Io } from '../command/io.ts'
import { safe } from '../command/safe-text.ts'
import { formatCount } from '../output/quantities.ts'
import { type PreparedBuild, prepareBuild } from './prepare-build.ts'

/** The builds of all parts, one after the other; each is written as `name.tar.gz` in the folder. */
export function* prepareSplit(
  database: Database,
  by: SplitBy,
  folder: string,
  {
    options,
    keep,
    ...told
  }: {
    options: BuildOptions
    keep: (build: PreparedBuild) => PreparedBuild
  } & Record<'json' | 'quiet' | 'verbose', boolean | undefined>,
  io: Io,
): Generator<PreparedBuild> {
  let current: BuildOptions = {}
  const parts = splitArchive(database, by, {
    ...options,
    ...(io.signal && { signal: io.signal }),
    report: (problem) => current.report?.(problem),
    progress: (done) => current.progress?.(done),
    leftOut(records) {
      if (records === 0 || told.quiet) return
      io.stderr.write(
        safe`Left out, because they belong to no part: ${formatCount(records)} ${records === 1 ? safe`record` : safe`records`}.\n`,
      )
    },
  })
  const taken = new Set<string>()
  for (const { name, bytes } of parts) {
    const parts = freeName(name, taken)
    const archive = join(makeInnerFolder(folder, parts.slice(0, -1)), parts.at(-1) as string)
    const build = (buildOptions: BuildOptions) => {
      current = buildOptions
      return bytes
    }
    yield keep(prepareBuild(build, { archive, part: undefined }, { options: {}, ...told }, io))
  }
}

/** Names in a database may be anything: each becomes a path that every system takes, and no two become one. */
function freeName(name: string, taken: Set<string>): string[] {
  const parts = name.split('/').map(safeName)
  const file = `${parts.pop()}.tar.gz`
  for (let number = 1; ; number++) {
    const path = [...parts, number === 1 ? file : numberedName(file, number)]
    const folded = foldName(path.join('/'))
    if (taken.has(folded)) continue
    taken.add(folded)
    return path
  }
}
