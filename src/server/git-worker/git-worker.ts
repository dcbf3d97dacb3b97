/** Compares and packs the files of repositories in a worker thread. */

import { type MessagePort, parentPort } from 'node:worker_threads'
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

/** A message to the thread: begin a job, send more of its output, or cancel it. */
export type GitMessage =
  | { readonly id: number; readonly open: GitSource; readonly job: GitJob }
  | { readonly id: number; readonly wants: 'more' | 'nothing' }

/** An answer of the thread: some bytes, and whether they are the last; or why there are none. */
export type GitReply =
  | { readonly id: number; readonly bytes: Uint8Array; readonly isLast: boolean }
  | { readonly id: number; readonly failure: string }

/** Bytes that are sent together. */
const AT_ONCE = 64 * 2 ** 10
/** Blocks of a tar.gz that are compressed at a time: downloads are many, and cores are few. */
const THREADS = 2

const port = parentPort as MessagePort
const running = new Map<number, AsyncGenerator<Uint8Array>>()

port.on('message', async (message: GitMessage) => {
  const { id } = message
  try {
    if ('open' in message) running.set(id, write(message.open, message.job))
    else if (message.wants === 'nothing') await forget(id)
    else port.postMessage({ id, ...(await more(id)) } satisfies GitReply)
  } catch (error) {
    running.delete(id)
    const failure = (error instanceof Error && error.stack) || String(error)
    port.postMessage({ id, failure } satisfies GitReply)
  }
})

async function* write({ database: path, repository, ...limits }: GitSource, job: GitJob) {
  const database = openDatabase(path)
  try {
    yield* bytesOf(openRepository(database, repository, limits), job)
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

async function more(id: number): Promise<{ bytes: Uint8Array; isLast: boolean }> {
  const pieces: Uint8Array[] = []
  const made = running.get(id)
  let length = 0
  while (length < AT_ONCE) {
    const { value, done } = (await made?.next()) ?? { done: true, value: undefined }
    if (done || value === undefined) {
      running.delete(id)
      return { bytes: Buffer.concat(pieces), isLast: true }
    }
    pieces.push(value)
    length += value.length
  }
  return { bytes: Buffer.concat(pieces), isLast: false }
}

async function forget(id: number): Promise<void> {
  const made = running.get(id)
  running.delete(id)
  await made?.return(undefined)
}
