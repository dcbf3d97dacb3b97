import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { ClientOptions } from '../../../client/client-options.ts'
import { type Download, downloadArchive } from '../../../client/download/download-archive.ts'
import type { LoadSummary } from '../../../load/load-archive.ts'
import type { OptionTable, Values } from '../../command/command.ts'
import type { Io } from '../../command/io.ts'
import { type SafeText, safe } from '../../command/safe-text.ts'
import type { CLIENT_OPTIONS } from '../../options/client-options.ts'
import { readingProgress } from '../../options/reading-options.ts'
import { downloadProgress, WAITING_OPTIONS, type Waiting } from '../../options/waiting-options.ts'
import { ARCHIVE, checkOutput } from '../../output/check-output.ts'
import { escapeControls } from '../../output/escape-controls.ts'
import { formatBytes } from '../../output/quantities.ts'
import { describeLoad } from '../../reports/describe-load.ts'

/** The options of what becomes of an archive. */
export const FINISHING_OPTIONS = {
  ...WAITING_OPTIONS,
  load: {
    value: '<file>',
    describe: 'Load the archive into this database; add to an existing one',
  },
  force: { type: 'boolean', describe: 'Overwrite an existing archive' },
  verify: {
    type: 'boolean',
    default: true,
    describe: 'Download without reading the archive on the way',
  },
} as const satisfies OptionTable

type Typed = Partial<Values<typeof CLIENT_OPTIONS>> & Partial<Values<typeof FINISHING_OPTIONS>>

const EXPORT = { ...ARCHIVE, example: 'export.tar.gz', source: 'the archive' }

/** Checks outputs before hours of waiting. Throws as `checkOutput` does. */
export async function checkOutputs(file: string | undefined, load: string | undefined) {
  if (file !== undefined) await checkOutput(file, [], EXPORT)
  if (load !== undefined) await checkOutput(load, file === undefined ? [] : [file])
}

/**
 * Downloads the archive of a migration, which is waited for with `wait`. With a database and no name for the archive it is put
 * beside the database.
 */
export async function fetchArchive(
  id: number,
  file: string | undefined,
  client: ClientOptions,
  options: Typed & { wait: boolean; waiting: Waiting },
  io: Io,
): Promise<Download> {
  const { wait, waiting, force = false, verify = true, load } = options
  const shown = downloadProgress(options, io)
  const isKept = file !== undefined || load === undefined
  const path = isKept ? file : join(dirname(load), `.migration-${id}.tar.gz`)
  try {
    return await downloadArchive(id, path, {
      ...client,
      ...waiting,
      progress: shown.progress,
      wait,
      verify,
      force: force || !isKept,
    })
  } finally {
    shown.finish()
  }
}

export const describeDownload = ({ file, bytes, sha256 }: Download): SafeText =>
  safe`${escapeControls(file)} is whole: ${formatBytes(bytes)}\nSHA-256 ${escapeControls(sha256)}`

/** Loads archives into a database, and removes those that nobody asked to keep. */
export async function loadFetched(
  files: readonly string[],
  load: string,
  { isKept, ...typed }: Typed & { isKept: boolean },
  io: Io,
): Promise<{ summary: LoadSummary; text: SafeText }> {
  const { loadArchive } = await import('../../../load/load-archive.ts')
  const shown = readingProgress('loading', typed, io)
  const start = performance.now()
  try {
    const signal = io.signal && { signal: io.signal }
    const summary = await loadArchive(files, load, { progress: shown.progress, ...signal })
    if (!isKept) for (const file of files) rmSync(file, { force: true })
    shown.finish()
    const seconds = (performance.now() - start) / 1000
    return { summary, text: typed.quiet ? safe`` : describeLoad(summary, seconds, io) }
  } finally {
    shown.finish()
  }
}
