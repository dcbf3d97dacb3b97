import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { type FileHandle, link, open, rename, rm } from 'node:fs/promises'
import { ArchiveError } from '../errors.ts'
import type { Bytes } from '../streams.ts'
import type { Output } from './io.ts'
import { writeAll } from './output/write-all.ts'
import { UsageError } from './usage-error.ts'

export interface Written {
  bytes: number
  sha256: string
}

/**
 * Writes a file beside its name, and gives it that name when it is whole; whatever goes wrong before, nothing
 * is left. A file that is there is replaced with `force` alone. Throws `output-exists`, `output-full` or
 * `output-refused`.
 */
export async function writeOutput(
  path: string,
  bytes: Bytes,
  { force = false } = {},
): Promise<Written> {
  if (!force) refuseExisting(path)
  const partial = `${path}.${randomBytes(4).toString('hex')}.partial`
  const attempt = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      throw fromOutput(error, path)
    })
  const file = await attempt(open(partial, 'wx'))
  try {
    const written = await fill(file, bytes, attempt).finally(() => file.close())
    await attempt(publish(partial, path, force))
    return written
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
}

async function fill(
  file: FileHandle,
  bytes: Bytes,
  attempt: <T>(work: Promise<T>) => Promise<T>,
): Promise<Written> {
  const written = measured(bytes)
  for await (const chunk of written.bytes) {
    for (let at = 0; at < chunk.length; ) {
      at += (await attempt(file.write(chunk, at))).bytesWritten
    }
  }
  await attempt(file.sync())
  return written.sum()
}

/** Writes to a stream such as standard output; a reader that goes away ends it quietly. */
export async function writeToStream(stream: Output, bytes: Bytes): Promise<Written> {
  if (stream.isTTY) {
    const hint = 'Name a file with -o, or put a program after a pipe.'
    throw new UsageError('an archive is nothing for a terminal', hint)
  }
  const written = measured(bytes)
  await writeAll(stream, written.bytes)
  return written.sum()
}

function measured(bytes: Bytes): { bytes: Bytes; sum(): Written } {
  const digest = createHash('sha256')
  let length = 0
  async function* pass() {
    for await (const chunk of bytes) {
      digest.update(chunk)
      length += chunk.length
      yield chunk
    }
  }
  return { bytes: pass(), sum: () => ({ bytes: length, sha256: digest.digest('hex') }) }
}

async function publish(partial: string, path: string, force: boolean): Promise<void> {
  if (force) return rename(partial, path)
  try {
    // Unlike a rename, a link never takes the place of what somebody else has put there meanwhile.
    await link(partial, path)
    await rm(partial)
  } catch (error) {
    refuseExisting(path, error)
    await rename(partial, path) // on a file system without links
  }
}

/** Throws `output-exists` if there is a file with this name. */
export function refuseExisting(path: string, cause?: unknown): void {
  if (!existsSync(path)) return
  throw new ArchiveError(
    'output-exists',
    'there is a file with this name',
    { archive: path },
    cause,
  )
}

function fromOutput(error: unknown, path: string): unknown {
  const { code, message } = error as NodeJS.ErrnoException
  if (error instanceof ArchiveError || code === undefined) return error
  const full = ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(code)
  return new ArchiveError(
    full ? 'output-full' : 'output-refused',
    message,
    { archive: path },
    error,
  )
}
