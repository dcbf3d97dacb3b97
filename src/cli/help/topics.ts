import type { Limits } from '../../base/limits.ts'
import type { Endpoint, Who } from '../../interface/endpoint.ts'
import { didYouMean } from '../command/did-you-mean.ts'
import { BARE_OPTION, FOREIGN_OPTIONS } from '../command/foreign-options.ts'
import { UsageError } from '../command/usage-error.ts'
import { COMMAND_NAMES, FIRST_WORDS } from '../commands.ts'
import { LIMIT_SUMMARIES, standardLimit } from '../options/reading-options.ts'
import { formatColumns } from '../output/format-columns.ts'
import { FORMATS } from '../output/formats.ts'
import { describeCommands, describeExitCodes } from './describe-commands.ts'

interface Topic {
  summary: string
  /** Its text for a terminal of so many columns. */
  text(width: number): Promise<string>
}

/** The topics of `marc help`. */
export const TOPICS: Readonly<Record<string, Topic>> = {
  commands: {
    summary: 'every command',
    text: async (width) => describeCommands(COMMAND_NAMES, width, summaries()),
  },
  'exit-codes': {
    summary: 'meaning of exit codes',
    text: async (width) => describeExitCodes(width),
  },
  formats: {
    summary: 'values of --format',
    text: async (width) =>
      `${formatColumns(
        Object.entries(FORMATS).map(([name, { summary }]) => [name, summary]),
        width,
      )}

The default is table on a terminal and json in a pipe. --json is the short form
in every command that prints rows or facts, with its errors as JSON.

marc query --chart draws bars instead, or lines if the first column is a time.`,
  },
  limits: { summary: 'limits on archives', text: async (width) => describeLimits(width) },
  sql: { summary: 'tables, views and SQL', text: async (width) => describeSql(width) },
  sources: { summary: 'backups and exports of other programs', text: describeSources },
  endpoints: {
    summary: 'what marc serve answers',
    text: describeEndpoints,
  },
  environment: {
    summary: 'environment variables',
    text: async (width) => formatColumns(ENVIRONMENT, width),
  },
}

/** Every environment variable that has an effect. */
export const ENVIRONMENT: readonly (readonly [name: string, description: string])[] = [
  ['NO_COLOR', 'if set, no colours'],
  ['CLICOLOR=0', 'no colours'],
  ['CLICOLOR_FORCE=1', 'colours even in a pipe'],
  ['LC_ALL, LC_CTYPE, LANG', 'if UTF-8, charts are drawn with block characters'],
  ['MARC_SERVER', 'server of marc migration: github, or a base address'],
  ['MARC_TOKEN', 'token for that server'],
  ['CLICKHOUSE_USER, CLICKHOUSE_PASSWORD', 'who asks the server of marc export --clickhouse'],
  ['PGPASSWORD, PGHOST, …', 'those of the driver, for marc export --postgres'],
  ['AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY', 'keys for marc export to s3://'],
  ['AWS_SESSION_TOKEN', 'token of temporary keys'],
  ['AWS_REGION, AWS_ENDPOINT_URL_S3', 'where the object store is; default us-east-1 at Amazon'],
  ['XDG_CACHE_HOME', 'folder for cached databases and compiled code; default ~/.cache'],
  ['MARC_CACHE_SIZE', 'maximum size of the cached databases, or off; default 2GiB'],
  ['MARC_PAGER, PAGER', 'pager for long output; default less; empty or cat for none'],
  ['XDG_STATE_HOME', 'folder for the history of marc shell; default ~/.local/state'],
  [
    'MARC_QUERIES',
    'folder of your saved queries; default migration-archive/queries in XDG_CONFIG_HOME',
  ],
  ['XDG_CONFIG_HOME', 'folder for configuration; default ~/.config'],
]

/** The text of `marc help sql`. */
const describeSql = (
  width: number,
): string => `Each kind of record is a table (issues, pull_requests, issue_events, users, …).
Its columns are the members of the records, under the same names, and derived
columns such as number, state, full_name (owner/name) and user_login. Records
refer to each other by URL:

  SELECT i.number, m.title
  FROM issues AS i JOIN milestones AS m ON m.url = i.milestone

${formatColumns(
  [
    ['threads', 'issues and pull requests'],
    ['timeline', 'everything that happened in threads, one event per row'],
    ['answers', 'comments and reviews by people other than the author'],
    ['people', 'users, bots and organizations'],
    ['issues_labels, …', 'one row per element of a list'],
    ['reactions', 'all reactions'],
    ['files, refs, commits', 'files and Git data; marc repo index fills commits'],
    ['problems, archives', 'problems found by marc load; the loaded archives'],
  ],
  width,
)}

Times are text. Views have them in UTC, such as 2024-01-31T23:59:59Z, so that
they compare as text, and substr(t, 1, 7) is the month. Tables have them as in
the archive: usually in the same form, but some lists, and archives from other
tools, have offsets; compare those with unixepoch(t). julianday(t) counts days.

Booleans are 0 and 1. Lists are JSON: json_each(labels). A statement must read
and return rows. Parameters are :name; set them with -p name value.

marc tables <database>          tables that have rows
marc schema <database> [table]  columns of tables
marc query --saved              saved queries
https://sqlite.org/lang.html    the SQL of SQLite`

const summaries = () =>
  Object.entries(TOPICS).map(([name, { summary }]) => [name, summary] as const)

/** The text of `marc --help`. */
export const overview = (width: number): string => describeCommands(FIRST_WORDS, width, summaries())

/** The text of a topic. Throws `UsageError` for one that does not exist. */
export async function topic(name: string, width: number): Promise<string> {
  const found = Object.hasOwn(TOPICS, name) ? TOPICS[name] : undefined
  if (found) return found.text(width)
  const words = [...Object.keys(TOPICS), ...FIRST_WORDS]
  throw new UsageError(
    `there is no topic ${JSON.stringify(name)}`,
    didYouMean(name, words, 'marc help '),
  )
}

/** The text of `marc help limits`. */
function describeLimits(width: number): string {
  const rows = Object.entries(LIMIT_SUMMARIES).map(([name, summary]) => [
    `--max-${name}`,
    `${summary} [${standardLimit(name as keyof Limits)}]`,
  ])
  return `An archive that exceeds a limit is refused with exit code 3. The error is named
after the limit: limit-path for --max-path. Each limit is a number, or off; header,
extracted and record also take a size such as 64MiB.

${formatColumns(rows as [string, string][], width)}

load, export, inspect, ls and cat have these options. Others load an archive
into the cache with the default limits, in brackets above. If an archive exceeds
them, load it with marc load and name the database instead.

${formatColumns(
  [
    ['members', 'GitHub writes one. Many empty ones take long to read.'],
    ['expansion', 'Applies after the first 64 MiB, because small archives may exceed it.'],
    ['extracted', 'attachments extract and repo clone have a default of 50 GiB.'],
    ['header', 'Never more than 4 MiB.'],
    ['depth', 'Never more than 1000, the limit of SQLite.'],
    [
      'record',
      'If a record has more than 10,000 names and values, each counts at least 8 bytes, because it takes memory however short it is.',
    ],
  ],
  width,
)}

query has limits of its own, such as --timeout: see marc query --help.`
}

/** The forms of other programs that are read as archives. */
async function describeSources(width: number): Promise<string> {
  const { SOURCES } = await import('../../sources/sources.ts')
  const forms = SOURCES.map(({ is, holds }) => `${is}\n    ${holds}`)
  const all = { ...FOREIGN_OPTIONS, bare: { describe: `${BARE_OPTION.describe} (build)` } }
  const options = Object.entries(all).map(([name, option]) => [`--${name}`, option.describe])
  return `A command that takes an archive also takes these, as a folder, tar or zip:

${forms.join('\n')}

For example, this makes an archive that an importer takes:

  marc inspect backup/                     what it is, and what is in it
  marc build backup/ -o archive.tar.gz     a migration archive of it
  marc check archive.tar.gz                whether an importer would take that

All of these commands take options for what a source does not say:

${formatColumns(options as [string, string][], width)}

What was made, left out or written in another way is a problem with a count:
source-made, source-left-out, source-renumbered, text-rewritten, date-estimated.
A member that archives do not have is kept in its record, a file under its path.`
}

const NEEDS: Readonly<Record<Who, string>> = {
  all: '',
  user: ' (token)',
  password: ' (password)',
  scope: ' (token of the directory)',
  signature: ' (signed address)',
}

/** Every endpoint with what it answers and who may call it. */
async function describeEndpoints(): Promise<string> {
  const { ENDPOINTS } = await import('../../interface/endpoints.ts')
  return (ENDPOINTS as readonly Endpoint[])
    .map(({ method, path, summary, who }) => `${method} ${path}\n    ${summary}${NEEDS[who]}`)
    .join('\n')
}
