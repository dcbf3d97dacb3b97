import { ArchiveError } from '../../../base/errors.ts'
import type { Database } from '../../../database/open-database.ts'
import { compilePatterns, type Matcher } from '../../../git/grep/compile-patterns.ts'
import { type GrepFile, grepTree, type Skipped } from '../../../git/grep/grep-tree.ts'
import { listRepositories } from '../../../git/list-repositories.ts'
import { openRepository } from '../../../git/open-repository.ts'
import { defineCommand } from '../../command/command.ts'
import type { Io } from '../../command/io.ts'
import { safe } from '../../command/safe-text.ts'
import { AdvisedError, UsageError } from '../../command/usage-error.ts'
import { FORMAT_OPTIONS, formatOf, writeRows } from '../../options/format-options.ts'
import { SOURCE_OPTION } from '../../options/shared-options.ts'
import { escapeControls } from '../../output/escape-controls.ts'
import { formatCount } from '../../output/quantities.ts'
import { writeAll } from '../../output/write-all.ts'
import { type ContextLines, describeFound, type FoundFile } from '../../reports/describe-grep.ts'
import { openReadable } from '../../sources/open-readable.ts'

export const grep = defineCommand({
  usage: '<source> [pattern] [repository]',
  options: {
    source: SOURCE_OPTION,
    pattern: {
      type: 'string',
      describe: 'A regular expression of JavaScript that a line contains',
    },
    repository: {
      type: 'string',
      describe: 'owner/name, or name alone; a wiki ends in .wiki [all]',
    },
    regexp: {
      type: 'string',
      alias: 'e',
      array: true,
      nargs: 1,
      value: '<pattern>',
      describe: 'A pattern, instead of the first one; repeatable: any of them matches',
    },
    'extended-regexp': { type: 'boolean', alias: 'E', describe: 'Refused, as is -G: see below' },
    'basic-regexp': { type: 'boolean', alias: 'G', describe: 'Refused, as is -E: see below' },
    'fixed-strings': { type: 'boolean', alias: 'F', describe: 'Patterns are plain text' },
    'ignore-case': { type: 'boolean', alias: 'i', describe: 'Ignore upper and lower case' },
    'word-regexp': { type: 'boolean', alias: 'w', describe: 'Match whole words only' },
    rev: {
      type: 'string',
      value: '<revision>',
      describe: 'Search the files of this branch, tag or commit [HEAD]',
    },
    path: {
      type: 'string',
      array: true,
      nargs: 1,
      value: '<path>',
      describe: 'Only these files and folders; * and ? are wildcards; repeatable [all]',
    },
    'files-with-matches': { type: 'boolean', alias: 'l', describe: 'Name the files only' },
    count: { type: 'boolean', alias: 'c', describe: 'Count the lines of each file only' },
    'line-number': {
      type: 'boolean',
      alias: 'n',
      describe: 'No effect, because line numbers are always shown',
    },
    context: { type: 'string', alias: 'C', value: '<n>', describe: 'Lines around a match [0]' },
    'after-context': { type: 'string', alias: 'A', value: '<n>', describe: 'Lines after it [0]' },
    'before-context': { type: 'string', alias: 'B', value: '<n>', describe: 'Lines before it [0]' },
    ...FORMAT_OPTIONS,
  },
  exits: [1],
  examples: [
    ['marc repo grep samples/organization.tar.gz import', 'in every repository and wiki'],
    [
      'marc repo grep samples/organization.tar.gz HEIGHT harbour-lights/tidewatch -i --csv',
      'in one of them, ignoring case, as CSV',
    ],
    [
      'marc repo grep samples/organization.tar.gz -e "def +draw" -e "^import" --path "*.py"',
      'lines of Python files that match one of two patterns',
    ],
  ],
  notes: `Exits with 1 if nothing is found. A line is printed as repository:path:number:
text. Binary files and files of more than 32 MiB are not searched; a note says
how many. A pattern that takes more than five seconds for one file is refused.
Patterns are those of JavaScript, not of POSIX: + ? | ( ) { } are special
without a backslash, and \\d is a digit.`,
  async run({ source, rev, path, count, ...given }, io) {
    const format = formatOf(given) // refuses two formats before anything is read
    const { patterns, repository } = patternsOf(given)
    const filesOnly = given['files-with-matches']
    if (count && filesOnly)
      throw new UsageError('expected --count or --files-with-matches, found both')
    const context = contextOf(given)
    if (format && context) throw new UsageError('lines of context cannot be combined with a format')
    const matcher = matcherOf(patterns, given)
    const kind = count ? 'count' : filesOnly ? 'files' : 'lines'
    const database = await openReadable(source, io, { contents: 'git' })
    const skipped: Skipped = { binary: 0, large: 0, broken: 0 }
    let files = 0
    const found = function* () {
      for (const file of search(database, matcher, { repository, rev, path, skipped }, io)) {
        files++
        yield file
      }
    }
    try {
      if (format)
        await writeRows({ columns: COLUMNS[kind], rows: rowsOf(found(), kind) }, given, io)
      else await writeAll(io.stdout, describeFound(found(), kind, context, io))
    } finally {
      database.close()
    }
    const note = describeSkipped(skipped)
    if (note !== '') io.stderr.write(safe`${escapeControls(note)}\n`)
    return files > 0 ? 0 : 1
  },
})

interface Typed {
  pattern?: string | undefined
  repository?: string | undefined
  regexp?: readonly string[] | undefined
  'extended-regexp'?: boolean | undefined
  'basic-regexp'?: boolean | undefined
}

/** The patterns and the repository: after -e, the first word is the repository. */
function patternsOf({ pattern, repository, regexp, ...kind }: Typed) {
  if (kind['extended-regexp'] || kind['basic-regexp']) {
    const option = kind['extended-regexp'] ? '-E' : '-G'
    throw new UsageError(
      `patterns are regular expressions of JavaScript, not those of ${option}`,
      `Omit ${option}: + ? | ( ) { } are special without a backslash. For plain text, use -F.`,
    )
  }
  if (regexp && repository !== undefined) {
    throw new UsageError(`${JSON.stringify(repository)} is one argument too many`)
  }
  if (regexp) return { patterns: regexp, repository: pattern }
  if (pattern === undefined) throw new UsageError('<pattern> is missing')
  return { patterns: [pattern], repository }
}

function matcherOf(patterns: readonly string[], options: Record<string, unknown>): Matcher {
  try {
    return compilePatterns(patterns, {
      fixed: options['fixed-strings'] === true,
      ignoreCase: options['ignore-case'] === true,
      words: options['word-regexp'] === true,
    })
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error
    throw new AdvisedError(error, 'Put a backslash before a special sign. For plain text, use -F.')
  }
}

const MOST_CONTEXT = 1_000_000

function contextOf(options: Record<string, unknown>): ContextLines | undefined {
  const numberOf = (name: string): number | undefined => {
    const value = options[name]
    if (value === undefined) return undefined
    if (/^\d{1,7}$/.test(String(value)) && Number(value) <= MOST_CONTEXT) return Number(value)
    throw new UsageError(`--${name} takes a number of lines, not ${JSON.stringify(value)}`)
  }
  const around = numberOf('context')
  const [before, after] = [numberOf('before-context'), numberOf('after-context')]
  if (around === undefined && before === undefined && after === undefined) return undefined
  return { before: before ?? around ?? 0, after: after ?? around ?? 0 }
}

interface Scope {
  repository: string | undefined
  rev: string | undefined
  path: readonly string[] | undefined
  skipped: Skipped
}

function* search(
  database: Database,
  matcher: Matcher,
  { repository: named, rev, path, skipped }: Scope,
  io: Io,
): Generator<FoundFile> {
  const present = listRepositories(database).filter(({ state }) => state === 'present')
  const names = named === undefined ? present.map(({ repository }) => repository) : [named]
  for (const name of names) {
    try {
      const { objects, resolve, name: repository } = openRepository(database, name)
      const tree = resolve(rev ?? 'HEAD', 'tree')
      for (const file of grepTree(objects, tree, matcher, { paths: path, skipped })) {
        yield { repository, ...file }
      }
    } catch (error) {
      if (named !== undefined || !(error instanceof ArchiveError)) throw error
      if (error.code === 'limit-time') throw error
      // The others can be searched. A revision need not be in all of them.
      if (rev !== undefined && error.code === 'git-revision-not-found') continue
      io.stderr.write(safe`${escapeControls(`${name} was not searched whole: ${error.message}`)}\n`)
    }
  }
}

const COLUMNS = {
  lines: ['repository', 'path', 'line', 'text'],
  count: ['repository', 'path', 'lines'],
  files: ['repository', 'path'],
} as const

function* rowsOf(files: Iterable<FoundFile>, kind: keyof typeof COLUMNS) {
  for (const { repository, path, lines, found } of files) {
    if (kind === 'files') yield [repository, path]
    else if (kind === 'count') yield [repository, path, found.length]
    else for (const i of found) yield [repository, path, i + 1, lineAt(lines, i)]
  }
}

const lineAt = (lines: GrepFile['lines'], i: number) => (lines[i] as string).replace(/\r$/, '')

/** Says how many files were not searched, such as `3 binary files were not searched.` */
function describeSkipped({ binary, large, broken }: Skipped): string {
  const files = (number: number, adjective: string, more = '') =>
    number === 0
      ? []
      : [`${formatCount(number)} ${adjective}${number === 1 ? 'file' : 'files'}${more}`]
  const parts = [
    ...files(binary, 'binary '),
    ...files(large, '', ' of more than 32 MiB'),
    ...files(broken, 'missing or damaged '),
  ]
  if (parts.length === 0) return ''
  return `Not searched: ${parts.join(', ')}.`
}
