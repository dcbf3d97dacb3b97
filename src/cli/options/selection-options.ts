import type { Database } from '../../database/open-database.ts'
import { type Selection, THREAD_STATES, type ThreadState } from '../../database/rows/selection.ts'
import { KINDS } from '../../records/kinds/kinds.ts'
import type { Io } from '../command/io.ts'
import { UsageError } from '../command/usage-error.ts'
import { secondsOf } from '../process/run-in-time.ts'
import { kindOption } from './kind-option.ts'
import { parseDate } from './parse-date.ts'

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
    describe: 'Only records created before this date, not on it [all]',
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
export function selectionOf(typed: Typed): Selection {
  const { repo, owner, since, until, kind, label, author, state, where, not } = typed
  secondsOf(typed.timeout)
  const selection: Selection = {
    repositories: repo,
    owners: owner,
    since: since === undefined ? undefined : parseDate('since', since),
    until: until === undefined ? undefined : parseDate('until', until),
    kinds: kind,
    labels: label,
    authors: author,
    states: state,
    where: where?.map(parseCondition),
    fromQuery: typed['from-query'],
  }
  if (not && Object.values(selection).every((value) => value === undefined)) {
    throw new UsageError('--not needs a selection', 'Name what to leave out, such as: --label spam')
  }
  return { ...selection, not: not || undefined, with: typed.with }
}

function parseCondition(typed: string) {
  const [, kind, sql] = /^\s*(\w+)\s*=(.*)$/s.exec(typed) ?? []
  if (kind !== undefined && sql?.trim()) return { kind, sql }
  throw new UsageError(
    `--where takes a kind and a condition, not ${JSON.stringify(typed)}`,
    'Write it like --where "issues=number > 100"',
  )
}

/**
 * The selection with the names that a database has, whatever their case. Throws `UsageError` for one that it does not have,
 * with the one that was probably meant, and `query-timeout` for a statement that takes more than `timeout` seconds.
 */
export async function resolveSelection<C extends Selection>(
  database: Database,
  selection: C,
  limits: { timeout: string | undefined; io: Io },
): Promise<C> {
  const { repositories, owners, labels, authors } = selection
  if (selection.where ?? selection.fromQuery) {
    const { tryConditions } = await import('../process/try-conditions.ts')
    await tryConditions(database, selection, limits)
  }
  if (!(repositories ?? owners ?? labels ?? authors)) return selection
  // Loaded on demand: the code that knows names takes time to load.
  const { resolveName } = await import('../sources/resolve-name.ts')
  const each = async (type: 'repository' | 'person' | 'label', names?: readonly string[]) => {
    if (names === undefined) return undefined
    const resolved: string[] = []
    for (const name of names) {
      const isPattern = type === 'repository' && /[*?]/.test(name)
      resolved.push(isPattern ? name : await resolveName(database, type, name))
    }
    return resolved
  }
  return {
    ...selection,
    repositories: await each('repository', repositories),
    owners: await each('person', owners),
    labels: await each('label', labels),
    authors: await each('person', authors),
  }
}
