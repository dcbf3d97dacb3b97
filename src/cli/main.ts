import { ArchiveError } from '../errors.ts'
import { VERSION } from '../version.ts'
import { COMMANDS, commandNamed, isCommandName } from './commands.ts'
import type { ExitCode } from './exit-codes.ts'
import type { Io } from './io.ts'
import { nearest } from './nearest.ts'
import { writeAll } from './output/write-all.ts'
import { helpFor, parseArguments } from './parse-arguments.ts'
import { printBug, printError } from './print-error.ts'
import { topic } from './topics.ts'
import { UsageError } from './usage-error.ts'

/** Runs one command line, without the program's name, and returns its exit code. Never throws. */
export async function main(argv: readonly string[], io: Io): Promise<ExitCode> {
  try {
    return await dispatch(argv, io)
  } catch (error) {
    if (!(error instanceof ArchiveError)) return printBug(error, io)
    return printError(error, io, { json: argv.includes('--json') })
  }
}

async function dispatch([name = '--help', ...rest]: readonly string[], io: Io): Promise<ExitCode> {
  const print = async (text: string): Promise<ExitCode> => {
    await writeAll(io.stdout, [`${text}\n`])
    return 0
  }
  if (name === '--version' || name === '-v') return print(VERSION)
  if (name === '--help' || name === '-h') return print(await topic('commands'))
  if (name === 'help') {
    const about = rest[0] ?? 'commands'
    return print(isCommandName(about) ? await help(about) : await topic(about))
  }
  if (!isCommandName(name)) {
    const meant = nearest(name, Object.keys(COMMANDS))
    const hint = meant === undefined ? 'See: marc --help' : `Did you mean marc ${meant}?`
    throw new UsageError(`there is no command ${JSON.stringify(name)}`, hint)
  }
  if (wantsHelp(rest)) return print(await help(name))
  const command = await commandNamed(name)
  return command.run((await parseArguments(name, command, rest)) as never, io)
}

const help = async (name: keyof typeof COMMANDS) => helpFor(name, await commandNamed(name))

// What follows -- is never an option.
function wantsHelp(rest: readonly string[]): boolean {
  const options = rest.includes('--') ? rest.slice(0, rest.indexOf('--')) : rest
  return options.includes('--help') || options.includes('-h')
}
