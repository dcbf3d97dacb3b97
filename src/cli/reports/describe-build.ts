import type { BuildProgress } from '../../build-archive/build-options.ts'
import type { Io } from '../command/io.ts'
import { escapeControls } from '../output/escape-controls.ts'
import { formatBytes, formatCount, formatDuration } from '../output/quantities.ts'
import { type SafeText, safe } from '../output/safe-text.ts'
import { stylesFor } from '../output/styles.ts'
import type { Written } from '../output/write-output.ts'

/** An archive that was built. */
export interface BuiltArchive extends Written, Pick<BuildProgress, 'entries' | 'records'> {
  archive: string
  /** Broken rules, which were allowed. */
  breaches?: number
}

/** The summary of a build as a person reads it. */
export function describeBuild(
  archives: readonly BuiltArchive[],
  seconds: number,
  io: Pick<Io, 'env'> & { stream: Io['stdout'] },
): SafeText {
  const { bold } = stylesFor(io.stream, io.env)
  const lines = archives.flatMap(({ archive, entries, records, breaches, bytes, sha256 }) => [
    bold(escapeControls(archive)),
    safe`  records  ${formatCount(records).padStart(11)}`,
    safe`  entries  ${formatCount(entries).padStart(11)}`,
    ...(breaches ? [safe`  breaches ${formatCount(breaches).padStart(11)}`] : []),
    safe`  size     ${formatBytes(bytes).padStart(11)}`,
    safe`  sha256   ${escapeControls(sha256)}`,
  ])
  return [...lines, safe`Built in ${formatDuration(seconds * 1000)}.`].join('\n')
}
