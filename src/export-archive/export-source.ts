import type { JsonObject } from '../records/json/json.ts'
import type { ArchiveRecord, KINDS, KindName } from '../records/kinds/kinds.ts'
import type { REQUIREMENTS } from '../rules/requirements.ts'
import type { Bytes } from '../streams.ts'

/** Things one after the other, at hand or as they come. */
export type Source<T> = Iterable<T> | AsyncIterable<T>

/** What an archive is to hold. */
export interface ExportSource {
  records?: RecordSources
  /** Records of kinds that this package does not know, by the names of these: any objects. */
  otherRecords?: KindSources
  /** Attachments, files of repositories and assets of releases that records name. */
  files?: Source<FileToExport>
  /** Git data. Left out altogether for a metadata archive. */
  repositories?: Source<RepositoryToExport>
}

/** Records by kind. */
export type RecordSources = {
  readonly [Name in KindName]?: Source<RecordToExport<Name>>
}

/** Any objects by the name of their kind. */
export interface KindSources {
  readonly [kind: string]: Source<JsonObject> | undefined
}

type Columns<Name extends KindName> = keyof (typeof KINDS)[Name]['columns'] & string

type Mandatory<Name extends KindName> = Columns<Name> &
  ElementOf<(typeof REQUIREMENTS)[Name], 'required' | 'orNull'>

type ElementOf<R, K extends string> = R extends unknown
  ? { [P in keyof R & K]: R[P] extends readonly (infer M)[] ? M : never }[keyof R & K]
  : never

/** A record of a kind with at least what an importer needs. `type` follows from the kind. */
export type RecordToExport<Name extends KindName> = {
  type?: ArchiveRecord<Name>['type']
} & { [Member in Mandatory<Name>]: ArchiveRecord<Name>[Member] } & {
  [Member in Columns<Name>]?: ArchiveRecord<Name>[Member]
} & JsonObject

/**
 * A file by its path in the archive, which a record names as tarball://root/path. Its content is at hand,
 * or on disk, or a stream of a size known beforehand.
 */
export type FileToExport = { path: string; modifiedAt?: Date } & (
  | { content: Uint8Array | string }
  | { size: number; content: Bytes }
  | { file: string }
)

/** The bare Git repository in a directory, or that of its wiki. */
export interface RepositoryToExport {
  /** owner/name */
  fullName: string
  directory: string
  wiki?: boolean
}
