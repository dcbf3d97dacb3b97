import { readFile, rm } from 'node:fs/promises'
import { ArchiveError } from '../../base/errors.ts'
import { asBytes } from '../../base/streams.ts'
import { lockFile } from '../../files/lock-file.ts'
import { writeFile } from '../../files/write-file.ts'
import { isObject, type JsonValue } from '../../records/json/json.ts'

/** Identifies an upload. Notes about another one are ignored. */
export interface UploadIdentity {
  /** The base address of the uploads. */
  server: string
  /** The number of the organization that owns the upload. */
  organization: number
  /** SHA-256 of the archive. */
  sha256: string
}

/** How far an import of an archive is. */
export interface UploadFacts {
  /** Where the next part goes, and how many bytes the server has. */
  next?: { location: string; sent: number; partSize: number; guid: string } | undefined
  /** The address of the whole upload. */
  uri?: string | undefined
  /** The name of the repository, and the ids of its imports before this one was started. */
  started?: { repository: string; before: string[] } | undefined
}

/**
 * The notes about the upload of an archive, `<archive>.part.json`, and `<archive>.part.lock` while a process has them open. An
 * address in them is of no use without a token.
 */
export interface UploadNotes {
  readonly facts: Readonly<UploadFacts>
  /** Replaces the notes. The next process reads them, whenever this one ends. */
  write(facts: UploadFacts): Promise<void>
  /** Removes them: nothing is to be resumed. */
  remove(): Promise<void>
  close(): void
}

/**
 * Opens the notes about an archive, or begins them.
 *
 * @throws `upload-busy` while another process has them open; `output-refused` or `output-full`
 */
export async function openNotes(archive: string, identity: UploadIdentity): Promise<UploadNotes> {
  const path = `${archive}.part.json`
  const unlock = await lockFile(`${archive}.part.lock`, {
    wait: false,
    busy: (holder) => new ArchiveError('upload-busy', `${holder} is uploading it`, { archive }),
  })
  let facts = await readNotes(path, identity)
  return {
    get facts() {
      return facts
    },
    async write(next) {
      const text = Buffer.from(`${JSON.stringify({ ...identity, ...next })}\n`)
      await writeFile(path, asBytes([text]), { force: true, mode: 0o600 })
      facts = next
    },
    async remove() {
      await rm(path, { force: true })
      facts = {}
    },
    close: unlock,
  }
}

async function readNotes(
  path: string,
  { server, organization, sha256 }: UploadIdentity,
): Promise<UploadFacts> {
  try {
    const found = JSON.parse(await readFile(path, 'utf8')) as JsonValue
    const isOurs =
      isObject(found) &&
      found.server === server &&
      found.organization === organization &&
      found.sha256 === sha256
    if (!isOurs) return {}
    const { next, uri, started } = found as unknown as UploadFacts
    return { next, uri, started }
  } catch {
    return {} // an upload that nothing is known about begins again
  }
}
