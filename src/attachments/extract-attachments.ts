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
} from '../base/check-arguments.ts'
import { ArchiveError, throwIfInterrupted } from '../base/errors.ts'
import { nextTurn } from '../base/next-turn.ts'
import type { Bytes } from '../base/streams.ts'
import type { Database } from '../database/open-database.ts'
import { openSnapshot } from '../database/open-snapshot.ts'
import { makeInnerFolder } from '../files/inner-folder.ts'
import { removeStale } from '../files/partial-file.ts'
import { isThere, linkFile, writeFile } from '../files/write-file.ts'
import { type Attachment, pagesOf } from './list-attachments.ts'
import { createUniqueNames, LAYOUTS, type Layout, placeAttachment } from './place-attachment.ts'
import { readStored } from './read-attachment.ts'

/** How to extract uploads. */
export interface ExtractOptions {
  /** How files are laid out: by issue or pull request, by path in the archive, or by content. Default `issue`. */
  by?: Layout | undefined
  /** Overwrite existing files. Default false: they are kept. */
  force?: boolean | undefined
  /** The most bytes to write. Default 50 GiB. */
  maxExtracted?: number | undefined
  /** Called with the outcome for each upload. */
  report?: ((extracted: ExtractedFile) => void) | undefined
  /** Stops before the next chunk is written, with `interrupted`; files that are complete stay. */
  signal?: AbortSignal | undefined
}

/**
 * The outcome for an upload: written; linked to a file with the same content; same name and content as a file written
 * before; kept, because a file existed; missing from the archive.
 */
export type ExtractOutcome = 'written' | 'linked' | 'same' | 'kept' | 'missing'

/** The result for an upload. */
export interface ExtractedFile {
  /** The upload. */
  attachment: Attachment
  /** The result for the upload. */
  outcome: ExtractOutcome
  /** Path of the file, beginning with the folder as given. */
  path: string | undefined
  /** Bytes written. */
  bytes: number
}

/** The number of uploads with each outcome, and the bytes written. */
export type ExtractSummary = Record<ExtractOutcome, number> & {
  /** Bytes written. */
  bytes: number
}

const EXTRACT_SHAPES: Shapes<ExtractOptions> = {
  by: oneOf(...Object.keys(LAYOUTS)),
  force: aFlag,
  maxExtracted: aCount,
  report: aFunction,
  signal: aSignal,
}

const GIB = 2 ** 30

/**
 * Writes all uploads into a folder, each file whole or not at all. Names are made safe for every system, links are not
 * followed, and equal contents are written once.
 *
 * @param database the database that holds the uploads
 * @param folder the folder to write to; created if needed
 * @param options `by`, `force`, `maxExtracted`, `report`, `signal`
 * @returns the number of uploads with each outcome, and the bytes written
 * @throws `content-missing`, `limit-extracted`, `output-full`, `output-refused`, `database-damaged`, `interrupted` or
 *   `option-invalid`
 * @example
 * const { written, missing } = await extractAttachments(database, 'uploads')
 */
export async function extractAttachments(
  database: Database,
  folder: string,
  options: ExtractOptions = {},
): Promise<ExtractSummary> {
  checkArguments({ database, folder }, { database: anOpenDatabase, folder: aPath })
  checkOptions(options, EXTRACT_SHAPES)
  const { by = 'issue', report } = options
  throwIfInterrupted(options.signal)
  const own = openSnapshot(database)
  try {
    makeInnerFolder(folder, [])
    const pathFor = pathsIn(folder)
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
      // If one content has several names, the first gives the extension.
      const parts = names.take(wanted, sha256, by === 'hash' ? sha256 : undefined)
      if (!parts) {
        tell('same')
        continue
      }
      const { outcome, bytes } = await write(attachment, pathFor(parts))
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

/** Writes each content once, and links further names to it. */
function createWriter(
  database: Database,
  { force = false, maxExtracted = 50 * GIB, signal }: ExtractOptions,
) {
  database.exec('CREATE TEMP TABLE written (sha256 TEXT PRIMARY KEY, path TEXT) WITHOUT ROWID')
  const first = database
    .prepare<[string], string>('SELECT path FROM temp.written WHERE sha256 = ?')
    .pluck()
  const note = database.prepare('INSERT OR REPLACE INTO temp.written VALUES (?, ?)')
  let total = 0

  async function* limited(bytes: Bytes, entry: string): Bytes {
    for await (const piece of bytes) {
      await nextTurn(signal)
      total += piece.length
      if (total > maxExtracted) {
        const message = `more than ${maxExtracted} bytes would be written`
        const limit = { allowed: maxExtracted, found: total }
        throw new ArchiveError('limit-extracted', message, { entry }).over(limit)
      }
      yield piece
    }
  }

  return async ({ file, path: entry, size, sha256, stored }: Present, path: string) => {
    await nextTurn(signal)
    if (!force && isThere(path)) return KEPT
    const same = first.get(sha256)
    if (same !== undefined && isLinked(same, path, force)) {
      return { outcome: 'linked', bytes: 0 } as const
    }
    const content = readStored(database, { id: file, path: entry, size, sha256, stored })
    try {
      await writeFile(path, limited(content, entry), { force, sync: false, tidy: false })
    } catch (error) {
      // Another program created it meanwhile.
      if (error instanceof ArchiveError && error.code === 'output-exists') return KEPT
      throw error
    }
    note.run(sha256, path)
    return { outcome: 'written', bytes: size } as const
  }
}

/** Adds a hard link; false if the file system has none, or allows no more. */
function isLinked(from: string, path: string, force: boolean): boolean {
  try {
    linkFile(from, path, { force })
    return true
  } catch {
    return false
  }
}

/** The path of a file in a folder, whose folders are made when they are needed. Throws `output-refused`. */
function pathsIn(folder: string): (parts: readonly string[]) => string {
  let last: string | undefined
  return (parts) => {
    const above = parts.slice(0, -1)
    // Files of one folder usually follow each other.
    if (join(folder, ...above) !== last) {
      last = makeInnerFolder(folder, above)
      removeStale(last, { anyName: true })
    }
    return join(last, parts.at(-1) as string)
  }
}
