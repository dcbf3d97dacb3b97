import { commandNamed, FIRST_WORDS, GROUPS, isCommandName, isGroupName } from './commands.ts'
import { describeExitCodes, HELP_OF_COMMAND } from './describe-command.ts'
import { describeLimits } from './describe-limits.ts'
import { nearest } from './nearest.ts'
import { formatColumns } from './output/format-columns.ts'
import { FORMATS } from './output/formats.ts'
import { UsageError } from './usage-error.ts'

interface Topic {
  summary: string
  text(): Promise<string>
}

/** What `marc help <topic>` can tell beside the commands. */
export const TOPICS: Readonly<Record<string, Topic>> = {
  commands: {
    summary: 'every command',
    text: async () => {
      const rows = await Promise.all(FIRST_WORDS.map(describeFirstWord))
      return [
        'marc reads the migration archive of a code host into SQLite and answers questions.',
        '',
        'Commands:',
        formatColumns(rows),
        '',
        'Help:',
        formatColumns([
          ['marc <command> --help', HELP_OF_COMMAND],
          ...Object.entries(TOPICS).map(
            ([name, { summary }]) => [`marc help ${name}`, summary] as const,
          ),
          ['marc --version', 'the version of this program'],
        ]),
      ].join('\n')
    },
  },
  'exit-codes': {
    summary: 'what the exit code says',
    text: async () => describeExitCodes(),
  },
  formats: {
    summary: 'values of --format',
    text: async () =>
      `${formatColumns(Object.entries(FORMATS).map(([name, { summary }]) => [name, summary]))}

On a terminal the default is table, in a pipe json.`,
  },
  limits: {
    summary: 'how much an archive may ask for',
    text: async () => describeLimits(),
  },
  environment: {
    summary: 'variables that change how marc behaves',
    text: async () =>
      formatColumns([
        ['NO_COLOR', 'no colours when set'],
        ['CLICOLOR=0', 'no colours'],
        ['CLICOLOR_FORCE=1', 'colours even in a pipe'],
        [
          'XDG_CACHE_HOME',
          'where archives that are queried are kept as databases; default ~/.cache',
        ],
      ]),
  },
}

async function describeFirstWord(name: string): Promise<readonly [string, string]> {
  if (isGroupName(name)) return [`marc ${name} <command>`, GROUPS[name]]
  if (!isCommandName(name)) throw new TypeError(`the group ${name} is not in GROUPS`)
  const { usage, summary } = await commandNamed(name)
  return [`marc ${name} ${usage}`, summary]
}

/** The text of a topic. Throws `UsageError` for one that does not exist. */
export async function topic(name: string): Promise<string> {
  const found = Object.hasOwn(TOPICS, name) ? TOPICS[name] : undefined
  if (found) return found.text()
  const meant = nearest(name, [...Object.keys(TOPICS), ...FIRST_WORDS])
  throw new UsageError(
    `there is no topic ${JSON.stringify(name)}`,
    meant && `Did you mean marc help ${meant}?`,
  )
}
