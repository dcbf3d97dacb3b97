import yargs, { type Argv } from 'yargs'
import { type Command, flagsOf, type Option, placesOf } from '../command/command.ts'
import { EXIT_CODES, type ExitCode, exitsOf } from '../command/exit-codes.ts'
import { type CommandName, commandsOf, GROUPS, type GroupName, summaryOf } from '../commands.ts'
import { formatColumns, WIDTH } from '../output/format-columns.ts'
import { describeOption } from './describe-option.ts'
import { exampleLine } from './example-line.ts'

/** The text of `marc <name> --help`. */
export async function describeCommand(
  name: CommandName,
  command: Command,
  width = WIDTH,
): Promise<string> {
  const { usage, options, examples, notes, exitMeanings } = command
  const parser = helpYargs(`marc ${name}`, width).command(
    `$0 ${usage}`.trimEnd(),
    summaryOf(name),
    (inner) => {
      for (const { name } of placesOf(usage)) {
        inner.positional(name, { describe: options[name]?.describe ?? '' })
      }
      return listOptions(inner, flagsOf(command))
    },
  )
  return [
    await parser.getHelp(),
    // People copy examples: yargs would wrap them into two columns.
    `Examples:\n${examples.map(([line, what]) => `  # ${what}\n  ${exampleLine(line)}`).join('\n')}`,
    ...(notes === undefined ? [] : [notes]),
    `Exit codes:\n${describeExitCodes(width, exitsOf(command), exitMeanings)}`,
  ].join('\n\n')
}

/** Lists options for help. yargs would show the type of a value, `[string]`, in place of what it stands for. */
function listOptions(parser: Argv, flags: Iterable<[string, Option]>): Argv {
  for (const [name, option] of flags) {
    const [shown, describe] = describeOption(name, option)
    const { alias, group } = option
    parser.option(shown, { describe, ...(alias && { alias }), ...(group && { group }) })
  }
  return parser
}

/** The text of `marc <group> --help`. */
export async function describeGroup(group: GroupName, width: number): Promise<string> {
  const parser = helpYargs('marc', width).usage(`marc ${group} <command>\n\n${GROUPS[group]}`)
  for (const name of commandsOf(group)) parser.command(name, summaryOf(name))
  return withSections(parser, width, {
    Help: [[`marc ${group} <command> --help`, HELP_OF_COMMAND]],
  })
}

/** The text of `marc --help`, or with all commands of `marc help commands`; `topics` are the topics of `marc help`. */
export async function describeCommands(
  commands: readonly string[],
  width: number,
  topics: readonly (readonly [name: string, summary: string])[],
): Promise<string> {
  const parser = helpYargs('marc', width).usage(
    'marc <command>\n\nLoad GitHub migration archives into SQLite, query and rebuild them',
  )
  for (const name of commands) parser.command(name, summaryOf(name))
  return withSections(parser, width, {
    Help: [
      ['marc <command> --help', HELP_OF_COMMAND],
      ...topics.map(([name, summary]) => [`marc help ${name}`, summary] as const),
      ['marc --version', 'the version of this program'],
    ],
  })
}

/** The help that yargs makes, followed by sections of two columns. */
async function withSections(
  parser: Argv,
  width: number,
  sections: Readonly<Record<string, readonly (readonly [string, string])[]>>,
): Promise<string> {
  const more = Object.entries(sections).map(
    ([title, rows]) => `${title}:\n${formatColumns(rows, width)}`,
  )
  return [await parser.getHelp(), ...more].join('\n\n')
}

/** A yargs that makes help, and neither prints it nor ends the process. Command lines are split by its parser alone. */
const helpYargs = (name: string, width: number): Argv =>
  yargs()
    .locale('en')
    .exitProcess(false)
    .help(false)
    .version(false)
    .scriptName(name)
    .option('help', { describe: 'Show this help', alias: 'h' })
    // Other groups, such as limits, follow these options.
    .group([], 'Arguments:')
    .group('help', 'Options:')
    .updateStrings({ 'Positionals:': 'Arguments:' })
    .wrap(width)

const HELP_OF_COMMAND = 'options, examples and exit codes of a command'

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
