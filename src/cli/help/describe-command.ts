import { type Command, flagsOf, type Option, placesOf } from '../command/command.ts'
import { EXIT_CODES, type ExitCode, exitsOf } from '../command/exit-codes.ts'
import {
  type CommandName,
  commandsOf,
  FIRST_WORDS,
  GROUPS,
  type GroupName,
  summaryOf,
} from '../commands.ts'
import { formatColumns } from '../output/format-columns.ts'
import { describeOption } from './describe-option.ts'
import { exampleLine } from './example-line.ts'

type Row = readonly [name: string, description: string]

/** A heading of help with what stands below it. */
type Section = readonly [heading: string, rows: readonly Row[]]

/** The text of `marc <name> --help`. */
export function describeCommand(name: CommandName, command: Command): string {
  const { usage, options, examples, notes, exitMeanings } = command
  const places = placesOf(usage).map(({ name }): Row => [name, options[name]?.describe ?? ''])
  return [
    `marc ${name} ${usage}`.trimEnd(),
    summaryOf(name),
    ...describeSections([['Arguments', places], ...optionSections(flagsOf(command))]),
    // People copy examples, so a line is not wrapped.
    `Examples:\n${examples.map(([line, what]) => `  # ${what}\n  ${exampleLine(line)}`).join('\n')}`,
    ...(notes === undefined ? [] : [notes]),
    `Exit codes:\n${describeExitCodes(exitsOf(command), exitMeanings)}`,
  ].join('\n\n')
}

/** The text of `marc <group> --help`. */
export const describeGroup = (group: GroupName): string =>
  [
    `marc ${group} <command>`,
    GROUPS[group],
    ...describeSections([
      ['Commands', commandsOf(group).map(commandRow)],
      ...optionSections([]),
      ['Help', [[`marc ${group} <command> --help`, HELP_OF_COMMAND]]],
    ]),
  ].join('\n\n')

/** The text of `marc --help`; `topics` are the other topics of `marc help`. */
export const describeCommands = (topics: readonly Row[]): string =>
  [
    'marc <command>',
    'Load GitHub migration archives into SQLite, query and rebuild them',
    ...describeSections([
      ['Commands', FIRST_WORDS.map(commandRow)],
      ...optionSections([]),
      [
        'Help',
        [
          ['marc <command> --help', HELP_OF_COMMAND],
          ...topics.map(([name, summary]): Row => [`marc help ${name}`, summary]),
          ['marc --version', 'the version of this program'],
        ],
      ],
    ]),
  ].join('\n\n')

const commandRow = (name: string): Row => [`marc ${name}`, summaryOf(name)]

/** Options below the headings of their groups; those without a group come first. */
function optionSections(flags: readonly (readonly [string, Option])[]): Section[] {
  const all: (readonly [string, Option])[] = [['help', HELP_OPTION], ...flags]
  const sections = new Map<string, Row[]>()
  for (const [name, option] of all) {
    const [shown, describe] = describeOption(name, option)
    const { alias, group = 'Options' } = option
    const rows = sections.get(group) ?? []
    rows.push([`${alias === undefined ? '    ' : `-${alias}, `}--${shown}`, describe])
    sections.set(group, rows)
  }
  return [...sections]
}

const describeSections = (sections: readonly Section[]): string[] =>
  sections
    .filter(([, rows]) => rows.length > 0)
    .map(([heading, rows]) => `${heading}:\n${formatColumns(rows)}`)

const HELP_OPTION: Option = { type: 'boolean', describe: 'Show this help', alias: 'h' }

const HELP_OF_COMMAND = 'options, examples and exit codes of a command'

export const describeExitCodes = (
  codes: readonly ExitCode[] = ALL_EXITS,
  meanings: Command['exitMeanings'] = {},
): string =>
  formatColumns(codes.map((code) => [String(code).padStart(3), meanings[code] ?? EXIT_CODES[code]]))

const ALL_EXITS = Object.keys(EXIT_CODES).map(Number) as ExitCode[]
