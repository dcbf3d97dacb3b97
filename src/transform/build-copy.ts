import { statSync } from 'node:fs'
import type { Problem } from '../base/errors.ts'
import type { Bytes } from '../base/streams.ts'
import { openDatabase } from '../database/open-database.ts'
import { stream } from '../work/call.ts'
import { type Context, Transferred } from '../work/run.ts'
import { createEditedRows, type EditedState } from './edited-rows.ts'
import type { WorkingCopy } from './working-copy.ts'
import { archiveOf, type OutputOptions } from './write-output.ts'

/** A changed copy for a thread, which opens it itself. */
export interface CopyToBuild {
  path: string
  source: string
  edited: EditedState
  /** Whether contents of files are written. */
  files: boolean
}

/** Builds the archive of a changed copy. */
export async function* buildCopy(
  { path, source, edited, files }: CopyToBuild,
  { progress, signal }: Context<Problem>,
): AsyncGenerator<Transferred<Uint8Array>> {
  const database = openDatabase(path)
  const copy = { database, source, edited: createEditedRows(edited) }
  try {
    for await (const piece of archiveOf(copy, { report: progress, signal }, { files })) {
      const bytes = new Uint8Array(piece)
      yield new Transferred(bytes, [bytes.buffer])
    }
  } finally {
    database.close()
  }
}

/** For copies below this many bytes, starting a thread takes longer than it saves. */
const LARGE = 16 * 2 ** 20

/** The archive that a changed copy builds, as `archiveOf`; that of a large one is built in a thread. */
export function archiveApart(
  copy: WorkingCopy,
  { report, signal }: OutputOptions,
  { files = true, large = LARGE } = {},
): Bytes {
  const { path, source, edited } = copy
  if (statSync(path).size < large) return archiveOf(copy, { report, signal }, { files })
  const order = { path, source, edited: edited.state, files }
  return stream<typeof buildCopy>('build-copy', order, { in: 'thread', signal, progress: report })
}
