import { expect, test } from 'vitest'
import { SIGNAL_EXITS } from '../../src/cli/command/exit-codes.ts'
import { COMMANDS, type CommandName, commandNamed } from '../../src/cli/commands.ts'
import { inFolder, start } from '../support/run-command.ts'
import { everyDay } from '../support/thorough.ts'
import { wordsOf } from '../support/words-of.ts'

const SIGNALS = Object.keys(SIGNAL_EXITS) as (keyof typeof SIGNAL_EXITS)[]
const SOURCE = /^samples\/|^\w+\.db$/

/** The first examples of commands with a source, as words, with standard input in its place. */
const lines: string[][] = []
for (const name of Object.keys(COMMANDS) as CommandName[]) {
  const { examples, options } = await commandNamed(name)
  const [, ...words] = wordsOf(examples[0]?.[0] ?? '')
  const reads = Object.values(options).some(({ describe }) => describe?.includes('or - for'))
  const at = words.findIndex((word) => SOURCE.test(word))
  // What adds to a database takes nothing else.
  if (reads && at > 0 && name !== 'repo index') {
    const line = words.map((word, i) => (i === at ? '-' : word))
    // A database of standard input has no name of its own.
    lines.push(name === 'load' ? [...line, '-o', 'loaded.db'] : line)
  }
}
const rows = lines.map((words, i) => {
  const signal = SIGNALS[i % SIGNALS.length] as (typeof SIGNALS)[number]
  return [signal, words.join(' '), words] as const
})

test('Nearly every command reads an archive from standard input', () => {
  expect(lines.length).toBeGreaterThan(25)
})

everyDay(1)(rows)('%s ends marc %s as a shell shows a killed process', async (...row) => {
  const [signal, , words] = row as unknown as (typeof rows)[number]
  inFolder()
  // Commands that ask a server ask it when they have read their source.
  const { child, ended } = start(words, { env: { MARC_SERVER: 'http://127.0.0.1:9' } })
  // It waits for an archive that never comes, or is not yet that far and is killed.
  child.stdin.on('error', () => {})
  child.stdin.write('\x1f')
  await new Promise((done) => setTimeout(done, 400))
  child.kill(signal)
  const { code } = await ended
  expect(child.signalCode ?? code).toBe(child.signalCode ? signal : SIGNAL_EXITS[signal])
})
