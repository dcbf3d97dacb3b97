import { join } from 'node:path'
import type { Bytes } from '../../base/streams.ts'
import { openGrowingFile } from '../../files/growing-file.ts'
import { makeTemporaryFolder } from '../../files/temporary-folder.ts'
import { copyFile } from '../../files/write-file.ts'
import { loadArchive } from '../../load/load-archive.ts'
import { archiveApart } from '../build-copy.ts'
import type { WorkingCopy } from '../working-copy.ts'
import { isArchivePath } from '../write-output.ts'
import { proveRedaction } from './proof/prove.ts'
import type { RedactOptions } from './redact-options.ts'
import type { Redaction } from './redact-records.ts'

/** What was taken out. */
export type ToProve = Pick<Redaction, 'removed' | 'keep' | 'authors' | 'report'>

/** Receives the new archive before it is written, and the proof, and returns what is written: so a test can plant a leak. */
export type BeforeProof = (built: Bytes, prove: (read: () => Bytes) => Promise<void>) => Bytes

/**
 * Writes the archive under a temporary name and proves it, from the bytes of this file, while it is built. Then it gets its name,
 * or is loaded into a database of that name.
 */
export async function writeProven(
  copy: WorkingCopy,
  output: string,
  { removed, keep, authors, report }: ToProve,
  options: RedactOptions,
  beforeProof: BeforeProof = (built) => built,
): Promise<void> {
  const { attachments = 'scan', force = false } = options
  const isRewritten = report.git.state === 'rewritten'
  const filesOfGit = options.git === 'history' ? 'all' : 'notes'
  const prove = (read: () => Bytes) =>
    proveRedaction(read, {
      removed,
      doubtful: removed.doubtful,
      keep,
      keepsFiles: attachments === 'keep',
      keepsGit: report.git.state === 'kept',
      git: isRewritten ? { people: authors, files: filesOfGit } : undefined,
    })
  const temporary = makeTemporaryFolder()
  try {
    const archive = join(temporary.path, 'redacted.tar.gz')
    const built = archiveApart(copy, options, { files: report.files.missing === 0 })
    await writeAndProve(archive, beforeProof(built, prove), prove)
    report.proved = true
    if (isArchivePath(output)) {
      await copyFile(archive, output, { force })
    } else {
      await loadArchive(archive, output, {
        replace: force,
        ...(options.signal && { signal: options.signal }),
      })
    }
  } finally {
    temporary.remove()
  }
}

/** Writes a file, and proves what is in it meanwhile. The first to fail ends both. */
async function writeAndProve(
  path: string,
  bytes: Bytes,
  prove: (read: () => Bytes) => Promise<void>,
): Promise<void> {
  const file = openGrowingFile(path)
  try {
    const proof = prove(file.read).catch((error: unknown) => {
      file.stop()
      throw error
    })
    const results = await Promise.allSettled([file.write(bytes), proof])
    for (const result of results) if (result.status === 'rejected') throw result.reason
  } finally {
    file.close()
  }
}
