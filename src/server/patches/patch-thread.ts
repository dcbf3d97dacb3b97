/** Writes patches in a thread of its own. */

import { type MessagePort, parentPort } from 'node:worker_threads'
import { openDatabase } from '../../database/open-database.ts'
import { openRepository } from '../../git/open-repository.ts'
import { type PatchJob, writePatches } from './write-patches.ts'

/** Where a patch is made: a repository of a database. */
export interface PatchSource {
  readonly database: string
  readonly repository: string
  readonly maxObject: number
}

/** A message to the thread: begin a patch, send more of it, or forget it. */
export type PatchMessage =
  | { readonly id: number; readonly open: PatchSource; readonly job: PatchJob }
  | { readonly id: number; readonly wants: 'more' | 'nothing' }

/** An answer of the thread: some bytes of a patch, and whether they are the last; or why there are none. */
export type PatchReply =
  | { readonly id: number; readonly bytes: Uint8Array; readonly isLast: boolean }
  | { readonly id: number; readonly failure: string }

/** Bytes that are sent together. */
const AT_ONCE = 64 * 2 ** 10

const port = parentPort as MessagePort
const running = new Map<number, Generator<Buffer>>()

port.on('message', (message: PatchMessage) => {
  const { id } = message
  try {
    if ('open' in message) running.set(id, write(message.open, message.job))
    else if (message.wants === 'nothing') forget(id)
    else port.postMessage({ id, ...more(id) } satisfies PatchReply)
  } catch (error) {
    running.delete(id)
    const failure = (error instanceof Error && error.stack) || String(error)
    port.postMessage({ id, failure } satisfies PatchReply)
  }
})

function* write({ database: path, repository, maxObject }: PatchSource, job: PatchJob) {
  const database = openDatabase(path)
  try {
    yield* writePatches(openRepository(database, repository, { maxObject }).objects, job)
  } finally {
    database.close()
  }
}

function more(id: number): { bytes: Uint8Array; isLast: boolean } {
  const pieces: Buffer[] = []
  const patch = running.get(id)
  let length = 0
  while (length < AT_ONCE) {
    const { value, done } = patch?.next() ?? { done: true, value: undefined }
    if (done || value === undefined) {
      running.delete(id)
      return { bytes: Buffer.concat(pieces), isLast: true }
    }
    pieces.push(value)
    length += value.length
  }
  return { bytes: Buffer.concat(pieces), isLast: false }
}

function forget(id: number): void {
  running.get(id)?.return(undefined)
  running.delete(id)
}
