import type { ArchiveEntry, ArchiveForm } from '../archive/entry.ts'
import type { ArchiveError, Problem } from '../base/errors.ts'
import type { Limits } from '../base/limits.ts'

/** The task of a reading thread. */
export interface WorkerOrder {
  path: string
  limits: Partial<Limits> | undefined
  /** Compute the SHA-256 of the file, and the CRC-32 of each record file. */
  hash: boolean
  /** Send the headers of entries. */
  headers: boolean
}

/** The input of the thread: its task, and the counter that changes when memory is returned. */
export interface WorkerData extends WorkerOrder {
  returns: Int32Array
}

/** An entry. The pieces of its content follow, and their end. */
export interface EntryEvent {
  entry: Omit<ArchiveEntry, 'content'>
}

export interface OverEvent {
  over: true
  /** The CRC-32 of a record file. */
  crc32?: number
}

export interface EndEvent {
  end: { sha256: string; form: ArchiveForm }
}

/** An event of the thread. The bytes of a piece are the next ones in the batch. */
export type WorkerEvent =
  | EntryEvent
  | { piece: number }
  | OverEvent
  | { problem: Problem }
  | { refusal: Pick<ArchiveError, 'code' | 'message' | 'place' | 'cause' | 'limit'> }
  | { fault: unknown }
  | EndEvent

/** Consecutive events and their bytes. */
export interface WorkerBatch {
  events: readonly WorkerEvent[]
  bytes: ArrayBuffer
  /** Bytes of the file read so far. */
  bytesRead: number
}

/** Capacity of a batch in bytes. */
export const ROOM = 512 * 1024
