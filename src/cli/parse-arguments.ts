import yargs, { type Argv } from 'yargs'
import type { Command } from './command.ts'
import { EXIT_CODES } from './exit-codes.ts'
import { nearest } from './nearest.ts'
import { UsageError } from './usage-error.ts'

const HELP_WIDTH = 100

/** The options of a command as typed. Throws `UsageError`. */
export async function parseArguments(
  name: string,
  command: Command,
  argv: readonly string[],
): Promise<Record<string, unknown>> {
  const parser = parserFor(name, command)
    .help(false)
    .exitProcess(false)
    .fail((message, error) => {
      throw error ?? explain(message, name, command)
    })
  const { _: extra, $0, ...options } = await parser.parseAsync([...argv])
  const [first] = extra ?? []
  if (first !== undefined) throw new UsageError(`${JSON.stringify(first)} is too much`, see(name))
  return options
}

/** What `marc <name> --help` prints. */
export function helpFor(name: string, command: Command): Promise<string> {
  const exitCodes = Object.entries(EXIT_CODES).map(
    ([code, meaning]) => `  ${code.padStart(3)}  ${meaning}`,
  )
  let parser = parserFor(name, command).epilogue(['Exit codes:', ...exitCodes].join('\n'))
  for (const [line, what] of command.examples) parser = parser.example(line, what)
  return parser.getHelp()
}

function parserFor(name: string, { usage, summary, options }: Command): Argv {
  const placed = new Set(usage.match(/\w+/g))
  const flags = Object.entries(options).filter(([option]) => !placed.has(option))
  return yargs([])
    .scriptName(`marc ${name}`)
    .command(
      `$0 ${usage}`,
      summary,
      (parser) =>
        [...placed].reduce((built, word) => built.positional(word, options[word] as never), parser),
      () => {},
    )
    .options(Object.fromEntries(flags))
    .option('help', { type: 'boolean', describe: 'Show this help' })
    .version(false)
    .wrap(HELP_WIDTH)
    .strict()
    .parserConfiguration({ 'camel-case-expansion': false, 'duplicate-arguments-array': false })
}

function explain(message: string, name: string, { options }: Command): UsageError {
  const typed = /^Unknown arguments?: (\S+?)(,|$)/.exec(message)?.[1]
  if (typed === undefined) return new UsageError(lowerFirst(message), see(name))
  const meant = nearest(typed, Object.keys(options))
  const hint = meant === undefined ? see(name) : `Did you mean --${meant}?`
  return new UsageError(`there is no option --${typed}`, hint)
}

const see = (name: string) => `See: marc ${name} --help`
const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)
