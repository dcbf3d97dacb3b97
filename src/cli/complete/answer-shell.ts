import type { Io } from '../command/io.ts'
import { escapeControls } from '../output/escape-controls.ts'
import { type SafeText, safe } from '../output/safe-text.ts'
import { completeLine } from './complete-line.ts'

/** What a shell is told that asks how a line goes on: lines of text, as `SHELLS` expect them. */
export async function answerShell(
  [shell, ...typed]: readonly string[],
  io: Pick<Io, 'env'>,
): Promise<SafeText> {
  const words = shell === 'bash' ? asTyped(typed) : typed
  const found = await completeLine(words, { env: io.env, brief: shell === 'bash' })
  if (found === 'files') return safe`:files\n`
  if (shell !== 'bash') {
    return found
      .map((pair) => safe`${pair.map((part = '') => escapeControls(part)).join(safe`\t`)}\n`)
      .join('')
  }
  // Bash takes what follows a = for a word of its own.
  const done = /^--?[\w-]+=/.exec(words.at(-1) ?? '')?.[0].length ?? 0
  return found.map(([value]) => safe`${escapeControls(value.slice(done))}\n`).join('')
}

/** The words of bash, which are as they were typed: with quotes, and in three where there is a =. */
function asTyped(words: readonly string[]): string[] {
  const joined: string[] = []
  for (const [i, word] of words.entries()) {
    const last = joined.at(-1)
    const goesOn = last?.startsWith('-') && (word === '=' || words[i - 1] === '=')
    if (goesOn) joined[joined.length - 1] = last + word
    else joined.push(word)
  }
  return joined.map((word) => word.replace(/\\(.)|["']/g, '$1'))
}
