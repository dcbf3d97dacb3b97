import { REPOSITORY_OPTION, SOURCE_OPTION } from './shared-options.ts'

/** The options of every command that reads the objects of a repository. */
export const REPOSITORY_OPTIONS = {
  source: SOURCE_OPTION,
  repository: REPOSITORY_OPTION,
  'max-object': {
    type: 'string',
    value: '<size>',
    describe: 'Largest object to read, or off [512MiB]',
  },
} as const
