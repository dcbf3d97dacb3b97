import { ArchiveError } from '../../base/errors.ts'
import type { Io } from '../command/io.ts'
import { type SafeText, safe } from '../command/safe-text.ts'
import { AdvisedError } from '../command/usage-error.ts'
import { escapeControlsInJson } from '../output/escape-controls.ts'
import { showProgress } from '../output/progress.ts'
import { formatCount } from '../output/quantities.ts'
import { writeAll } from '../output/write-all.ts'

interface FolderOptions<Done> {
  readonly json: boolean | undefined
  readonly quiet: boolean | undefined
  /** The kind of folder that may be named instead of one with other files, such as `a site`. */
  readonly kind: string
  write(progress: (done: { files: number; bytes: number }) => void): Promise<Done>
  describe(done: Done): SafeText
}

/** Writes a folder of files, shows how many there are, and prints a summary. */
export async function writeFolder<Done extends object>(
  folder: string,
  { json, quiet, kind, write, describe }: FolderOptions<Done>,
  io: Io,
): Promise<0> {
  const shown = showProgress(io.stderr, { label: 'writing', mode: quiet ? 'none' : undefined })
  const start = performance.now()
  try {
    const done = await write(({ files, bytes }) =>
      shown.update(bytes, () => `${formatCount(files)} files`),
    )
    shown.finish()
    const seconds = (performance.now() - start) / 1000
    if (json) {
      const text = JSON.stringify({ folder, ...done, seconds })
      await writeAll(io.stdout, [safe`${escapeControlsInJson(text)}\n`])
    } else if (!quiet) await writeAll(io.stdout, [describe(done)])
    return 0
  } catch (error) {
    // A refusal of the system has a cause; without one there is something else in the folder.
    const isTaken =
      error instanceof ArchiveError &&
      error.code === 'output-refused' &&
      error.place.archive === folder &&
      error.cause === undefined
    throw isTaken
      ? new AdvisedError(error, `Name a new or an empty folder, or ${kind} that marc wrote.`)
      : error
  } finally {
    shown.finish()
  }
}
