import yargs from 'yargs'
import { type Command, type Option, placesOf } from './command.ts'
import { nearest } from './nearest.ts'
import { UsageError } from './usage-error.ts'

type Values = Record<string, unknown>

/** The options of a command as typed. Throws `UsageError`. */
export async function parseArguments(command: Command, argv: readonly string[]): Promise<Values> {
  const placed = new Set(placesOf(command.usage).map(({ name }) => name))
  const flags = Object.entries(command.options).filter(([name]) => !placed.has(name))
  const parser = yargs([])
    .options(Object.fromEntries(flags.map(([name, flag]) => [name, withValue(flag)])))
    .help(false)
    .version(false)
    .exitProcess(false)
    .strictOptions()
    .parserConfiguration({ 'camel-case-expansion': false, 'parse-positional-numbers': false })
    .fail((message, error) => {
      throw explain(message ?? error.message, argv, Object.fromEntries(flags))
    })
  const { _: words, $0, ...options } = await parser.parseAsync([...argv])
  for (const [name, flag] of flags) checkValue(name, options[name], flag)
  const alone = flags.some(([name, flag]) => flag.alone && (options[name] ?? false) !== false)
  return { ...options, ...place((words ?? []).map(String), command.usage, alone) }
}

// Without this yargs takes an option at the end of the line for an empty text.
const withValue = (flag: Command['options'][string]) =>
  flag.type === 'string' && !flag.nargs && !flag.bare ? { ...flag, requiresArg: true } : flag

function checkValue(name: string, value: unknown, { array, bare }: Option): void {
  if (Array.isArray(value) && !array) throw new UsageError(`--${name} is given more than once`)
  if (value === '' && !bare) throw new UsageError(`--${name} needs a value`)
}

/** The words that are no options, under the names that `usage` gives them. */
function place(words: readonly string[], usage: string, alone: boolean): Values {
  const values: Values = {}
  let next = 0
  for (const { name, needed, many } of placesOf(usage)) {
    const found = many ? words.slice(next) : words.slice(next, next + 1)
    if (found.length === 0 && needed && !alone) throw new UsageError(`<${name}> is missing`)
    if (found.includes('')) throw new UsageError(`<${name}> is empty`)
    if (found.length > 0) values[name] = many ? found : found[0]
    next += found.length
  }
  const extra = words[next]
  if (extra === undefined) return values
  throw new UsageError(`${JSON.stringify(extra)} is one argument too many`)
}

function explain(message: string, argv: readonly string[], flags: Command['options']): UsageError {
  const unknown = /^Unknown arguments?: (.+?)(?:, |$)/.exec(message)?.[1]
  if (unknown !== undefined) return explainUnknown(unknown, argv, flags)
  const short = /^Not enough arguments following: (.+)$/.exec(message)?.[1]
  if (short !== undefined) {
    const name = Object.keys(flags).find((flag) => flags[flag]?.alias === short) ?? short
    return new UsageError(`--${name} needs ${flags[name]?.nargs === 2 ? 'two values' : 'a value'}`)
  }
  const [, name, given] = /Argument: (\S+), Given: (".*?"), Choices/.exec(message) ?? []
  const choices = flags[name ?? '']?.choices?.map(String)
  if (choices === undefined) return new UsageError(message)
  const meant = nearest(JSON.parse(given as string), choices)
  return new UsageError(
    `--${name}: expected one of ${choices.join(', ')}, found ${given}`,
    meant && `Did you mean ${meant}?`,
  )
}

function explainUnknown(name: string, argv: readonly string[], flags: Command['options']) {
  const typed = argv.find((word) => word.replace(/^-+(no-)?|=.*$/g, '') === name) ?? `--${name}`
  const meant = nearest(name, Object.keys(flags))
  const no = typed.startsWith('--no-') ? 'no-' : ''
  return new UsageError(
    `there is no option ${typed.replace(/=.*$/, '')}`,
    meant && `Did you mean --${no}${meant}?`,
  )
}
