import { gzip } from '../../archive/gzip/gzip.ts'
import { openDatabase } from '../../database/open-database.ts'
import { archiveRevision, type RevisionFormat } from '../../git/archive/archive-revision.ts'
import { openRepository, type Repository } from '../../git/open-repository.ts'
import { type PatchJob, writePatches } from './write-patches.ts'

/** A repository of a database. */
export interface GitSource {
  readonly database: string
  readonly repository: string
  /** The largest object to read in bytes. */
  readonly maxObject?: number
}

/** The files of a commit as a tar.gz or zip. */
export interface ArchiveJob {
  readonly kind: 'archive'
  readonly commit: string
  readonly format: RevisionFormat
  /** Put before every path. */
  readonly prefix: string
}

export type GitJob = ArchiveJob | PatchJob

/** Bytes that are sent together. */
const AT_ONCE = 64 * 2 ** 10
/** Blocks of a tar.gz that are compressed at a time: downloads are many, and cores are few. */
const THREADS = 2

/** The bytes that a job makes, in pieces of 64 KiB and more. */
export async function* writeGit({ source, job }: { source: GitSource; job: GitJob }) {
  const { database: path, repository, ...limits } = source
  const database = openDatabase(path)
  try {
    yield* inBatches(bytesOf(openRepository(database, repository, limits), job))
  } finally {
    database.close()
  }
}

function bytesOf(
  repository: Repository,
  job: GitJob,
): AsyncIterable<Uint8Array> | Iterable<Uint8Array> {
  if (job.kind !== 'archive') return writePatches(repository.objects, job)
  const { bytes } = archiveRevision(repository, job.commit, job)
  return job.format === 'tar' ? gzip(bytes, { threads: THREADS }) : bytes
}

async function* inBatches(
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Buffer> {
  let waiting: Uint8Array[] = []
  let length = 0
  for await (const piece of pieces) {
    waiting.push(piece)
    length += piece.length
    if (length < AT_ONCE) continue
    yield Buffer.concat(waiting)
    waiting = []
    length = 0
  }
  yield Buffer.concat(waiting)
}
