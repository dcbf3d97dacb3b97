import { aLevel } from '../archive/write-archive.ts'
import {
  aDate,
  aFlag,
  aFunction,
  aSignal,
  aText,
  listOf,
  oneOf,
  type Shapes,
} from '../check-arguments.ts'
import type { Choice } from '../database/rows/choose-records.ts'
import type { Report } from '../errors.ts'
import { type ExportForm, FORMS } from '../export-archive/export-form.ts'

export interface BuildOptions extends Choice {
  /** Write files: attachments, assets, Git data. Default true. */
  files?: boolean
  /** Only one of the pair of archives that importers take apart: Git data, or all else. */
  part?: 'git' | 'metadata' | undefined
  /** Whose schema.json and urls.json to write. Default: as they were loaded. */
  form?: ExportForm | undefined
  /** How hard to compress, 1 to 9. Default 5. */
  level?: number | undefined
  /** The time of every entry. Default: the times they had, or of new files those of their records. */
  date?: Date | undefined
  /** Is told after each entry what has been written so far. */
  progress?: ((done: BuildProgress) => void) | undefined
  /** Write records that break a documented rule too, and report them. */
  allowInvalid?: boolean | undefined
  /** Receives these, breaches of rules that were only seen to be kept, and of what was odd about the files of a folder. */
  report?: Report | undefined
  signal?: AbortSignal | undefined
}

export const BUILD_SHAPES: Shapes<BuildOptions> = {
  ...{ repositories: listOf(aText), since: aDate, kinds: listOf(aText), files: aFlag },
  ...{ part: oneOf('git', 'metadata'), form: oneOf(...FORMS), level: aLevel, date: aDate },
  ...{ progress: aFunction, allowInvalid: aFlag, report: aFunction, signal: aSignal },
}

export interface BuildProgress {
  /** Entries that are no directories. */
  entries: number
  records: number
  /** Bytes before compression. */
  bytes: number
  /** How many there will be, about; unknown for a selection. */
  total?: number | undefined
}

/** Whether not everything is asked for. */
export const isSelection = ({ repositories, since, kinds }: Choice): boolean =>
  repositories !== undefined || since !== undefined || kinds !== undefined
