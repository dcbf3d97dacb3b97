import { ArchiveError, orInterrupted } from '../base/errors.ts'
import { VERSION } from '../base/version.ts'
import type { ExitCode } from './command/exit-codes.ts'
import type { Io } from './command/io.ts'
import { ownText, safe } from './command/safe-text.ts'
import { AdvisedError, UsageError } from './command/usage-error.ts'
import { commandNamed } from './commands.ts'
import { findCommand, missingCommand } from './find-command.ts'
import { writeAll } from './output/write-all.ts'

/** Runs one command line, without the program's name, and returns its exit code. Never throws. */
export async function main(argv: readonly string[], io: Io): Promise<ExitCode> {
  try {
    return await dispatch(argv, io)
  } catch (error) {
    const isKnown = error instanceof ArchiveError && error.code === 'interrupted'
    const known = isKnown ? error : orInterrupted(error, io.signal)
    const { printBug, printError } = await import('./print-error.ts')
    if (!(known instanceof ArchiveError)) return printBug(error, io)
    return printError(known, io, { json: beforeDashes(argv).includes('--json') })
  }
}

/** The columns of help: a terminal may have fewer than others. */
const LEAST_WIDTH = 40
const MOST_WIDTH = 80

async function helpOf(words: readonly string[], { stdout }: Io): Promise<string> {
  const columns = (stdout.isTTY && stdout.columns) || MOST_WIDTH
  const width = Math.max(LEAST_WIDTH, Math.min(columns, MOST_WIDTH))
  return (await import('./help/help.ts')).helpOf(words, width)
}

// Modules are imported on demand: loading all of them takes longer than many commands.
async function dispatch(argv: readonly string[], io: Io): Promise<ExitCode> {
  const print = async (text: string): Promise<ExitCode> => {
    await writeAll(io.stdout, [safe`${ownText(text)}\n`])
    return 0
  }
  const [first = '--help', ...words] = argv
  if (first === '--version' || first === '-v') return print(VERSION)
  if (first === '--help' || first === '-h') return print(await helpOf([], io))
  if (first === '__complete') {
    const { answerShell } = await import('./complete/answer-shell.ts')
    await writeAll(io.stdout, [await answerShell(words, io)])
    return 0
  }
  if (first === '__remote') {
    const { answerRemote } = await import('./process/serve-git-remote.ts')
    return answerRemote(words, io)
  }
  if (first === 'help') return print(await helpOf(words, io))
  const found = findCommand(argv)
  const asked = beforeDashes(found.rest)
  if (asked.includes('--help') || asked.includes('-h')) {
    return print(await helpOf('group' in found ? [found.group] : found.name.split(' '), io))
  }
  if ('group' in found) throw missingCommand(found.group, found.rest)
  const { name, rest } = found
  const command = await commandNamed(name)
  const { parseArguments } = await import('./command/parse-arguments.ts')
  let options: Record<string, unknown> = {}
  const atEnd: (() => void)[] = []
  try {
    options = parseArguments(command, rest)
    const { sourceOptionsOf } = await import('./command/foreign-options.ts')
    const own: Io = {
      ...io,
      foreign: sourceOptionsOf(options, command),
      atEnd: (work) => void atEnd.push(work),
    }
    if (io.runApart) {
      const { isDeaf } = await import('./process/is-deaf.ts')
      if (await isDeaf(command, options, own)) return await io.runApart(argv, options)
    }
    return await runPaged(options, own, (paged) => command.run(options as never, paged))
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error
    const { whenInterrupted } = command
    if (error.code === 'interrupted' && whenInterrupted && !(error instanceof AdvisedError)) {
      throw new AdvisedError(error, whenInterrupted)
    }
    const { nameOption, nameSource } = await import('./sources/name-source.ts')
    if (error instanceof UsageError) throw nameSource(error.in(name), options, command)
    const { database, sources, source = database ?? onlyOf(sources) } = options
    // An error in a statement or a search has no place in the source, nor does an interrupt.
    const isPlaced =
      source !== undefined &&
      !/^(query|search|limit-rows|map-(invalid|collision)|option-invalid|interrupted)/.test(
        error.code,
      )
    const placed = isPlaced ? error.at({ archive: String(source) }) : error
    const { suggestFile, suggestName, suggestOrder } = await import('./sources/suggest-name.ts')
    const named = await suggestName(placed, source, io)
    const ordered = suggestOrder(suggestFile(named), { name, usage: command.usage, options })
    throw nameSource(nameOption(ordered, command), options, command)
  } finally {
    for (const work of atEnd) work()
  }
}

/** Runs a command, through a pager if the command has one and writes to a terminal. */
async function runPaged<T>(
  { pager, timeout, web }: Record<string, unknown>,
  io: Io,
  run: (io: Io) => Promise<T>,
): Promise<T> {
  // A child process writes to the terminal itself, and a server lasts.
  const isPaged =
    pager === true && timeout === undefined && web !== true && io.stdout.isTTY === true
  const paged = isPaged ? (await import('./output/pager.ts')).openPager(io) : undefined
  try {
    return await run(paged?.io ?? io)
  } finally {
    await paged?.finish()
  }
}

// Nothing after -- is an option.
const beforeDashes = (words: readonly string[]) =>
  words.includes('--') ? words.slice(0, words.indexOf('--')) : words

/** The source that errors without a place are about. Of several, none is. */
const onlyOf = (sources: unknown): unknown =>
  Array.isArray(sources) && sources.length === 1 ? sources[0] : undefined
