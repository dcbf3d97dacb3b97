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
} from '../check-arguments.ts'
import type { Report } from '../errors.ts'
import type { Bytes } from '../streams.ts'
import { LIMIT_SHAPES, type Limits } from './limits.ts'
import type { ReadProgress } from './read-until-damaged.ts'
import type { HeaderTemplate } from './tar/tar-header.ts'

/**
 * A member of an archive. `path` is relative, without `./`; a directory's ends with `/`.
 * `content` can be read once, before the next entry is asked for; what is left unread is skipped.
 */
export interface ArchiveEntry {
  path: string
  /** Bytes of the content. */
  size: number
  modifiedAt: Date
  mode: number
  /** What a tar has before the content; only where it is asked for, or to be written as it was. */
  header?: EntryHeader | undefined
  content: Bytes
}

/** How a tar describes an entry. */
export interface EntryHeader {
  /** Default: that of the host's headers. */
  template?: HeaderTemplate | undefined
  /** All bytes of the headers, where name, size, mode and time put into the template do not make them. */
  whole?: Uint8Array | undefined
}

/** What the outside of an archive looks like; filled in while its entries are read. */
export interface ArchiveForm {
  container?: 'gzip' | 'tar' | 'folder'
  /** Members of the gzip data; an archive of the host has one. */
  members?: number
  dialect?: 'gnu' | 'ustar' | 'pax' | 'v7'
  /** What stands before every path, `./` or nothing. */
  prefix?: string
  /** One folder around everything, or nothing. */
  topFolder?: string
  directories?: boolean
  /** Bytes of the tar, and how many of them are the zeros at its end; known where headers were asked for. */
  length?: number
  end?: number
}

/** Where an archive comes from: the path of a file or folder, or its bytes with a name for messages. */
export type ArchiveSource = string | { name: string; bytes: Bytes }

export interface ReadOptions {
  limits?: Partial<Limits> | undefined
  report?: Report | undefined
  signal?: AbortSignal | undefined
  /** Ends at a damage, once there was an entry, and reports it (`rest-lost`) instead of throwing. Default false. */
  salvage?: boolean | undefined
  /** Is filled in with how far reading has come. */
  position?: ReadProgress
  /** Is filled in with what the archive looks like. */
  form?: ArchiveForm
  /** Gives entries the headers that a tar has of them, and one for its root, `./`. Default false. */
  headers?: boolean | undefined
}

export const READ_SHAPES: Shapes<ReadOptions> = {
  ...{ limits: objectOf(LIMIT_SHAPES), report: aFunction, signal: aSignal, salvage: aFlag },
  ...{ position: anObject, form: anObject, headers: aFlag },
}

export const anArchiveSource: Shape = anyOf(
  'the path of an archive, or its bytes with a name',
  aPath,
  objectOf({ name: aText, bytes: someBytes }, ['name', 'bytes']),
)

/** The path of the entry that a tar has for its root. */
export const ROOT = './'

/** An entry's name where every name begins with this prefix. */
export const nameInTar = (path: string, prefix: string): string =>
  path === ROOT ? ROOT : prefix + path

export const isDirectory = (entry: ArchiveEntry): boolean => entry.path.endsWith('/')
