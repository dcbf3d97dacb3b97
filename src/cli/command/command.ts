import type { ExitCode } from './exit-codes.ts'
import type { Io } from './io.ts'

/** An option or a positional argument. It takes a value unless it is boolean. */
export interface Option {
  /** Default `string`. */
  type?: 'string' | 'boolean'
  /** The one-letter form. */
  alias?: string
  describe?: string
  /** The placeholder for its value in help, such as `<file>`. */
  value?: string
  /** The heading in help. */
  group?: string
  default?: string | boolean
  choices?: readonly string[]
  /** It may be repeated. */
  array?: boolean
  /** Turns each value as typed into the value that `run` gets. */
  coerce?: (text: string) => string
  /** Number of values each time. Default 1. */
  nargs?: number
  /** The positional argument is required. */
  demandOption?: boolean
  /** With this option no positional argument is required. */
  alone?: boolean
  /** Its value may be omitted, and is empty then. */
  bare?: boolean
  /** The positional argument that its value may stand for; `run` gets it as that one. */
  place?: string
  /** The positional argument may name a backup or export of another program, so `FOREIGN_OPTIONS` are taken. */
  foreign?: boolean
}

export type OptionTable = Readonly<Record<string, Option>>

type Single<O extends Option> = O extends { choices: readonly (infer Choice)[] }
  ? Choice
  : O extends { type: 'boolean' }
    ? boolean
    : string

type Value<O extends Option> = O extends { array: true } ? Single<O>[] : Single<O>

/** The values that `run` gets, by option. */
export type Values<T extends OptionTable> = {
  [K in keyof T]: T[K] extends { demandOption: true } | { default: string | boolean }
    ? Value<T[K]>
    : Value<T[K]> | undefined
}

/** The arguments that name a source, and the option for a database to add to. */
export const SOURCES: readonly string[] = [
  'source',
  'database',
  'archives',
  'databases',
  'sources',
  'other',
  'more',
  'output',
]

/** A command as data: parsing, help and tests follow from it. */
export interface Command<O extends OptionTable = OptionTable> {
  /** Positional arguments after the name of the command: `<needed> [optional] <many..>`. */
  readonly usage: string
  /** Options, and positional arguments by their names in `usage`. */
  readonly options: O
  /** Exit codes in addition to `COMMON_EXITS`. */
  readonly exits?: readonly ExitCode[]
  /** Meanings of exit codes that differ from those in `EXIT_CODES`. */
  readonly exitMeanings?: Readonly<Partial<Record<ExitCode, string>>>
  /** It runs until it is interrupted. */
  readonly lasts?: true
  /** The remedy for an interrupt: it says what stays, and how to continue. By default nothing was changed. */
  readonly whenInterrupted?: string
  /**
   * Whether it works in long statements of SQLite, during which no signal is seen, or in turns with signals. By default only while
   * it loads an archive.
   */
  readonly works?: 'in SQLite' | 'in turns'
  /** Further facts for users, in lines of at most 80 columns. */
  readonly notes?: string
  /** Command lines that run as they are in a folder with the samples. */
  readonly examples: readonly (readonly [line: string, description: string])[]
  run(options: Values<O>, io: Io): Promise<ExitCode>
}

export function defineCommand<const O extends OptionTable>(command: Command<O>): Command<O> {
  return command
}

export interface Place {
  name: string
  needed: boolean
  many: boolean
}

/** The positional arguments of a command, in order. */
export function placesOf(usage: string): Place[] {
  return [...usage.matchAll(/([<[])(\w+)(\.\.)?/g)].map(([, bracket, name, dots]) => ({
    name: name as string,
    needed: bracket === '<',
    many: dots !== undefined,
  }))
}

/** The options of a command, without positional arguments. */
export function flagsOf({
  usage,
  options,
}: Pick<Command, 'usage' | 'options'>): [name: string, option: Option][] {
  const placed = placesOf(usage).map(({ name }) => name)
  return Object.entries(options).filter(([name]) => !placed.includes(name))
}
