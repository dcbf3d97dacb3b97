import type { ArchiveEntry, ArchiveForm } from '../archive/entry.ts'
import type { Limits } from '../archive/limits.ts'
import type { ErrorCode, Place, Problem } from '../errors.ts'
import type { CanonicalBatch } from '../records/canonical/read-canonical.ts'
import type { JsonForm } from '../records/write-records.ts'

/** What a reading thread is to do. */
export interface WorkerOrder {
  path: string
  limits: Partial<Limits> | undefined
  /** To compute the SHA-256 of the file. */
  hash: boolean
  /** To hand over the headers of entries. */
  headers: boolean
  /** To look which files of records are plain, and hand over their runs. */
  runs: boolean
}

/** What the thread is given: the order, and what changes whenever it gets memory back. */
export interface WorkerData extends WorkerOrder {
  returns: Int32Array
}

/** What is known of a file of records that are all plain. */
export interface CanonicalFileFacts {
  /** How many of them follow. */
  runs: number
  /** Of the whole file. */
  crc32: number
  form: Partial<JsonForm>
}

/** An entry; its runs follow, or the pieces of its content and where that is over. */
export interface EntryEvent {
  entry: Omit<ArchiveEntry, 'content'>
  recordFile?: CanonicalFileFacts
}

export interface OverEvent {
  over: true
}

export interface EndEvent {
  end: { sha256: string; form: ArchiveForm }
}

/** What the thread came upon, in this order. The bytes of a run or a piece are the next ones of the batch. */
export type WorkerEvent =
  | EntryEvent
  | { run: Omit<CanonicalBatch, 'json'>; length: number }
  | { piece: number }
  | OverEvent
  | { problem: Problem }
  | { refusal: { code: ErrorCode; message: string; place: Place; cause: unknown } }
  | { fault: unknown }
  | EndEvent

/** Some events and their bytes. */
export interface WorkerBatch {
  events: readonly WorkerEvent[]
  bytes: ArrayBuffer
  /** Bytes of the file read so far. */
  bytesRead: number
}

/** Bytes that a batch has room for. */
export const ROOM = 512 * 1024
