import yargs, { type Argv } from 'yargs'
import { type Command, flagsOf, type Option, placesOf } from '../command/command.ts'
import { exitsOf } from '../command/exit-codes.ts'
import { type CommandName, summaryOf } from '../commands.ts'
import { WIDTH } from '../output/format-columns.ts'
import { describeExitCodes } from './describe-commands.ts'
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
