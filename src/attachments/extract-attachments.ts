import { lstatSync, mkdirSync, realpathSync } from 'node:fs'
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
import { ArchiveError, throwIfInterrupted } from '../errors.ts'
import { makeFolder } from '../files/make-folder.ts'
import { removeStale } from '../files/partial-file.ts'
import { attemptSync, isThere, linkFile, writeFile } from '../files/write-file.ts'
import type { Bytes } from '../streams.ts'
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
  ...{ force: aFlag, maxExtracted: aCount, report: aFunction, signal: aSignal },
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
      // If one content has several names, the first gives the extension.
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

/** Writes each content once, and links further names to it. */
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
      throwIfInterrupted(signal)
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
    throwIfInterrupted(signal)
    if (!force && isThere(path)) return KEPT
    const same = first.get(sha256)
    if (same !== undefined && isLinked(same, path, force)) {
      return { outcome: 'linked', bytes: 0 } as const
    }
    const content = readStored(own, { id: file, path: entry, size, sha256, stored })
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

/** The folder that files are written to. Nothing is written outside of it. */
interface Folder {
  /** Returns the path of a file and creates its folders. Throws `output-refused` instead of following a link. */
  pathFor(parts: readonly string[]): string
}

/** Opens the folder, creating it if needed. Throws `output-refused`. */
function prepareFolder(named: string): Folder {
  attemptSync(named, () => makeFolder(named))
  // The folder itself may be a link: its user chose it.
  const root = attemptSync(named, () => realpathSync(named))
  let last: string | undefined
  return {
    pathFor(parts) {
      const folders = parts.slice(0, -1)
      const folder = join(root, ...folders)
      // Files of one folder usually follow each other.
      if (folder !== last) {
        folders.forEach((_, i) => {
          makeInner(join(root, ...folders.slice(0, i + 1)))
        })
      }
      if (folder !== last) removeStale(folder, { anyName: true })
      last = folder
      return join(folder, parts.at(-1) as string)
    },
  }
}

function makeInner(path: string): void {
  const found = attemptSync(path, () => lstatSync(path, { throwIfNoEntry: false }))
  if (!found) attemptSync(path, () => mkdirSync(path))
  if (!found || found.isDirectory()) return
  const message = found.isSymbolicLink()
    ? 'this is a link; links are not followed'
    : 'expected a folder, found something else'
  throw new ArchiveError('output-refused', message, { archive: path })
}
