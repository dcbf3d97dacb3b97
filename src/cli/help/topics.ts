import type { Limits } from '../../archive/limits.ts'
import { closestMatch } from '../../closest-match.ts'
import { UsageError } from '../command/usage-error.ts'
import { FIRST_WORDS } from '../commands.ts'
import { LIMIT_SUMMARIES, standardLimit } from '../options/reading-options.ts'
import { formatColumns } from '../output/format-columns.ts'
import { FORMATS } from '../output/formats.ts'
import { safe } from '../output/safe-text.ts'
import { describeCommands, describeExitCodes } from './describe-command.ts'

interface Topic {
  summary: string
  text(): Promise<string>
}

/** What `marc help <topic>` can tell beside the commands. */
export const TOPICS: Readonly<Record<string, Topic>> = {
  commands: {
    summary: 'every command',
    text: () => {
      const topics = Object.entries(TOPICS)
      return describeCommands(topics.map(([name, { summary }]) => [name, summary]))
    },
  },
  'exit-codes': {
    summary: 'meaning of exit codes',
    text: async () => describeExitCodes(),
  },
  formats: {
    summary: 'values of --format',
    text: async () =>
      `${formatColumns(Object.entries(FORMATS).map(([name, { summary }]) => [name, summary]))}

On a terminal the default is table, in a pipe json. marc query --chart draws a
picture instead: bars, or lines where the first column is a time.`,
  },
  limits: {
    summary: 'limits on archives',
    text: async () => describeLimits(),
  },
  sql: {
    summary: 'tables, views and SQL',
    text: async () => SQL,
  },
  environment: {
    summary: 'environment variables',
    text: async () => formatColumns(ENVIRONMENT),
  },
}

/** Every variable that is looked at. */
export const ENVIRONMENT: readonly (readonly [name: string, what: string])[] = [
  ['NO_COLOR', 'no colours when set'],
  ['CLICOLOR=0', 'no colours'],
  ['CLICOLOR_FORCE=1', 'colours even in a pipe'],
  ['LC_ALL, LC_CTYPE, LANG', 'pictures are drawn with blocks where these say UTF-8'],
  [
    'XDG_CACHE_HOME',
    'folder of the cache: databases made of archives, and compiled code; default ~/.cache',
  ],
  ['MARC_CACHE_SIZE', 'how large these databases may become together; default 2GiB, or off'],
  ['MARC_PAGER, PAGER', 'show what does not fit the terminal; default less, none if empty or cat'],
  ['XDG_STATE_HOME', 'where marc shell keeps its history; default ~/.local/state'],
  ['MARC_QUERIES', 'the folder of your own saved queries'],
  ['XDG_CONFIG_HOME', 'where it is otherwise: migration-archive/queries in it; default ~/.config'],
]

const SQL = `Each kind of record is a table (issues, pull_requests, issue_events, users, …)
with a column for each member, named as in the archive, and derived ones such as
number, state, full_name (owner/name) and user_login. Records name each other by
url:

  SELECT i.number, m.title
  FROM issues AS i JOIN milestones AS m ON m.url = i.milestone

${formatColumns([
  [safe`threads`, safe`issues and pull requests together`],
  [safe`timeline`, safe`everything that happened in them, one row each`],
  [safe`answers`, safe`comments and reviews by others than the author and bots`],
  [safe`people`, safe`users, bots and organizations`],
  [safe`issues_labels, …`, safe`a list of a record, one row for each of its elements`],
  [safe`reactions`, safe`reactions to anything`],
  [safe`files, refs, commits`, safe`what is no record; marc repo index fills commits`],
  [safe`problems, archives`, safe`what was odd, and where all came from`],
])}

Times are texts. Views give them in UTC, such as 2024-01-31T23:59:59Z: they
compare as texts, and the month is substr(t, 1, 7). Tables have them as the
archive does: nearly always in this form, with an offset in some lists and in
archives of other tools, where unixepoch(t) compares them. julianday(t) counts
days. Flags are 0 and 1. Lists are JSON: json_each(labels). A statement reads
and returns rows. Parameters are :name, given with -p name value.

marc tables <database>          the tables that have rows
marc schema <database> [table]  their columns
marc query --saved              queries to begin with
https://sqlite.org/lang.html    the language`

/** The text of a topic. Throws `UsageError` for one that does not exist. */
export async function topic(name: string): Promise<string> {
  const found = Object.hasOwn(TOPICS, name) ? TOPICS[name] : undefined
  if (found) return found.text()
  const meant = closestMatch(name, [...Object.keys(TOPICS), ...FIRST_WORDS])
  throw new UsageError(
    `there is no topic ${JSON.stringify(name)}`,
    meant && `Did you mean marc help ${meant}?`,
  )
}

/** What `marc help limits` prints. */
function describeLimits(): string {
  const rows = Object.entries(LIMIT_SUMMARIES).map(([name, summary]) => [
    `--max-${name}`,
    `${summary} [${standardLimit(name as keyof Limits)}]`,
  ])
  return `An archive that asks for more than it may is refused with exit code 3 and an error that is named like
the option: limit-path for --max-path. Each takes a number or off.

${formatColumns(rows as [string, string][])}

load, inspect, ls and cat take these; commands that put an archive into the cache first keep to what
stands in brackets: load an archive that needs more, and name the database.

  members     The host writes one; many empty ones take long to read.
  expansion   Counts beyond the first 64 MiB, which small archives may reach by nature.
  extracted   attachments extract counts what it writes, and stops at 50 GiB unless told otherwise.
  header      Never more than 4 MiB, whatever is typed.
  depth       Never more than 1000, whatever is typed: SQLite reads no JSON that is nested deeper.
  record      Where there are more than 10,000 names and values in one, each counts for 8 bytes at least:
              it takes memory however short it is.

query takes --timeout and --max-rows: see marc query --help.`
}
