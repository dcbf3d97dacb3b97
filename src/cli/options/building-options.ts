import type { BuildOptions } from '../../build-archive/build-options.ts'
import { type ExportForm, FORMS } from '../../export-archive/export-form.ts'
import { KINDS } from '../../records/kinds/kinds.ts'
import { UsageError } from '../command/usage-error.ts'
import { kindOption } from './kind-option.ts'
import { parseDate } from './parse-date.ts'

/** The options of what to build, and how. */
export const BUILDING_OPTIONS = {
  repo: {
    type: 'string',
    array: true,
    nargs: 1,
    value: '<owner/name>',
    describe: 'Only this repository and what it refers to; repeatable [all]',
  },
  since: {
    type: 'string',
    value: '<date>',
    describe: 'Only records created on or after this date, and what they refer to [all]',
  },
  kind: {
    ...kindOption(Object.keys(KINDS)),
    describe: 'Only records of this kind, such as issue, and what they refer to; repeatable [all]',
  },
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

interface Typed {
  repo?: string[] | undefined
  since?: string | undefined
  kind?: string[] | undefined
  files: boolean
  form?: ExportForm | undefined
  level?: string | undefined
  date?: string | undefined
}

/** Converts the options of the command line to those of the library. Throws `UsageError`. */
export function buildOptionsOf({
  repo,
  since,
  kind,
  files,
  form,
  level,
  date,
}: Typed): BuildOptions {
  if (level !== undefined && !/^[1-9]$/.test(level)) {
    throw new UsageError(`--level takes a number from 1 to 9, not ${JSON.stringify(level)}`)
  }
  return {
    repositories: repo,
    since: since === undefined ? undefined : parseDate('since', since),
    kinds: kind,
    files,
    form,
    level: level === undefined ? undefined : Number(level),
    date: date === undefined ? undefined : parseDate('date', date),
  }
}
