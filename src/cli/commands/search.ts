import { resolve } from 'node:path'
import type { Database } from '../../database/open-database.ts'
import { SEARCH_KINDS } from '../../search/filter-sources.ts'
import type { FoundText, Piece } from '../../search/found-text.ts'
import { parseSearch } from '../../search/parse-search.ts'
import { searchDatabase } from '../../search/search-database.ts'
import { defineCommand } from '../command.ts'
import { describeFound } from '../describe-found.ts'
import {
  FORMAT_OPTIONS,
  formatOf,
  isForPerson,
  retypeFormat,
  writeRows,
} from '../format-options.ts'
import { openSearchable } from '../open-searchable.ts'
import { escapeControls } from '../output/escape-controls.ts'
import { writeAll } from '../output/write-all.ts'
import { parseDate } from '../parse-date.ts'
import { limitOf } from '../reading-options.ts'
import { runInTime, secondsOf, TIMEOUT_OPTION } from '../run-in-time.ts'
import { QUIET_OPTION, SOURCE_OPTION } from '../shared-options.ts'

const DEFAULT_LIMIT = 20

export const search = defineCommand({
  usage: '<source> <words..>',
  summary: 'Search titles, texts, comments, reviews and commit messages',
  options: {
    source: SOURCE_OPTION,
    words: {
      type: 'string',
      array: true,
      demandOption: true,
      describe: 'Words, \'"a phrase"\', begin*, title:word, OR, NOT, parentheses',
    },
    repo: { type: 'string', value: '<owner/name>', describe: 'Only in this repository' },
    author: { type: 'string', value: '<login>', describe: 'Only what this person wrote' },
    kind: {
      choices: SEARCH_KINDS,
      array: true,
      nargs: 1,
      value: '<kind>',
      describe: 'Only these, such as issue; may be given again',
    },
    state: {
      choices: ['open', 'closed', 'merged', 'published', 'draft'],
      value: '<state>',
      describe: 'Only issues, pull requests or releases in this state, with comments',
    },
    since: {
      type: 'string',
      value: '<date>',
      describe: 'Only what is from this year, month, day or time on',
    },
    until: {
      type: 'string',
      value: '<date>',
      describe: 'Only what is up to the end of this year, month or day',
    },
    limit: {
      type: 'string',
      alias: 'n',
      value: '<number>',
      describe: 'So many at most, or off [20]',
    },
    timeout: TIMEOUT_OPTION,
    quiet: QUIET_OPTION,
    ...FORMAT_OPTIONS,
  },
  exits: [1],
  examples: [
    ['marc search samples/organization.tar.gz tide table', 'what has both words'],
    [
      'marc search samples/organization.tar.gz "station OR clock*" --kind issue --state open --nl',
      'a word or the beginning of one, for a program',
    ],
  ],
  async run({ source: named, words, repo, author, kind, state, since, until, ...more }, io) {
    const { limit: typed, timeout, quiet, ...format } = more
    const seconds = secondsOf(timeout)
    const forPerson = isForPerson(format, io)
    const limit = typed === undefined ? DEFAULT_LIMIT : limitOf('limit', typed)
    const text = words.join(' ')
    parseSearch(text) // refuses what cannot be searched before anything is read
    const filter = {
      ...{ repository: repo, author, kinds: kind, state },
      since: since === undefined ? undefined : parseDate('since', since),
      until: until === undefined ? undefined : parseDate('until', until, { end: true }),
    }
    const database = await openSearchable(named, io, { quiet, writes: seconds !== undefined })
    try {
      if (seconds !== undefined) {
        const typedAgain = { repo, author, state, since, until, limit: typed }
        const options = [
          ...Object.entries(typedAgain).flatMap(([name, value]) =>
            value === undefined ? [] : [`--${name}=${value}`],
          ),
          ...(kind ?? []).map((each) => `--kind=${each}`),
          ...retypeFormat(format),
        ]
        const argv = ['search', ...options, '--', resolve(database.name), ...words]
        return await runInTime(argv, { input: '', seconds }, io)
      }
      const most = Number.isFinite(limit) ? (limit as number) : undefined
      // One more tells whether there are more.
      const all = searchDatabase(database, text, { ...filter, limit: most && most + 1 })
      const outcome = { shown: 0, isCut: false }
      const found = counted(all, most, outcome)
      if (forPerson) await writeAll(io.stdout, describeFound(found, io))
      else await writeRows(rowsOf(found, formatOf(format)), format, io)
      if (outcome.shown === 0) {
        io.stderr.write('nothing was found\n')
        const meant = await meantBy({ repo, author }, database)
        if (meant !== undefined) io.stderr.write(`Did you mean ${escapeControls(meant)}?\n`)
      }
      if (outcome.isCut && forPerson) {
        io.stderr.write(`\nThese are the best ${outcome.shown}; there are more: --limit\n`)
      }
      return outcome.shown === 0 ? 1 : 0
    } finally {
      database.close()
    }
  },
})

/** The filter that was probably meant by one for what is not there. */
async function meantBy(
  { repo, author }: { repo: string | undefined; author: string | undefined },
  database: Database,
): Promise<string | undefined> {
  const { nearestPerson, nearestRepository } = await import('../resolve-name.ts')
  const repository = repo && nearestRepository(database, repo)
  const person = author && nearestPerson(database, author)
  const meant = [repository && `--repo ${repository}`, person && `--author ${person}`]
  return meant.filter(Boolean).join(' ') || undefined
}

function* counted(
  found: Iterable<FoundText>,
  most: number | undefined,
  outcome: { shown: number; isCut: boolean },
): Generator<FoundText> {
  for (const text of found) {
    outcome.isCut = outcome.shown === most
    if (outcome.isCut) return
    outcome.shown++
    yield text
  }
}

// A table has room for what tells them apart.
const NARROW = ['place', 'kind', 'author', 'created_at', 'title', 'snippet'] as const
const ALL = [
  ...['place', 'kind', 'full_name', 'number', 'title', 'state', 'author', 'created_at', 'url'],
  ...['snippet', 'score'],
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

const plain = (pieces: readonly Piece[]): string => pieces.map(({ text }) => text).join('')
