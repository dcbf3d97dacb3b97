import { createInterface, type Interface } from 'node:readline'
import { ArchiveError } from '../../base/errors.ts'
import type { Io } from '../command/io.ts'
import { safe } from '../command/safe-text.ts'
import { printBug, printError } from '../print-error.ts'
import { createCompleter } from './complete-input.ts'
import { asLines, createHistory } from './history.ts'
import { type Input, openInput } from './open-input.ts'
import type { Terminal } from './open-screen.ts'
import type { Session } from './session.ts'
import type { StatementProcess } from './statement-process.ts'

const PROMPT = 'marc> '
const GOES_ON = '  ..> '
const ENDINGS = ['SIGTERM', 'SIGHUP', 'SIGQUIT'] as const

/** Reads from a terminal until the user quits. `prepare` creates the session for the terminal. */
export async function runPrompt(
  io: Io,
  statements: StatementProcess,
  prepare: (terminal: Terminal) => Session,
): Promise<void> {
  const history = createHistory(io)
  let input: Input | undefined
  const lines = createInterface({
    input: io.stdin,
    output: io.stdout as unknown as NodeJS.WritableStream,
    terminal: true,
    historySize: 1_000,
    history: [...history.lines],
    removeHistoryDuplicates: true,
    completer: (line: string) => complete(line),
  }) as Interface & { history: string[] }
  io.stdin.on('keypress', historySearch(lines))
  const session = prepare(terminalOf(io, lines))
  const opened = openInput(session)
  input = opened
  const complete = createCompleter(session.source, io, () => input?.pending ?? '')
  let isBusy = false
  const prompt = () => {
    lines.setPrompt(opened.pending === '' ? PROMPT : GOES_ON)
    lines.prompt()
  }
  lines.on('SIGINT', () => {
    if (isBusy) return statements.stop()
    opened.drop()
    io.stdout.write(safe`^C\n`)
    // Deletes the line before and after the cursor.
    lines.write(null, { ctrl: true, name: 'e' })
    lines.write(null, { ctrl: true, name: 'u' })
    prompt()
  })
  // Restore the terminal and stop the running statement.
  const end = (signal: NodeJS.Signals) => {
    lines.close()
    statements.stop()
    process.kill(process.pid, signal)
  }
  for (const signal of ENDINGS) process.once(signal, end)
  prompt()
  let typed = ''
  for await (const line of lines) {
    typed += `${line}\n`
    isBusy = true
    const isDone = await attempt(opened, line, io)
    isBusy = false
    if (opened.pending === '') {
      if (typed.trim() !== '') remember(typed, lines, history)
      typed = ''
    }
    if (isDone) break
    prompt()
  }
  for (const signal of ENDINGS) process.off(signal, end)
  lines.close()
}

interface Key {
  name?: string
  ctrl?: boolean
}

/** Ctrl-R completes the line with the last one that contains it; pressed again, with older ones. */
function historySearch(lines: Interface & { history: readonly string[] }) {
  let wanted: string | undefined
  let next = 0
  return (_typed: string | undefined, { name, ctrl }: Key): void => {
    if (!ctrl || name !== 'r') {
      wanted = undefined
      return
    }
    if (wanted === undefined) next = 0
    wanted ??= lines.line
    const text = wanted.toLowerCase()
    const found = lines.history.findIndex(
      (line, i) => i >= next && line.toLowerCase().includes(text),
    )
    if (found < 0) return
    next = found + 1
    lines.write(null, { ctrl: true, name: 'e' })
    lines.write(null, { ctrl: true, name: 'u' })
    lines.write(lines.history[found] ?? '')
  }
}

/** Prints errors instead of ending the shell. */
async function attempt(input: Input, line: string, io: Io): Promise<boolean> {
  try {
    return await input.accept(line)
  } catch (error) {
    if (error instanceof ArchiveError) printError(error, io, { json: false })
    else printBug(error, io)
    return false
  }
}

/** Adds a statement to the history, as one line if possible. */
function remember(
  text: string,
  { history }: { history: string[] },
  { add }: { add(lines: readonly string[]): void },
): void {
  const lines = asLines(text)
  const [joined, ...more] = lines
  const parts = text.split('\n').filter((line) => line.trim() !== '')
  if (joined !== undefined && more.length === 0 && parts.length > 1) {
    while (parts.includes(history[0] ?? '')) history.shift()
    history.unshift(joined)
  }
  add(lines)
}

/** Pauses readline while a pager reads the keyboard and handles interrupts. */
const terminalOf = ({ stdin }: Io, lines: Interface): Terminal => ({
  async handOver(work) {
    const keyboard = stdin as Io['stdin'] & { setRawMode?(raw: boolean): void }
    const ignore = () => {}
    lines.pause()
    keyboard.setRawMode?.(false)
    process.on('SIGINT', ignore)
    try {
      await work()
    } finally {
      process.off('SIGINT', ignore)
      keyboard.setRawMode?.(true)
      lines.resume()
    }
  },
})
