import type { ScannedRecords } from '../../records/canonical/read-canonical.ts'
import type { JsonObject } from '../../records/json/json.ts'
import type { Kind } from '../../records/kinds/kind.ts'
import type { ExportRow, ExportTable } from '../table.ts'

/** A record with its position: the record file, and its number there from 1. */
export interface PositionedRecord {
  readonly record: JsonObject
  readonly entry: string
  readonly index: number
}

/** Receives the content of a source. The source waits for each promise before it continues. */
export interface Sink {
  /** Records of one table, in order. */
  records(table: string, kind: Kind, records: readonly PositionedRecord[]): void | Promise<void>
  /**
   * Canonical records of one table, unparsed: all of a record file. A sink without it gets them as records. They hold until
   * the promise resolves.
   */
  scanned?(table: string, entry: string, records: ScannedRecords): void | Promise<void>
  /** Rows of a listing, such as the files. */
  rows(listing: ExportTable, rows: readonly ExportRow[]): void | Promise<void>
}

/** Facts about a source, for the manifest. */
export interface SourceFacts {
  readonly name: string
  /** SHA-256 in hex: of the archive, or of the records and files of a database. */
  readonly sha256: string
  /** Bytes of the file; null for a folder or stream. */
  readonly size: number | null
  readonly schemaVersion: string | null
  readonly state: 'complete' | 'salvaged'
  /** The archives in a database. */
  readonly archives?: readonly { readonly name: string; readonly sha256: string }[]
}

export interface RecordSource {
  readonly name: string
  /** The SHA-256 before reading, if that is much cheaper than an export; undefined for a stream. */
  identify(): Promise<string | undefined>
  /** Pushes everything into the sink. */
  read(sink: Sink): Promise<SourceFacts>
  close(): void
}

/** A record with this URL was read before, so the archive has to be loaded to find the one that counts. */
export class RepeatedRecord extends Error {}
