import { type Command, type Option, placesOf } from './command.ts'
import { commandNamed, commandsOf, GROUPS, type GroupName } from './commands.ts'
import { EXIT_CODES } from './exit-codes.ts'
import { formatColumns } from './output/format-columns.ts'

/** What `marc <name> --help` prints. */
export function describeCommand(name: string, command: Command): string {
  const { usage, summary, options, examples } = command
  const placed = placesOf(usage).map(({ name }) => name)
  const flags = Object.entries({ ...options, help: HELP }).filter(
    ([flag]) => !placed.includes(flag),
  )
  const groups = new Map<string, [string, string][]>([['Options:', []]])
  for (const [flag, option] of flags) {
    const group = option.group ?? 'Options:'
    groups.set(group, [...(groups.get(group) ?? []), describeFlag(flag, option)])
  }
  const sections = [
    ['Arguments:', formatColumns(placed.map((word) => [word, options[word]?.describe ?? '']))],
    ...[...groups].map(([title, rows]) => [title, formatColumns(rows)]),
    ['Examples:', examples.map(([line, what]) => `  # ${what}\n  ${line}`).join('\n')],
    ['Exit codes:', describeExitCodes()],
  ]
  return [
    `${summary}\n`,
    `Usage: ${['marc', name, usage, '[options]'].filter(Boolean).join(' ')}\n`,
    sections.map(([title, text]) => `${title}\n${text}`).join('\n\n'),
  ].join('\n')
}

/** What `marc <group> --help` prints. */
export async function describeGroup(group: GroupName): Promise<string> {
  const rows = await Promise.all(
    commandsOf(group).map(async (name) => {
      const { usage, summary } = await commandNamed(name)
      return [`marc ${name} ${usage}`.trimEnd(), summary] as const
    }),
  )
  return [
    `${GROUPS[group]}\n`,
    `Usage: marc ${group} <command> [options]\n`,
    `Commands:\n${formatColumns(rows)}\n`,
    `Help:\n${formatColumns([[`marc ${group} <command> --help`, HELP_OF_COMMAND]])}`,
  ].join('\n')
}

export const HELP_OF_COMMAND = 'options, examples and exit codes of a command'

export const describeExitCodes = (): string =>
  formatColumns(Object.entries(EXIT_CODES).map(([code, meaning]) => [code.padStart(3), meaning]))

const HELP: Option = { type: 'boolean', describe: 'Show this help', alias: 'h' }

/** An option as it is typed, and what it does; in brackets what holds without it. */
export function describeFlag(name: string, option: Option): [string, string] {
  const { alias, type, choices, describe = '', value = '<text>' } = option
  const short = typeof alias === 'string' ? `-${alias}, ` : '    '
  // What is on unless told otherwise is told otherwise.
  const long = `--${option.default === true ? 'no-' : ''}${name}`
  const takes = type === 'boolean' ? '' : ` ${value}`
  const what = typeof option.default === 'string' ? `${describe} [${option.default}]` : describe
  return [`${short}${long}${takes}`, choices ? `${what}: ${choices.join(', ')}` : what]
}
