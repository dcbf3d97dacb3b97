import { buildArchive } from '../../build-archive/build-archive.ts'
import type { BuildOptions, BuildProgress } from '../../build-archive/build-options.ts'
import type { Database } from '../../database/open-database.ts'
import type { Bytes } from '../../streams.ts'
import type { Io } from '../command/io.ts'
import { progressMode } from '../options/shared-options.ts'
import { showProgress } from '../output/progress.ts'
import { measured } from '../output/write-output.ts'
import type { BuildTarget } from './build-targets.ts'
import type { BuiltArchive } from './describe-build.ts'
import { listBreaches } from './list-breaches.ts'

/** An archive that is built while its bytes are taken, and then can be told of. */
export interface PreparedBuild {
  path: string
  bytes: Bytes
  built: () => BuiltArchive
}

/** Sees to what is shown of a build meanwhile: how far it is, and the rules it breaks. */
export function prepareBuild(
  source: Database | string,
  { archive, part }: BuildTarget,
  { options, ...told }: { options: BuildOptions } & Record<'json' | 'quiet' | 'verbose', Flag>,
  io: Io,
): PreparedBuild {
  let shown: ReturnType<typeof showProgress> | undefined
  let done: BuildProgress = { entries: 0, records: 0, bytes: 0 }
  const breaches = listBreaches(io, { ...told, clear: () => shown?.clear() })
  const progress = (next: BuildProgress) => {
    done = next
    const { total, bytes } = next
    const mode = progressMode(told)
    shown ??= showProgress(io.stderr, { label: `building ${archive}`, total, mode })
    shown.update(bytes)
  }
  const { report } = breaches
  const whole = measured(
    buildArchive(source, { ...options, part, report, progress, signal: io.signal }),
  )
  async function* bytes() {
    try {
      yield* whole.bytes
    } finally {
      shown?.finish()
    }
    breaches.finish()
  }
  const built = (): BuiltArchive => {
    const { entries, records } = done
    const count = breaches.count()
    return { archive, entries, records, ...(count && { breaches: count }), ...whole.sum() }
  }
  return { path: archive, bytes: bytes(), built }
}

type Flag = boolean | undefined
