import { ArchiveError } from '../errors.ts'
import { VERSION } from '../version.ts'
import { COMMANDS, commandNamed, isCommandName } from './commands.ts'
import { describeCommand } from './describe-command.ts'
import type { ExitCode } from './exit-codes.ts'
import type { Io } from './io.ts'
import { nearest } from './nearest.ts'
import { writeAll } from './output/write-all.ts'
import { parseArguments } from './parse-arguments.ts'
import { printBug, printError } from './print-error.ts'
import { topic } from './topics.ts'
import { UsageError } from './usage-error.ts'

/** Runs one command line, without the program's name, and returns its exit code. Never throws. */
export async function main(argv: readonly string[], io: Io): Promise<ExitCode> {
  try {
    return await dispatch(argv, io)
  } catch (error) {
    const stopped = io.signal?.aborted && new ArchiveError('interrupted', 'interrupted', {}, error)
    const known = stopped || error
    if (!(known instanceof ArchiveError)) return printBug(error, io)
    return printError(known, io, { json: beforeDashes(argv).includes('--json') })
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
  if (!isCommandName(name)) throw unknownCommand(name)
  const asked = beforeDashes(rest)
  if (asked.includes('--help') || asked.includes('-h')) return print(await help(name))
  const command = await commandNamed(name)
  let options: Record<string, unknown> = {}
  try {
    options = await parseArguments(command, rest)
    return await command.run(options as never, io)
  } catch (error) {
    if (error instanceof UsageError) throw error.in(name)
    const { archive } = options
    throw error instanceof ArchiveError && archive ? error.at({ archive: String(archive) }) : error
  }
}

const help = async (name: keyof typeof COMMANDS) => describeCommand(name, await commandNamed(name))

function unknownCommand(name: string): UsageError {
  const message = `there is no command ${JSON.stringify(name)}`
  if (/^--(?!vers|help)/.test(name)) {
    return new UsageError(message, 'Options come after the command: marc <command> [options]')
  }
  const meant = nearest(name, [...Object.keys(COMMANDS), 'help', '--version', '--help'])
  return new UsageError(message, meant && `Did you mean marc ${meant}?`)
}

// What follows -- is never an option.
const beforeDashes = (words: readonly string[]) =>
  words.includes('--') ? words.slice(0, words.indexOf('--')) : words
