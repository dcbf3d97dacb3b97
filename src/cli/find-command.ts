import { didYouMean } from './command/did-you-mean.ts'
import { UsageError } from './command/usage-error.ts'
import {
  COMMAND_NAMES,
  type CommandName,
  commandsOf,
  FIRST_WORDS,
  type GroupName,
  isCommandName,
  isGroupName,
} from './commands.ts'

/** The command or group that a command line names, and the words after it. */
export type Found =
  | { name: CommandName; rest: readonly string[] }
  | { group: GroupName; rest: readonly string[] }

/** Finds the command that a command line begins with. Throws `UsageError`. */
export function findCommand([first = '', ...rest]: readonly string[]): Found {
  if (isCommandName(first)) return { name: first, rest }
  if (!isGroupName(first)) throw unknownCommand(first)
  const [second, ...others] = rest
  if (second === undefined || second.startsWith('-')) return { group: first, rest }
  const name = `${first} ${second}`
  if (isCommandName(name)) return { name, rest: others }
  throw new UsageError(
    `there is no command ${JSON.stringify(name)}`,
    didYouMean(second, wordsOf(first), `marc ${first} `) ?? oneOf(first),
  )
}

/** The error of a command line that names a group and none of its commands. */
export const missingCommand = (group: GroupName, [next]: readonly string[]): UsageError =>
  next === undefined
    ? new UsageError(`which command of ${group}?`, oneOf(group))
    : new UsageError(
        `there is no command ${JSON.stringify(`${group} ${next}`)}`,
        `Options come after the command: marc ${group} <command> [options]`,
      )

const wordsOf = (group: GroupName): string[] =>
  commandsOf(group).map((name) => name.slice(group.length + 1))

const oneOf = (group: GroupName): string =>
  `Expected one of ${wordsOf(group).join(', ')}. See: marc ${group} --help`

/** The commands of groups whose last word this is: `clone` is `repo clone`. */
function inGroups(word: string): string | undefined {
  const found = COMMAND_NAMES.filter((name) => name.endsWith(` ${word}`))
  return found.length === 0
    ? undefined
    : `Did you mean ${found.map((name) => `marc ${name}`).join(', ')}?`
}

function unknownCommand(name: string): UsageError {
  const message = `there is no command ${JSON.stringify(name)}`
  if (/^--(?!vers|help)/.test(name)) {
    return new UsageError(message, 'Options come after the command: marc <command> [options]')
  }
  const words = [...FIRST_WORDS, 'help', '--version', '--help']
  return new UsageError(message, inGroups(name) ?? didYouMean(name, words, 'marc '))
}
