import {
  aCount,
  aSignal,
  aText,
  checkArguments,
  checkOptions,
  oneOf,
  type Shapes,
} from '../../base/check-arguments.ts'
import { ArchiveError } from '../../base/errors.ts'
import type { Repository } from '../open-repository.ts'
import { parseCommit } from '../parse/parse-commit.ts'
import { listEntries } from './list-entries.ts'
import { writeTar } from './write-tar.ts'
import { writeZip } from './write-zip.ts'

const WRITERS = { tar: writeTar, zip: writeZip } as const

export type RevisionFormat = keyof typeof WRITERS

export const REVISION_FORMATS = Object.keys(WRITERS) as RevisionFormat[]

export interface ArchiveRevisionOptions {
  /** Default `tar`. */
  format?: RevisionFormat | undefined
  /** Put before every path, such as `kettle-1.0/`. Default none. */
  prefix?: string | undefined
  /** The most bytes of files. Default 50 GiB. */
  maxExtracted?: number | undefined
  signal?: AbortSignal | undefined
}

/** An archive of a commit, written while it is read. */
export interface RevisionArchive {
  /** The id of the commit. */
  commit: string
  /** The bytes of the archive; can be read once. */
  bytes: AsyncGenerator<Uint8Array>
  /** Once all bytes are read: the number of files and links, and messages about what was left out or not applied. */
  summary(): { files: number; notes: string[] }
}

const SHAPES: Shapes<ArchiveRevisionOptions> = {
  format: oneOf(...REVISION_FORMATS),
  prefix: aText,
  maxExtracted: aCount,
  signal: aSignal,
}

/**
 * Writes the files of a commit as a tar or zip. The tar has the bytes that `git archive` writes, if no attribute of
 * `.gitattributes` changes them: attributes are not applied. Names that Git or a file system could misuse are left out.
 *
 * @param repository the repository to read
 * @param revision a branch, tag or commit
 * @param options format, prefix and limits
 * @returns the commit, and the bytes to be read
 * @throws `option-invalid`, `git-revision-not-found`; while the bytes are read `limit-extracted`, `git-object-missing`,
 *   `git-object-damaged` or `git-too-large`
 * @example
 * const { bytes } = archiveRevision(openRepository(database, 'ada/kettle'), 'v1.0', { prefix: 'kettle-1.0/' })
 * await pipeline(bytes, createWriteStream('kettle-1.0.tar'))
 */
export function archiveRevision(
  repository: Pick<Repository, 'objects' | 'resolve'>,
  revision = 'HEAD',
  options: ArchiveRevisionOptions = {},
): RevisionArchive {
  checkArguments({ revision }, { revision: aText })
  checkOptions(options, SHAPES)
  const { format = 'tar', prefix = '', maxExtracted, signal } = options
  checkPrefix(prefix)
  const { objects } = repository
  const oid = repository.resolve(revision, 'commit')
  const { tree, committer } = parseCommit(objects.read(oid), objects)
  const listed = listEntries(objects, tree, { prefix, maxExtracted, signal })
  // Neither format can hold times before 1970.
  const seconds = Math.max(0, committer.seconds ?? 0)
  return {
    commit: oid,
    bytes: WRITERS[format](listed.entries, { commit: oid, seconds }),
    summary: listed.summary,
  }
}

/** Throws `option-invalid` for a prefix that would lead out of the folder in which the archive is unpacked. */
function checkPrefix(prefix: string): void {
  if (!prefix.startsWith('/') && !prefix.includes('\0') && !prefix.split('/').includes('..')) return
  const message = `expected a prefix such as kettle-1.0/, found ${JSON.stringify(prefix)}`
  throw new ArchiveError('option-invalid', message)
}
