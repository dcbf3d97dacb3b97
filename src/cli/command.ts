import type { InferredOptionTypes, Options } from 'yargs'
import type { ExitCode } from './exit-codes.ts'
import type { Io } from './io.ts'

/** An option as yargs has it, and what help shows in place of its value: `<file>`. */
export type Option = Options & {
  value?: string
  /** It stands for all that is otherwise given by place. */
  alone?: boolean
  /** It may stand without its value, which is empty then. */
  bare?: boolean
}

export type OptionTable = Readonly<Record<string, Option>>

/** A command as data: parsing, help and tests follow from it. */
export interface Command<O extends OptionTable = OptionTable> {
  /** What is given by place after the name of the command: `<needed> [optional] <many..>`. */
  readonly usage: string
  readonly summary: string
  /** Options, and under the names in `usage` what is given by place. */
  readonly options: O
  /** Command lines that run as they are in a folder with the samples. */
  readonly examples: readonly (readonly [line: string, what: string])[]
  run(options: InferredOptionTypes<O>, io: Io): Promise<ExitCode>
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
