import { UsageError } from '../command/usage-error.ts'

/** The options of every command that prints patches. */
export const PATCH_OPTIONS = {
  stat: { type: 'boolean', describe: 'List changed files and count changed lines instead' },
  binary: { type: 'boolean', describe: 'Include the contents of binary files' },
  unified: {
    type: 'string',
    alias: 'U',
    value: '<n>',
    describe: 'Lines of context around a change [3]',
  },
} as const

const MOST_CONTEXT = 1_000_000

/** The lines of context that `--unified` names. Throws `UsageError`. */
export function contextOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (/^\d{1,7}$/.test(text) && Number(text) <= MOST_CONTEXT) return Number(text)
  throw new UsageError(`--unified takes a number of lines, not ${JSON.stringify(text)}`)
}
