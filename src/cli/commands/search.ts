import { resolve } from 'node:path'
import type { Database } from '../../database/open-database.ts'
import type { SearchFilter } from '../../search/filter-sources.ts'
import { SEARCH_KINDS, SEARCH_STATES } from '../../search/grammar/parse-filters.ts'
import { parseFilters, parseSearchWithFilter } from '../../search/parse-search.ts'
import { searchDatabase } from '../../search/search-database.ts'
import type { FoundText, Snippet } from '../../search/snippets.ts'
import { defineCommand } from '../command/command.ts'
import { safe } from '../command/safe-text.ts'
import { UsageError } from '../command/usage-error.ts'
import {
  FORMAT_OPTIONS,
  formatOf,
  isForPerson,
  retypeFormat,
  writeRows,
} from '../options/format-options.ts'
import { kindOption } from '../options/kind-option.ts'
import { parsePeriod } from '../options/parse-date.ts'
import { limitOf } from '../options/reading-options.ts'
import { PAGER_OPTION, QUIET_OPTION, SOURCE_OPTION } from '../options/shared-options.ts'
import { secondsOf, TIMEOUT_OPTION } from '../options/timeout-option.ts'
import { writeAll } from '../output/write-all.ts'
import { runInTime } from '../process/run-in-process.ts'
import { describeFound } from '../reports/describe-found.ts'
import { openSearchable } from '../sources/open-searchable.ts'

const DEFAULT_LIMIT = 20

export const search = defineCommand({
  usage: '<source> [words..]',
  options: {
    source: SOURCE_OPTION,
    pager: PAGER_OPTION,
    words: {
      type: 'string',
      array: true,
      describe:
        'Words, \'"a phrase"\', begin*, title:word, OR, NOT or -word, parentheses; filters such as author:login; with filters alone, the newest texts come first',
    },
    repo: { type: 'string', value: '<owner/name>', describe: 'Only in this repository' },
    author: { type: 'string', value: '<login>', describe: 'Only texts by this person' },
    label: {
      type: 'string',
      value: '<name>',
      describe: 'Only issues and pull requests with this label, and their comments',
    },
    kind: {
      ...kindOption(SEARCH_KINDS),
      choices: SEARCH_KINDS,
      describe: 'Only this kind, such as issue; repeatable',
    },
    state: {
      choices: SEARCH_STATES,
      value: '<state>',
      describe: 'Only issues, pull requests or releases in this state, and their comments',
    },
    since: { type: 'string', value: '<date>', describe: 'Created on or after this date' },
    until: { type: 'string', value: '<date>', describe: 'Created on or before this date' },
    limit: {
      type: 'string',
      alias: 'n',
      value: '<number>',
      describe: 'Maximum number of results, or off [20]',
    },
    timeout: TIMEOUT_OPTION,
    quiet: QUIET_OPTION,
    ...FORMAT_OPTIONS,
  },
  exits: [1],
  examples: [
    ['marc search samples/organization.tar.gz tide table', 'texts with both words'],
    [
      'marc search samples/organization.tar.gz "station OR clock*" --kind issue --state open --nl',
      'a word or a prefix, as NDJSON',
    ],
  ],
  async run({ source: named, words = [], repo, author, label, kind, state, ...more }, io) {
    const { since, until, limit: typed, timeout, quiet, ...format } = more
    const seconds = secondsOf(timeout)
    const forPerson = isForPerson(format, io)
    const limit = typed === undefined ? DEFAULT_LIMIT : limitOf('limit', typed)
    const { words: text, filter: inWords } = parseFilters(words.join(' '))
    const asked: SearchFilter = {
      ...once({ repository: repo, author, label, kinds: kind, state }, inWords),
      ...parsePeriod({ since, until }),
    }
    parseSearchWithFilter(text, asked) // refuses invalid searches before anything is read
    let filter = asked
    const check = async (database: Database) => {
      filter = await resolveFilter(asked, database)
    }
    const names = asked.repository ?? asked.author ?? asked.label
    const database = await openSearchable(named, io, {
      quiet,
      writes: seconds !== undefined,
      ...(names !== undefined && { check }),
    })
    try {
      if (seconds !== undefined) {
        const typedAgain = { repo, author, label, state, since, until, limit: typed }
        const options = [
          ...Object.entries(typedAgain).flatMap(([name, value]) =>
            value === undefined ? [] : [`--${name}=${value}`],
          ),
          ...(kind ?? []).map((each) => `--kind=${each}`),
          ...retypeFormat(format),
        ]
        const argv = ['search', '--no-pager', ...options, '--', resolve(database.name), ...words]
        return await runInTime(argv, { input: '', seconds }, io)
      }
      const most = Number.isFinite(limit) ? (limit as number) : undefined
      // One more shows whether there are more.
      const all = searchDatabase(database, text, {
        ...filter,
        limit: most === undefined ? undefined : most + 1,
      })
      const outcome = { shown: 0, isCut: false }
      const found = counted(all, most, outcome)
      if (forPerson) await writeAll(io.stdout, describeFound(found, io))
      else await writeRows(rowsOf(found, formatOf(format)), format, io)
      const isNothing = outcome.shown === 0 && !outcome.isCut
      if (isNothing) io.stderr.write(safe`nothing found\n`)
      if (outcome.isCut && forPerson) {
        const which = text.trim() === '' ? safe`newest` : safe`best`
        io.stderr.write(safe`\nThese are the ${which} ${outcome.shown}. Show more with: --limit\n`)
      }
      return isNothing ? 1 : 0
    } finally {
      database.close()
    }
  },
})

/** The filters of the options and those among the words. Throws `UsageError` if one is in both. */
function once(options: SearchFilter, inWords: SearchFilter): SearchFilter {
  const names = Object.keys(inWords) as (keyof SearchFilter)[]
  const twice = names.find((name) => options[name] !== undefined)
  if (twice === undefined) return { ...options, ...inWords }
  const name = { repository: 'repo', kinds: 'kind' }[twice as string] ?? twice
  throw new UsageError(`expected --${name} or ${name}: among the words, found both`)
}

/** The filter with names as the database has them. Throws `UsageError` for an unknown name. */
async function resolveFilter(filter: SearchFilter, database: Database): Promise<SearchFilter> {
  const { repository, author, label } = filter
  const { knownName } = await import('../sources/known-names.ts')
  const resolved = async (type: 'repository' | 'person' | 'label', text: string | undefined) =>
    text === undefined ? undefined : await knownName(database, type, text)
  return {
    ...filter,
    repository: await resolved('repository', repository),
    author: await resolved('person', author),
    label: await resolved('label', label),
  }
}

function* counted(
  found: Iterable<FoundText>,
  limit: number | undefined,
  outcome: { shown: number; isCut: boolean },
): Generator<FoundText> {
  for (const text of found) {
    outcome.isCut = outcome.shown === limit
    if (outcome.isCut) return
    outcome.shown++
    yield text
  }
}

// Columns that fit into a table.
const NARROW = ['place', 'kind', 'author', 'created_at', 'title', 'snippet'] as const
const ALL = [
  'place',
  'kind',
  'full_name',
  'number',
  'title',
  'state',
  'author',
  'created_at',
  'url',
  'snippet',
  'score',
] as readonly (keyof FoundText)[]

function rowsOf(found: Iterable<FoundText>, format: ReturnType<typeof formatOf>) {
  const columns = format === 'table' || format === 'markdown' ? NARROW : ALL
  const rows = function* () {
    for (const text of found) {
      const row = { ...text, title: plain(text.title), snippet: plain(text.snippet) }
      yield columns.map((column) => row[column])
    }
  }
  return { columns, rows: rows() }
}

const plain = (pieces: readonly Snippet[]): string => pieces.map(({ text }) => text).join('')
