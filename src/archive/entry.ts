import {
  aFlag,
  aFunction,
  anObject,
  anyOf,
  aPath,
  aSignal,
  aText,
  objectOf,
  type Shape,
  type Shapes,
  someBytes,
} from '../base/check-arguments.ts'
import type { Report } from '../base/errors.ts'
import { LIMIT_SHAPES, type Limits } from '../base/limits.ts'
import type { Bytes } from '../base/streams.ts'
import type { ReadProgress } from './tar/read-progress.ts'
import type { HeaderTemplate } from './tar/tar-header.ts'

/**
 * A member of an archive. `path` is relative, without `./`; that of a directory ends with `/`. `content` can be read once,
 * before the next entry is requested; unread content is skipped.
 */
export interface ArchiveEntry {
  /** Path in the archive: relative, without `./`; that of a directory ends with `/`. */
  path: string
  /** Bytes of the content. */
  size: number
  /** Time of the last change. A tar keeps whole seconds. */
  modifiedAt: Date
  /** Permissions, such as 0o644. */
  mode: number
  /** The tar headers, if requested by `headers` or to be written as loaded. */
  header?: EntryHeader | undefined
  /** The content. Read it once, before the next entry is requested; what is left unread is skipped. */
  content: Bytes
}

/** How a tar describes an entry. */
export interface EntryHeader {
  /** Default: that of GitHub's headers. */
  template?: HeaderTemplate | undefined
  /** All bytes of the headers, if the template with name, size, mode and time does not reproduce them. */
  whole?: Uint8Array | undefined
}

/** The containers of an unpacked archive: it has no tar, whose headers could tell of the archive. */
export const UNPACKED_CONTAINERS: readonly string[] = ['folder', 'zip']

/** The form of an archive, filled in while its entries are read. */
export interface ArchiveForm {
  /** The container of the entries. */
  container?: 'gzip' | 'tar' | 'folder' | 'zip'
  /** The name of the form, if a backup or export of another program was read as an archive. */
  source?: string
  /** Members of the gzip data; archives of GitHub have one. */
  members?: number
  /** The format of the tar headers. */
  dialect?: 'gnu' | 'ustar' | 'pax' | 'v7'
  /** The prefix of every path, `./` or nothing. */
  prefix?: string
  /** The single folder around everything, or nothing. */
  topFolder?: string
  /** The first record file of a second export, in another folder than the first: its records are none of this archive. */
  second?: string
  /** Whether directories have entries. */
  directories?: boolean
  /** Bytes of the tar, and of the zeros at its end, if headers were requested. */
  length?: number
  /** Bytes from the last entry to the end of the tar. */
  end?: number
}

/** An archive: the path of a file or folder, or its bytes with a name for messages. */
export type ArchiveSource = string | { name: string; bytes: Bytes }

/** How to read an archive. */
export interface ReadOptions {
  /** Limits that differ from `DEFAULT_LIMITS`. */
  limits?: Partial<Limits> | undefined
  /** Receives each problem. */
  report?: Report | undefined
  /** Stops the reading, which then throws `interrupted`. */
  signal?: AbortSignal | undefined
  /** Stop at a damage after the first entry, and report it (`rest-lost`) instead of throwing. Default false. */
  salvage?: boolean | undefined
  /** Updated with how far the archive was read. */
  position?: ReadProgress | undefined
  /** Filled in with the form of the archive. */
  form?: ArchiveForm | undefined
  /** Add tar headers to entries, and an entry for the root, `./`. Default false. */
  headers?: boolean | undefined
}

export const READ_SHAPES: Shapes<ReadOptions> = {
  limits: objectOf(LIMIT_SHAPES),
  report: aFunction,
  signal: aSignal,
  salvage: aFlag,
  position: anObject,
  form: anObject,
  headers: aFlag,
}

export const anArchiveSource: Shape = anyOf(
  'the path of an archive, or its bytes with a name',
  aPath,
  objectOf({ name: aText, bytes: someBytes }, ['name', 'bytes']),
)

/** The path of the entry for the root of a tar. */
export const ROOT = './'

/** The name of an entry in a tar whose names begin with this prefix. */
export const nameInTar = (path: string, prefix: string): string =>
  path === ROOT ? ROOT : prefix + path

export const isDirectory = (entry: ArchiveEntry): boolean => entry.path.endsWith('/')
