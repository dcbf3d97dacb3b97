import { join } from 'node:path'
import {
  aCount,
  aFlag,
  aFunction,
  anOpenDatabase,
  aPath,
  aSignal,
  checkArguments,
  checkOptions,
  oneOf,
  type Shapes,
} from '../check-arguments.ts'
import type { Database } from '../database/open-database.ts'
import { openSnapshot } from '../database/open-snapshot.ts'
import { ArchiveError } from '../errors.ts'
import { isThere, linkFile, writeFile } from '../files/write-file.ts'
import type { Bytes } from '../streams.ts'
import { type Attachment, pagesOf } from './list-attachments.ts'
import { LAYOUTS, type Layout, placeAttachment } from './place-attachment.ts'
import { prepareFolder } from './prepare-folder.ts'
import { readStored } from './read-attachment.ts'
import { createUniqueNames } from './unique-names.ts'

export interface ExtractOptions {
  /** How files are laid out: by what they belong to, as in the archive, or by content. Default `issue`. */
  by?: Layout | undefined
  /** Replace files that are there. Default false: they are kept. */
  force?: boolean | undefined
  /** Bytes that are written at most. Default 50 GiB. */
  maxExtracted?: number | undefined
  /** Is told of each upload what became of it. */
  report?: ((extracted: ExtractedFile) => void) | undefined
  signal?: AbortSignal | undefined
}

/**
 * What became of an upload: written; linked to a file with the same content, written before; the same as a
 * file of that name, written before; not written, because a file was there; missing from the archive.
 */
export type ExtractOutcome = 'written' | 'linked' | 'same' | 'kept' | 'missing'

export interface ExtractedFile {
  attachment: Attachment
  outcome: ExtractOutcome
  /** Where the file is, as the folder was named. */
  path: string | undefined
  /** Bytes written. */
  bytes: number
}

/** How many uploads became what, and the bytes written. */
export type ExtractSummary = Record<ExtractOutcome, number> & { bytes: number }

const EXTRACT_SHAPES: Shapes<ExtractOptions> = {
  by: oneOf(...Object.keys(LAYOUTS)),
  ...{ force: aFlag, maxExtracted: aCount, report: aFunction, signal: aSignal },
}

const GIB = 2 ** 30

/**
 * Writes the uploads in a database into a folder, each whole or not at all, byte for byte as they were loaded.
 * Names are made safe for every system, links are not followed, one content is written once. Throws
 * `content-missing`, `limit-extracted`, `output-full`, `output-refused`, `database-damaged` or `interrupted`.
 */
export async function extractAttachments(
  database: Database,
  folder: string,
  options: ExtractOptions = {},
): Promise<ExtractSummary> {
  checkArguments({ database, folder }, { database: anOpenDatabase, folder: aPath })
  checkOptions(options, EXTRACT_SHAPES)
  const { by = 'issue', report } = options
  const own = openSnapshot(database)
  try {
    const target = prepareFolder(folder)
    const names = createUniqueNames(own)
    const write = createWriter(own, options)
    const done: ExtractSummary = { written: 0, linked: 0, same: 0, kept: 0, missing: 0, bytes: 0 }
    for (const attachment of pagesOf(own)) {
      const tell = (outcome: ExtractOutcome, path?: string, bytes = 0) => {
        done[outcome]++
        done.bytes += bytes
        report?.({ attachment, outcome, path, bytes })
      }
      if (!isPresent(attachment)) {
        tell('missing')
        continue
      }
      const { sha256 } = attachment
      const wanted = placeAttachment(attachment, by)
      // Of one content named differently, the first name gives the ending.
      const parts = names.take(wanted, sha256, by === 'hash' ? sha256 : undefined)
      if (!parts) {
        tell('same')
        continue
      }
      const { outcome, bytes } = await write(attachment, target.pathFor(parts))
      tell(outcome, join(folder, ...parts), bytes)
    }
    return done
  } finally {
    own.close()
  }
}

type Present = Attachment & { file: number; path: string; size: number; sha256: string }

const isPresent = (attachment: Attachment): attachment is Present => attachment.file !== null

const KEPT = { outcome: 'kept', bytes: 0 } as const

/** Writes contents, each once, and gives it more names after that. */
function createWriter(
  own: Database,
  { force = false, maxExtracted = 50 * GIB, signal }: ExtractOptions,
) {
  own.exec('CREATE TEMP TABLE written (sha256 TEXT PRIMARY KEY, path TEXT) WITHOUT ROWID')
  const first = own
    .prepare<[string], string>('SELECT path FROM temp.written WHERE sha256 = ?')
    .pluck()
  const note = own.prepare('INSERT OR REPLACE INTO temp.written VALUES (?, ?)')
  let total = 0

  async function* limited(bytes: Bytes, entry: string): Bytes {
    for await (const piece of bytes) {
      if (signal?.aborted) throw new ArchiveError('interrupted', 'interrupted')
      total += piece.length
      if (total > maxExtracted) {
        const message = `more than ${maxExtracted} bytes would be written`
        throw new ArchiveError('limit-extracted', message, { entry })
      }
      yield piece
    }
  }

  return async ({ file, path: entry, size, sha256, stored }: Present, path: string) => {
    if (signal?.aborted) throw new ArchiveError('interrupted', 'interrupted')
    if (!force && isThere(path)) return KEPT
    const same = first.get(sha256)
    if (same !== undefined && isLinked(same, path, force)) {
      return { outcome: 'linked', bytes: 0 } as const
    }
    const content = readStored(own, { id: file, path: entry, size, sha256, stored })
    try {
      await writeFile(path, limited(content, entry), { force, sync: false, tidy: false })
    } catch (error) {
      // Somebody else was faster.
      if (error instanceof ArchiveError && error.code === 'output-exists') return KEPT
      throw error
    }
    note.run(sha256, path)
    return { outcome: 'written', bytes: size } as const
  }
}

/** Whether a file could be given one more name; not every file system has that, nor for any number of names. */
function isLinked(from: string, path: string, force: boolean): boolean {
  try {
    linkFile(from, path, { force })
    return true
  } catch {
    return false
  }
}
