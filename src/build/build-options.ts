import { aLevel, someThreads } from '../archive/write-archive.ts'
import {
  aDate,
  aFlag,
  aFunction,
  aSignal,
  listOf,
  oneOf,
  type Shapes,
} from '../base/check-arguments.ts'
import type { Report } from '../base/errors.ts'
import { type ExportForm, FORMS } from '../compose/export-form.ts'
import { FILE_ROLES, type FileRole } from '../database/contents/list-files.ts'
import { hasSelection, SELECTION_SHAPES, type Selection } from '../database/rows/selection.ts'
import { SOURCE_OPTIONS, type SourceOptions } from '../sources/source-options.ts'

export const SPLITS = ['repo', 'owner', 'year'] as const
/** By what an archive is split: repository, owner, or the year in which a record was created. */
export type SplitBy = (typeof SPLITS)[number]

/** How to build an archive, and from which records. A selection writes only some records. */
export interface BuildOptions extends Selection {
  /** Write files: attachments, release assets, Git data. Default true. */
  files?: boolean | undefined
  /** Files with these roles are left out. */
  withoutRoles?: readonly FileRole[] | undefined
  /**
   * `documented` writes only the kinds of records and files that the documentation of migrations lists, in record files
   * with the names that it lists. Default `all`.
   */
  archiveKinds?: 'all' | 'documented' | undefined
  /** Only one of the two archives that importers expect: Git data, or everything else. */
  part?: 'git' | 'metadata' | undefined
  /**
   * With `not`: set optional references to records that are left out to null, take them out of lists, and leave out the
   * records that need them. Default: such a reference is refused as `reference-record`.
   */
  cutReferences?: boolean | undefined
  /** Which schema.json and urls.json to write. Default: as loaded. */
  form?: ExportForm | undefined
  /** Compression level, 1 to 9. Default 5. */
  level?: number | undefined
  /** How many threads compress. The bytes are the same. Default: as many as there are cores. */
  threads?: number | undefined
  /** Modification time of all entries. Default: as loaded, or for new files, the date of their newest record. */
  date?: Date | undefined
  /** Called after each entry. */
  progress?: ((done: BuildProgress) => void) | undefined
  /** Write records that break a documented rule too, and report them. */
  allowInvalid?: boolean | undefined
  /** What to take a folder of another program for. */
  source?: SourceOptions | undefined
  /** Receives these, breaches of rules that are only observed, and problems with the files of a folder. */
  report?: Report | undefined
  /** Stops before the next entry or chunk, with `interrupted`. */
  signal?: AbortSignal | undefined
}

export const BUILD_SHAPES: Shapes<BuildOptions> = {
  ...SELECTION_SHAPES,
  files: aFlag,
  withoutRoles: listOf(oneOf(...FILE_ROLES)),
  cutReferences: aFlag,
  archiveKinds: oneOf('all', 'documented'),
  part: oneOf('git', 'metadata'),
  form: oneOf(...FORMS),
  level: aLevel,
  threads: someThreads,
  date: aDate,
  progress: aFunction,
  allowInvalid: aFlag,
  source: SOURCE_OPTIONS,
  report: aFunction,
  signal: aSignal,
}

/** How far a build is. */
export interface BuildProgress {
  /** Entries except directories. */
  entries: number
  /** Records in these entries. */
  records: number
  /** Bytes before compression. */
  bytes: number
  /** Approximate number of bytes in all; undefined for a selection. */
  total?: number | undefined
}

/** Whether the options select only part of the records or files. */
export const isPartial = (options: BuildOptions): boolean =>
  options.archiveKinds === 'documented' ||
  options.withoutRoles !== undefined ||
  hasSelection(options)
