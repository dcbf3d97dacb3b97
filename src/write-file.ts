import { randomBytes } from 'node:crypto'
import { lstatSync } from 'node:fs'
import { type FileHandle, link, open, rename, rm } from 'node:fs/promises'
import { ArchiveError } from './errors.ts'
import type { Bytes } from './streams.ts'

export interface WriteOptions {
  /** Replace a file that is there. Default false. */
  force?: boolean | undefined
  /** Wait until the disk has it all, so that not even a power cut leaves half a file. Default true. */
  sync?: boolean | undefined
}

/**
 * Writes a file beside its name, and gives it that name when it is whole; whatever goes wrong before, nothing
 * is left. A file that is there is replaced with `force` alone, and never written through, if it is a link.
 * Throws `output-exists`, `output-full` or `output-refused`.
 */
export async function writeFile(
  path: string,
  bytes: Bytes,
  { force = false, sync = true }: WriteOptions = {},
): Promise<void> {
  if (!force) refuseExisting(path)
  await beside(path, force, async (partial) => {
    const file = await attempt(path, open(partial, 'wx'))
    try {
      await fill(file, bytes, path)
      if (sync) await attempt(path, file.sync())
    } finally {
      await file.close()
    }
  })
}

/**
 * Gives a file one more name, as `writeFile` would write it. Throws the errors of the system for what links
 * cannot do, and `output-exists`.
 */
export const linkFile = (from: string, path: string, { force = false } = {}): Promise<void> =>
  force
    ? beside(path, force, (partial) => link(from, partial))
    : link(from, path).catch((error: unknown) => {
        refuseExisting(path, error)
        throw error
      })

/** Throws `output-exists` if there is a file with this name. */
export function refuseExisting(path: string, cause?: unknown): void {
  if (!isThere(path)) return
  const message = 'there is a file with this name'
  throw new ArchiveError('output-exists', message, { archive: path }, cause)
}

/** Whether something has this name, be it a link that leads nowhere. */
export function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    return false // whoever writes it learns why
  }
}

/** What the system says of a file to be written, as an `ArchiveError`. */
export const attempt = <T>(path: string, work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw fromOutput(error, path)
  })

async function beside(
  path: string,
  force: boolean,
  make: (partial: string) => Promise<void>,
): Promise<void> {
  const partial = partialOf(path)
  try {
    await make(partial)
    await attempt(path, publish(partial, path, force))
  } finally {
    // Where it has its name, this takes away no more than the other one.
    await rm(partial, { force: true })
  }
}

// A name may have 255 bytes, so this one has to be shorter where that one is long.
function partialOf(path: string): string {
  const suffix = `.${randomBytes(4).toString('hex')}.partial`
  const [, folder = '', name = ''] = /^(.*[/\\])?([^/\\]*)$/s.exec(path) ?? []
  return folder + (Buffer.byteLength(name) <= 230 ? name : '') + suffix
}

async function fill(file: FileHandle, bytes: Bytes, path: string): Promise<void> {
  for await (const chunk of bytes) {
    for (let at = 0; at < chunk.length; ) {
      at += (await attempt(path, file.write(chunk, at))).bytesWritten
    }
  }
}

async function publish(partial: string, path: string, force: boolean): Promise<void> {
  if (force) return rename(partial, path)
  try {
    // Unlike a rename, a link never takes the place of what somebody else has put there meanwhile.
    await link(partial, path)
  } catch (error) {
    refuseExisting(path, error)
    await rename(partial, path) // on a file system without links
  }
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
