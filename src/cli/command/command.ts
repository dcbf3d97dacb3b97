import type { ExitCode } from './exit-codes.ts'
import type { Io } from './io.ts'

/** An option, or what is given by place; it takes a value unless it is boolean. */
export interface Option {
  /** Default a text. */
  type?: 'string' | 'boolean'
  /** One letter that stands for the name. */
  alias?: string
  describe?: string
  /** What help shows in place of its value: `<file>`. */
  value?: string
  /** The heading in help under which it stands. */
  group?: string
  default?: string | boolean
  choices?: readonly string[]
  /** It may be given again. */
  array?: boolean
  /** Turns each value as typed into the value that `run` gets. */
  coerce?: (typed: string) => string
  /** How many words it takes each time. Default 1. */
  nargs?: number
  /** For what is given by place: it is always there. */
  demandOption?: boolean
  /** It stands for all that is otherwise given by place. */
  alone?: boolean
  /** It may stand without its value, which is empty then. */
  bare?: boolean
}

export type OptionTable = Readonly<Record<string, Option>>

type Single<O extends Option> = O extends { choices: readonly (infer Choice)[] }
  ? Choice
  : O extends { type: 'boolean' }
    ? boolean
    : string

type Value<O extends Option> = O extends { array: true } ? Single<O>[] : Single<O>

/** What `run` gets, by the names of options. */
export type Values<T extends OptionTable> = {
  [K in keyof T]: T[K] extends { demandOption: true } | { default: string | boolean }
    ? Value<T[K]>
    : Value<T[K]> | undefined
}

/** A command as data: parsing, help and tests follow from it. */
export interface Command<O extends OptionTable = OptionTable> {
  /** What is given by place after the name of the command: `<needed> [optional] <many..>`. */
  readonly usage: string
  readonly summary: string
  /** Options, and under the names in `usage` what is given by place. */
  readonly options: O
  /** Exit codes beside `COMMON_EXITS`. */
  readonly exits?: readonly ExitCode[]
  /** Command lines that run as they are in a folder with the samples. */
  readonly examples: readonly (readonly [line: string, what: string])[]
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

/** What a command is given by place, in order. */
export function placesOf(usage: string): Place[] {
  return [...usage.matchAll(/([<[])(\w+)(\.\.)?/g)].map(([, bracket, name, dots]) => ({
    name: name as string,
    needed: bracket === '<',
    many: dots !== undefined,
  }))
}

/** The options of a command that are given by name. */
export function flagsOf({ usage, options }: Command): [name: string, option: Option][] {
  const placed = placesOf(usage).map(({ name }) => name)
  return Object.entries(options).filter(([name]) => !placed.includes(name))
}
