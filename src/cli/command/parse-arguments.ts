import parseWords, { type Arguments } from 'yargs-parser'
import { type Command, type Option, type Place, placesOf } from './command.ts'
import { didYouMean } from './did-you-mean.ts'
import { acceptedFlags } from './foreign-options.ts'
import { shellWord, UsageError } from './usage-error.ts'

type Values = Record<string, unknown>
type Flags = ReadonlyMap<string, Option>

/**
 * Parses the options and the positional arguments of a command.
 *
 * @throws `UsageError` for anything that the command does not accept
 */
export function parseArguments(command: Command, argv: readonly string[]): Values {
  const flags = new Map(acceptedFlags(command))
  const { _: words, ...options } = parse(splitValues(argv, flags), flags)
  coerceValues(options, flags)
  checkOptions(options, argv, flags)
  const alone = [...flags].some(([name, flag]) => flag.alone && (options[name] ?? false) !== false)
  const placed = [...flags].flatMap(([name, { place }]) =>
    place === undefined || options[name] === undefined ? [] : [[place, options[name]] as const],
  )
  const left = placesOf(command.usage).filter(
    (place) => !placed.some(([name]) => name === place.name),
  )
  return {
    ...options,
    ...Object.fromEntries(placed),
    ...place(words.map(String), left, alone),
  }
}

/** Splits `-L5,9` into `-L` and `5,9`, as all programs do: the parser does so only for numbers and signs. */
function splitValues(argv: readonly string[], flags: Flags): string[] {
  const letters = [...flags.values()].flatMap(({ alias, type = 'string', bare, nargs = 1 }) =>
    alias !== undefined && type === 'string' && !bare && nargs === 1 ? [alias] : [],
  )
  const end = argv.indexOf('--')
  const options = end < 0 ? argv : argv.slice(0, end)
  const split = options.flatMap((word) => {
    const isGlued = /^-[A-Za-z][^=]/.test(word) && letters.includes(word[1] as string)
    return isGlued ? [word.slice(0, 2), word.slice(2)] : [word]
  })
  return end < 0 ? split : [...split, ...argv.slice(end)]
}

/** The values of options as typed, and in `_` the other words. Choices are checked afterwards, to suggest the closest one. */
function parse(argv: string[], flags: Flags): Arguments {
  const typed = (type: Option['type']): string[] =>
    [...flags].flatMap(([name, flag]) => ((flag.type ?? 'string') === type ? [name] : []))
  const each = <Value>(read: (flag: Option) => Value | undefined): Record<string, Value> =>
    Object.fromEntries(
      [...flags].flatMap(([name, flag]) => {
        const value = read(flag)
        return value === undefined ? [] : [[name, value]]
      }),
    )
  const { argv: parsed, error } = parseWords.detailed(argv, {
    string: typed('string'),
    boolean: typed('boolean'),
    array: [...flags].flatMap(([name, { array }]) => (array ? [name] : [])),
    alias: each(({ alias }) => alias),
    default: each((flag) => flag.default),
    narg: each(({ type = 'string', bare, nargs = 1 }) =>
      type === 'string' && !bare ? nargs : undefined,
    ),
    configuration: {
      'camel-case-expansion': false,
      'dot-notation': false,
      'parse-positional-numbers': false,
      'strip-aliased': true,
    },
  })
  // The only error that a command line can cause: `Not enough arguments following: name`.
  if (error) {
    const text = error.message.replace(/^.*: /, '')
    const [name, flag] = [...flags].find((each) => each[1].alias === text) ?? [
      text,
      flags.get(text),
    ]
    throw tooFewValues(name, flag)
  }
  return parsed
}

function coerceValues(options: Values, flags: Flags): void {
  for (const [name, { coerce }] of flags) {
    const value = options[name]
    if (coerce && value !== undefined) {
      const each = (one: unknown) => coerce(String(one))
      options[name] = Array.isArray(value) ? value.map(each) : each(value)
    }
  }
}

/** Positional arguments, by their names. */
function place(words: readonly string[], places: readonly Place[], alone: boolean): Values {
  const values: Values = {}
  let next = 0
  for (const [i, { name, needed, many }] of places.entries()) {
    // As in `<source> [repository] <file>`: what is needed comes first.
    const neededLater = places.slice(i + 1).filter((place) => place.needed).length
    if (!needed && neededLater > 0 && words.length - next <= neededLater) continue
    // As in `<sources..> [sql]`: the last words are those of the places behind.
    const behind = Math.min(places.length - i - 1, words.length - next - 1)
    const found = words.slice(next, many ? words.length - behind : next + 1)
    if (found.length === 0 && needed && !alone) throw new UsageError(`<${name}> is missing`)
    if (found.includes('')) throw new UsageError(`<${name}> is empty`)
    if (found.length > 0) values[name] = many ? found : found[0]
    next += found.length
  }
  const extra = words[next]
  if (extra === undefined) return values
  throw new UsageError(`${JSON.stringify(extra)} is one argument too many`)
}

function checkOptions(options: Values, argv: readonly string[], flags: Flags): void {
  for (const [name, value] of Object.entries(options)) {
    const flag = flags.get(name)
    if (!flag) throw unknownOption(name, argv, flags)
    checkValue(name, value, flag)
  }
}

function checkValue(name: string, value: unknown, flag: Option): void {
  const { type, choices, array, bare } = flag
  if (type === 'boolean') return
  const given: unknown[] = [value].flat()
  // The parser reads --no-name as false.
  if (given.includes(false)) {
    throw new UsageError(`there is no option --no-${name}`, `Did you mean --${name}?`)
  }
  const wrong = choices && given.map(String).find((one) => !choices.includes(one))
  if (choices && wrong !== undefined) {
    throw new UsageError(
      `--${name}: expected one of ${choices.join(', ')}, found ${JSON.stringify(wrong)}`,
      didYouMean(wrong, choices),
    )
  }
  if (Array.isArray(value) && !array) throw new UsageError(`--${name} is given more than once`)
  if (value === '' && !bare) throw tooFewValues(name, flag)
}

function tooFewValues(name: string, { nargs, value = '' }: Option = {}): UsageError {
  const needed = nargs === 2 ? 'two values' : 'a value'
  return new UsageError(`--${name} needs ${needed}${value && `: --${name} ${value}`}`)
}

function unknownOption(name: string, argv: readonly string[], flags: Flags): UsageError {
  const typed =
    argv.find((word) => word.replace(/^-+(no-)?|=.*$/g, '') === name) ??
    argv.find((word) => /\s/.test(word) && name.length === 1 && word.startsWith(`-${name}`)) ??
    `--${name}`
  // A statement with a comment at its beginning, or words of a search.
  if (/^[^=]*\s/.test(typed)) {
    const message = `${JSON.stringify(typed)} begins like an option`
    return new UsageError(message, 'Write it at the end, after --')
  }
  const no = typed.startsWith('--no-') ? 'no-' : ''
  const option = typed.replace(/=.*$/, '')
  const meant = didYouMean(name, [...flags.keys()], `--${no}`)
  const hint = /[./]/.test(option)
    ? `If it is a file, name it: ${shellWord(`./${typed}`)}`
    : undefined
  return new UsageError(`there is no option ${option}`, meant ?? hint)
}
