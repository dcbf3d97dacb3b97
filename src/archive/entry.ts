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
import type { ReadProgress } from './until-damage.ts'

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
  content: Bytes
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
}

export const READ_SHAPES: Shapes<ReadOptions> = {
  ...{ limits: objectOf(LIMIT_SHAPES), report: aFunction, signal: aSignal, salvage: aFlag },
  ...{ position: anObject, form: anObject },
}

export const anArchiveSource: Shape = anyOf(
  'the path of an archive, or its bytes with a name',
  aPath,
  objectOf({ name: aText, bytes: someBytes }, ['name', 'bytes']),
)

export const isDirectory = (entry: ArchiveEntry): boolean => entry.path.endsWith('/')
