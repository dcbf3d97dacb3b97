import { ArchiveError } from '../../base/errors.ts'
import { isOpenToOthers } from '../../http/access/accounts-file.ts'
import type { Io } from '../command/io.ts'
import { type SafeText, safe } from '../command/safe-text.ts'
import { shellWord, UsageError } from '../command/usage-error.ts'

/** Longer than any password or token. */
const LONGEST = 1024

type Keyboard = Io['stdin'] & { setRawMode?(isRaw: boolean): void }

/**
 * Asks for a secret at the terminal, without showing what is typed.
 *
 * @param prompt the question, which goes to standard error
 * @param option what to pass where standard input is no terminal
 * @throws `UsageError` if standard input is not a terminal; `interrupted` for Ctrl-C, Ctrl-D and the end of input
 */
export async function askSecret(
  prompt: SafeText,
  option: string,
  { stdin, stderr }: Io,
): Promise<string> {
  const keyboard = stdin as Keyboard
  if (!keyboard.isTTY) {
    throw new UsageError('standard input is not a terminal', `Pass ${option}.`)
  }
  // Before the question, so that nothing typed early is shown.
  keyboard.setRawMode?.(true)
  stderr.write(prompt)
  keyboard.setEncoding('utf8')
  let typed = ''
  try {
    for await (const keys of keyboard.iterator({ destroyOnReturn: false })) {
      for (const key of keys as string) {
        if (key === '\r' || key === '\n') return typed
        if (key === '\x03' || key === '\x04') throw interrupted()
        if (key === '\x7f' || key === '\b') typed = [...typed].slice(0, -1).join('')
        else if (typed.length < LONGEST) typed += key
      }
    }
    throw interrupted()
  } finally {
    keyboard.setRawMode?.(false)
    keyboard.pause()
    stderr.write(safe`\n`)
  }
}

const interrupted = () => new ArchiveError('interrupted', 'nothing was typed')

/**
 * Reads a secret from standard input: its first and only line.
 *
 * @param option the option that asked for it
 * @throws `UsageError` for none, for several lines, and for one that is too long
 */
export async function readSecret(option: string, { stdin }: Io): Promise<string> {
  let text = ''
  for await (const piece of stdin) {
    text += String(piece)
    if (text.length > LONGEST) break
  }
  const [line = '', ...others] = text.replace(/\r?\n$/, '').split('\n')
  if (line !== '' && others.length === 0 && line.length <= LONGEST) return line
  throw new UsageError(`${option} expects one line on standard input`)
}

/** Warns of a file with secrets that other users can read. */
export function warnIfOpen(path: string | undefined, say: (text: string) => void): void {
  if (path === undefined || !isOpenToOthers(path)) return
  say(`warning: others can read ${path}; let only you: chmod go-r ${shellWord(path)}`)
}
