import type { BuildOptions } from '../../build/build-options.ts'
import { type ExportForm, FORMS } from '../../compose/export-form.ts'
import { UsageError } from '../command/usage-error.ts'
import { parseDate } from './parse-date.ts'
import { SELECTION_OPTIONS, selectionOf } from './selection-options.ts'

/** The options of what to build, and how. */
export const BUILDING_OPTIONS = {
  ...SELECTION_OPTIONS,
  files: {
    type: 'boolean',
    default: true,
    describe: 'Leave out files: attachments, assets, Git data',
  },
  form: {
    choices: FORMS,
    value: '<form>',
    describe: 'Form of schema.json and urls.json [as loaded]',
  },
  level: { type: 'string', value: '<1-9>', describe: 'Compression level [5]' },
  date: {
    type: 'string',
    value: '<date>',
    describe: 'Modification time of all entries [their own]',
  },
} as const

type Typed = Parameters<typeof selectionOf>[0] & {
  files: boolean
  form?: ExportForm | undefined
  level?: string | undefined
  date?: string | undefined
}

/** Converts the options of the command line to those of the library. Throws `UsageError`. */
export function buildOptionsOf({ files, form, level, date, ...selection }: Typed): BuildOptions {
  if (level !== undefined && !/^[1-9]$/.test(level)) {
    throw new UsageError(`--level takes a number from 1 to 9, not ${JSON.stringify(level)}`)
  }
  return {
    ...selectionOf(selection),
    files,
    form,
    level: level === undefined ? undefined : Number(level),
    date: date === undefined ? undefined : parseDate('date', date),
  }
}
