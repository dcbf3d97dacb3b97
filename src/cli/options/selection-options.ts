import { type Selection, THREAD_STATES, type ThreadState } from '../../database/rows/selection.ts'
import { KINDS } from '../../records/kinds/kinds.ts'
import { UsageError } from '../command/usage-error.ts'
import { kindOption } from './kind-option.ts'
import { parsePeriod } from './parse-date.ts'
import { secondsOf } from './timeout-option.ts'

const group = 'Selection, with what the selected records refer to:'
const list = { type: 'string', array: true, nargs: 1, group } as const
const single = { type: 'string', group } as const

/** The options that select records, for every command that writes or compares them. */
export const SELECTION_OPTIONS = {
  repo: {
    ...list,
    value: '<owner/name>',
    describe: 'Only these repositories; * stands for any characters; repeatable [all]',
  },
  owner: {
    ...list,
    value: '<login>',
    describe: 'Only repositories and teams of this owner; repeatable [all]',
  },
  since: {
    ...single,
    value: '<date>',
    describe: 'Only records created on or after this date [all]',
  },
  until: {
    ...single,
    value: '<date>',
    describe: 'Only records created on or before this date [all]',
  },
  kind: {
    ...kindOption(Object.keys(KINDS)),
    group,
    describe: 'Only records of this kind, such as issue; repeatable [all]',
  },
  label: {
    ...list,
    value: '<name>',
    describe: 'Only issues, pull requests and discussions with this label; repeatable [all]',
  },
  author: {
    ...list,
    value: '<login>',
    describe: 'Only records by this user or actor; repeatable [all]',
  },
  state: {
    ...list,
    choices: THREAD_STATES,
    value: '<state>',
    describe: 'Only issues and pull requests in this state; repeatable [all]',
  },
  where: {
    ...list,
    value: '<kind=sql>',
    describe: 'Only records that meet an SQL condition: "issues=number > 100"; repeatable [all]',
  },
  'from-query': {
    ...single,
    value: '<sql>',
    describe: 'Only the records whose URLs this query returns [all]',
  },
  not: { type: 'boolean', group, describe: 'All records but the selected ones' },
  with: {
    ...single,
    choices: ['threads', 'none'],
    value: '<what>',
    describe:
      'Whether a selected issue or pull request brings its comments, events and reviews [threads]',
  },
  timeout: {
    ...single,
    value: '<seconds>',
    describe: 'Stop --where and --from-query after this many seconds, or off [60]',
  },
} as const

interface Typed {
  repo?: string[] | undefined
  owner?: string[] | undefined
  since?: string | undefined
  until?: string | undefined
  kind?: string[] | undefined
  label?: string[] | undefined
  author?: string[] | undefined
  state?: ThreadState[] | undefined
  where?: string[] | undefined
  'from-query'?: string | undefined
  not?: boolean | undefined
  with?: 'threads' | 'none' | undefined
  timeout?: string | undefined
}

/** The selection as typed. Throws `UsageError`. */
export function selectionOf(options: Typed): Selection {
  const { repo, owner, kind, label, author, state, where, not } = options
  secondsOf(options.timeout)
  const selection: Selection = {
    repositories: repo,
    owners: owner,
    ...parsePeriod(options),
    kinds: kind,
    labels: label,
    authors: author,
    states: state,
    where: where?.map(parseCondition),
    fromQuery: options['from-query'],
  }
  if (not && Object.values(selection).every((value) => value === undefined)) {
    throw new UsageError('--not needs a selection', 'Name what to leave out, such as: --label spam')
  }
  return { ...selection, not: not || undefined, with: options.with }
}

function parseCondition(text: string) {
  const [, kind, sql] = /^\s*(\w+)\s*=(.*)$/s.exec(text) ?? []
  if (kind !== undefined && sql?.trim()) return { kind, sql }
  throw new UsageError(
    `--where takes a kind and a condition, not ${JSON.stringify(text)}`,
    'Write it like --where "issues=number > 100"',
  )
}
