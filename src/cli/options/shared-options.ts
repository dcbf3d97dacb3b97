/** The source of nearly every command. */
export const SOURCE_OPTION = {
  type: 'string',
  demandOption: true,
  foreign: true,
  describe: 'An archive, a folder, a database, or - for standard input',
} as const

/** The source of a command that shows its files as they are. */
export const CONTAINER_OPTION = { ...SOURCE_OPTION, foreign: false } as const

/** The sources of a command that asks several as one. */
export const SOURCES_OPTION = {
  type: 'string',
  array: true,
  demandOption: true,
  foreign: true,
  describe:
    'Databases, archives, folders of them, or datasets of marc export, asked as one; or - for standard input',
} as const

export const REPOSITORY_OPTION = {
  type: 'string',
  describe: 'owner/name, or name alone; a wiki ends in .wiki [the only one]',
} as const

export const QUIET_OPTION = { type: 'boolean', alias: 'q', describe: 'Show no progress' } as const

export const PROGRESS_OPTIONS = {
  quiet: QUIET_OPTION,
  verbose: { type: 'boolean', describe: 'Show progress as plain lines' },
} as const

/** How to show progress; undefined if that depends on whether there is a terminal. */
export const progressMode = ({
  quiet,
  verbose,
}: {
  quiet?: boolean | undefined
  verbose?: boolean | undefined
}): 'none' | 'lines' | undefined => (quiet ? 'none' : verbose ? 'lines' : undefined)

/** Places that a report lists of each finding. */
export const PLACES_OPTION = {
  type: 'string',
  value: '<n>',
  describe: 'Maximum places listed per finding [all; 3 as text]',
} as const

/** The option of commands that use a pager on a terminal. */
export const PAGER_OPTION = {
  type: 'boolean',
  default: true,
  describe: 'Do not use a pager on a terminal',
} as const

/** Maximum bytes that a command writes to disk. */
export const MAX_EXTRACTED_OPTION = {
  type: 'string',
  value: '<size>',
  describe: 'Maximum bytes to write, or off [50GiB]',
} as const

/** The output of commands that write to a folder, which may be a positional argument as well. */
export const folderOption = (place: string) =>
  ({
    type: 'string',
    alias: 'o',
    value: `<${place}>`,
    place,
    describe: `The same as <${place}>`,
  }) as const

/** The output of commands that write a changed copy. */
export const COPY_OPTION = {
  type: 'string',
  alias: 'o',
  value: '<file>',
  describe: 'Archive (.tar.gz) or database to write',
} as const
