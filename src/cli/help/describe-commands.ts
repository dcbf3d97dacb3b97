import type { Command } from '../command/command.ts'
import { EXIT_CODES, type ExitCode } from '../command/exit-codes.ts'
import { commandsOf, GROUPS, type GroupName, summaryOf } from '../commands.ts'
import { formatColumns } from '../output/format-columns.ts'

type Rows = readonly (readonly [left: string, right: string])[]

/** The text of `marc <group> --help`. */
export const describeGroup = (group: GroupName, width: number): string =>
  describeList(`marc ${group} <command>`, GROUPS[group], width, {
    Commands: commandsOf(group).map(commandRow),
    Help: [[`marc ${group} <command> --help`, HELP_OF_COMMAND]],
  })

/** The text of `marc --help`, or with all commands of `marc help commands`; `topics` are the topics of `marc help`. */
export const describeCommands = (
  commands: readonly string[],
  width: number,
  topics: Rows,
): string =>
  describeList('marc <command>', SUMMARY, width, {
    Commands: commands.map(commandRow),
    Help: [
      ['marc <command> --help', HELP_OF_COMMAND],
      ...topics.map(([name, summary]) => [`marc help ${name}`, summary] as const),
      ['marc --version', 'the version of this program'],
    ],
  })

const SUMMARY = 'Load GitHub migration archives into SQLite, query and rebuild them'
const HELP_OF_COMMAND = 'options, examples and exit codes of a command'

const commandRow = (name: string) => [`marc ${name}`, summaryOf(name)] as const

/** In the form of the help that yargs makes of one command. To load yargs takes longer than the rest of this. */
function describeList(
  usage: string,
  summary: string,
  width: number,
  { Commands, Help }: Readonly<Record<'Commands' | 'Help', Rows>>,
): string {
  const sections = { Commands, Options: [['-h, --help', 'Show this help']] as const, Help }
  return [
    usage,
    summary,
    ...Object.entries(sections).map(([title, rows]) => `${title}:\n${formatColumns(rows, width)}`),
  ].join('\n\n')
}

export const describeExitCodes = (
  width: number,
  codes: readonly ExitCode[] = ALL_EXITS,
  meanings: Command['exitMeanings'] = {},
): string =>
  formatColumns(
    codes.map((code) => [String(code).padStart(3), meanings[code] ?? EXIT_CODES[code]]),
    width,
  )

const ALL_EXITS = Object.keys(EXIT_CODES).map(Number) as ExitCode[]
