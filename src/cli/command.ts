import type { InferredOptionTypes, Options } from 'yargs'
import type { ExitCode } from './exit-codes.ts'
import type { Io } from './io.ts'

export type OptionTable = Readonly<Record<string, Options>>

/** A command as data: parsing, help and tests follow from it. */
export interface Command<O extends OptionTable = OptionTable> {
  /** What follows the name of the command, as yargs writes it: `<needed> [optional] <many..>`. */
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
