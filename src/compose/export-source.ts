import type { FsClient } from 'isomorphic-git'
import type { Bytes } from '../base/streams.ts'
import type { JsonObject } from '../records/json/json.ts'
import type { ArchiveRecord, KINDS, KindName } from '../records/kinds/kinds.ts'
import type { REQUIREMENTS } from '../rules/requirements.ts'

/** A sequence, in memory or as a stream. */
export type Source<T> = Iterable<T> | AsyncIterable<T>

/** The content of the archive. */
export interface ExportSource {
  /** Records by kind. */
  records?: RecordSources | undefined
  /** Records of kinds that this package does not know, by the name of the kind: any objects. */
  otherRecords?: KindSources | undefined
  /** The attachments, repository files and release assets that records name. */
  files?: Source<FileToExport> | undefined
  /** Git data. Omit it for a metadata archive. */
  repositories?: Source<RepositoryToExport> | undefined
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

/** A record of a kind with at least the members that importers need. `type` follows from the kind. */
export type RecordToExport<Name extends KindName> = {
  /** The type of the record. It follows from the kind. */
  type?: ArchiveRecord<Name>['type']
} & { [Member in Mandatory<Name>]: ArchiveRecord<Name>[Member] } & {
  [Member in Columns<Name>]?: ArchiveRecord<Name>[Member]
} & JsonObject

/**
 * A file by its path in the archive, which a record names as tarball://root/path. Its content is in memory, on disk, or a
 * stream of known size.
 */
export type FileToExport = {
  /** Path in the archive, such as `attachments/5f1c7a52/picture.png`. */
  path: string
  /** Time of the last change. Default: that of the record that names the file. */
  modifiedAt?: Date | undefined
} & ({ content: Uint8Array | string } | { size: number; content: Bytes } | { file: string })

/**
 * A bare Git repository, or that of its wiki: in a directory, or in a file system that isomorphic-git reads, such as one in
 * memory. Of the latter, only what refs lead to is copied, up to 256 MiB of objects.
 */
export type RepositoryToExport = {
  /** owner/name */
  fullName: string
  /** Whether it is the wiki of the repository. Default false. */
  wiki?: boolean | undefined
} & (
  | {
      /** The path of the bare repository. */
      directory: string
    }
  | {
      /** The file system, as isomorphic-git takes it. */
      fs: FsClient
      /** The path of the bare repository in it. */
      gitdir: string
    }
)
