import parser from 'yargs-parser'
import { type Command, type Option, placesOf } from './command.ts'
import { nearest } from './nearest.ts'
import { UsageError } from './usage-error.ts'

type Values = Record<string, unknown>
type Flags = ReadonlyMap<string, Option>

/** The options of a command as typed. Throws `UsageError`. */
export function parseArguments(command: Command, argv: readonly string[]): Values {
  const placed = new Set(placesOf(command.usage).map(({ name }) => name))
  const flags = new Map(Object.entries(command.options).filter(([name]) => !placed.has(name)))
  const { argv: found, error } = parser.detailed([...argv], forParser(flags))
  const { _: words, ...options } = found
  if (error) throw tooFewValues(error, flags)
  for (const [name, value] of Object.entries(options)) {
    const flag = flags.get(name)
    if (!flag) throw unknownOption(name, argv, flags)
    checkValue(name, value, flag)
  }
  const alone = [...flags].some(([name, flag]) => flag.alone && (options[name] ?? false) !== false)
  return { ...options, ...place(words.map(String), command.usage, alone) }
}

/** The flags as the parser of yargs has them; yargs around it would load all that its help needs, ours needs none. */
function forParser(flags: Flags) {
  const told = {
    boolean: [] as string[],
    string: [] as string[],
    array: [] as string[],
    alias: {} as Record<string, string>,
    default: {} as Values,
    narg: {} as Record<string, number>,
  }
  for (const [name, flag] of flags) {
    const { type = 'string', array, alias, default: standard, bare, nargs = 1 } = flag
    told[type].push(name)
    if (array) told.array.push(name)
    if (alias !== undefined) told.alias[name] = alias
    if (standard !== undefined) told.default[name] = standard
    // Without this an option at the end of the line has an empty text.
    if (type === 'string' && !bare) told.narg[name] = nargs
  }
  const configuration = {
    'camel-case-expansion': false,
    'dot-notation': false,
    'parse-positional-numbers': false,
    'strip-aliased': true,
  }
  return { ...told, configuration }
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

function checkValue(name: string, value: unknown, { type, choices, array, bare }: Option): void {
  if (type === 'boolean') return
  const given: unknown[] = [value].flat()
  // As the parser understands --no-name.
  if (given.includes(false)) {
    throw new UsageError(`there is no option --no-${name}`, `Did you mean --${name}?`)
  }
  const wrong = choices && given.map(String).find((one) => !choices.includes(one))
  if (choices && wrong !== undefined) {
    const meant = nearest(wrong, choices)
    throw new UsageError(
      `--${name}: expected one of ${choices.join(', ')}, found ${JSON.stringify(wrong)}`,
      meant && `Did you mean ${meant}?`,
    )
  }
  if (Array.isArray(value) && !array) throw new UsageError(`--${name} is given more than once`)
  if (value === '' && !bare) throw new UsageError(`--${name} needs a value`)
}

// The parser finds nothing else wrong with options such as ours.
function tooFewValues({ message }: Error, flags: Flags): UsageError {
  const typed = /following: (.+)$/.exec(message)?.[1] ?? ''
  const name = [...flags.keys()].find((name) => flags.get(name)?.alias === typed) ?? typed
  return new UsageError(
    `--${name} needs ${flags.get(name)?.nargs === 2 ? 'two values' : 'a value'}`,
  )
}

function unknownOption(name: string, argv: readonly string[], flags: Flags): UsageError {
  const typed = argv.find((word) => word.replace(/^-+(no-)?|=.*$/g, '') === name) ?? `--${name}`
  const meant = nearest(name, [...flags.keys()])
  const no = typed.startsWith('--no-') ? 'no-' : ''
  return new UsageError(
    `there is no option ${typed.replace(/=.*$/, '')}`,
    meant && `Did you mean --${no}${meant}?`,
  )
}
