import { VERSION } from '../../base/version.ts'
import { type Command, flagsOf, type Option, placesOf } from '../command/command.ts'
import { EXIT_CODES } from '../command/exit-codes.ts'
import { COMMANDS, type CommandName, commandNamed } from '../commands.ts'
import { WIDTH } from '../output/format-columns.ts'
import { describeOption } from './describe-option.ts'
import { exampleLine } from './example-line.ts'
import { ENVIRONMENT, TOPICS } from './topics.ts'

/** The manual page, in the format of man(7): every command with its options and examples. */
export async function describeManual(): Promise<string> {
  const names = Object.keys(COMMANDS) as CommandName[]
  const commands = await Promise.all(
    names.map(async (name) => describeCommand(name, await commandNamed(name))),
  )
  const topics = ['formats', 'sql', 'limits'].flatMap((name) => TOPICS[name] ?? [])
  return [
    `.TH MARC 1 "" "migration-archive ${VERSION}" "User Commands"`,
    '.SH NAME',
    asText('marc - load GitHub migration archives into SQLite, query and rebuild them'),
    '.SH SYNOPSIS',
    '.B marc\n.I command\n.RI [ options ]\n.br\n.B marc help\n.RI [ topic ]',
    '.SH COMMANDS',
    ...commands,
    ...(await Promise.all(
      topics.map(async ({ summary, text }) => asTopic(summary, await text(WIDTH))),
    )),
    '.SH EXIT STATUS',
    ...Object.entries(EXIT_CODES).map((row) => asItem(row)),
    '.SH ENVIRONMENT',
    ...ENVIRONMENT.map((row) => asItem(row)),
    '.SH SEE ALSO',
    '.BR sqlite3 (1),\n.BR git (1),\n.BR tar (1)',
  ].join('\n')
}

function describeCommand(name: CommandName, command: Command): string {
  const { usage, options, examples, notes } = command
  const placed = placesOf(usage).map((place) => place.name)
  return [
    `.SS ${asArgument(`marc ${name} ${usage}`.trimEnd())}`,
    asText(`${COMMANDS[name].summary}.`),
    ...placed.map((place) => asItem([place, options[place]?.describe ?? ''])),
    ...flagsOf(command).map(([flag, option]) => asItem(manualEntry(flag, option))),
    '.PP\nExamples:',
    ...examples.map(
      ([line, what]) =>
        `.PP\n${asText(`${what}:`)}\n.RS\n.nf\n${asText(exampleLine(line, false))}\n.fi\n.RE`,
    ),
    ...(notes === undefined ? [] : [`.PP\n.nf\n${asText(notes)}\n.fi`]),
  ].join('\n')
}

function manualEntry(name: string, option: Option): [string, string] {
  const [shown, what] = describeOption(name, option)
  return [`${option.alias === undefined ? '' : `-${option.alias}, `}--${shown}`, what]
}

const asTopic = (title: string, text: string) =>
  `.SH ${asArgument(title.toUpperCase())}\n.nf\n${asText(text)}\n.fi`

const asItem = ([name, what]: readonly [string, string]) =>
  `.TP\n.B ${asArgument(name)}\n${asText(what)}`

/** Escapes text for roff, in characters that every terminal shows. */
const asText = (text: string): string =>
  text
    .replaceAll('…', '...')
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(?=[.'])/gm, '\\&')

const asArgument = (text: string): string => `"${asText(text).replaceAll('"', '\\(dq')}"`
