import { Writable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { COMMANDS, type CommandName, commandNamed } from '../../src/cli/commands.ts'
import { main } from '../../src/cli/main.ts'
import { displayWidth } from '../../src/cli/output/display-width.ts'
import { run, shareSamples } from '../support/run-command.ts'
import { wordsOf } from '../support/words-of.ts'

/** What every command keeps to, shown by its own examples. */

const names = Object.keys(COMMANDS) as CommandName[]
const commands = await Promise.all(
  names.map(async (name) => ({ name, command: await commandNamed(name) })),
)
const examples = commands.flatMap(({ command }) => command.examples.map(([line]) => line))

/** What follows the name of the program. */
const typed = (line: string) => wordsOf(line).slice(1)

// Formats for programs, what is stored, and paths and sentences with paths are never cut to a terminal.
const UNCUT =
  /^marc (repo )?cat |^marc (ls|repo clone) |^marc completion |--(json|nl|csv|format|list)\b/

shareSamples()

test('every example runs as it is, and prints something', async () => {
  for (const line of examples) {
    const outcome = await run(typed(line))
    expect({ line, ...outcome }).toMatchObject({ line, code: 0, stderr: '' })
    expect(outcome.stdout, line).not.toBe('')
    expect(outcome.stdout, line).not.toContain('\x1b')
  }
})

describe.each([80, 200])('on a terminal of %d columns', (columns) => {
  test('every example fits, and is without colours under NO_COLOR', async () => {
    for (const line of examples) {
      const options = { tty: 'stdout', columns, env: { NO_COLOR: '1' } } as const
      const { code, stdout } = await run(typed(line), options)
      expect({ line, code }).toEqual({ line, code: 0 })
      expect(stdout, line).not.toContain('\x1b')
      if (UNCUT.test(line)) continue
      // A word that is longer, such as a url, is left whole.
      const wide = stdout
        .split('\n')
        .filter((text) => displayWidth(text) > columns && /\S\s+\S/.test(text))
      expect(wide, line).toEqual([])
    }
  })
})

test('a closed pipe ends every example quietly', async () => {
  for (const line of examples) {
    const { code, stderr, writes } = await runClosed(typed(line))
    expect({ line, code, stderr }).toEqual({ line, code: 0, stderr: '' })
    expect(writes, line).toBe(1)
  }
})

/** Runs a command whose reader is gone when the first piece comes. */
async function runClosed(argv: readonly string[]) {
  let writes = 0
  let stderr = ''
  const stdout = new Writable({
    write(_piece, _encoding, done) {
      writes++
      done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }))
    },
  })
  const code = await main(argv, {
    stdin: Object.assign(process.stdin, { isTTY: true }),
    stdout,
    stderr: new Writable({
      write(piece, _encoding, done) {
        stderr += piece
        done()
      },
    }),
    env: { HOME: '.', XDG_CACHE_HOME: '.cache' },
  })
  return { code, stderr, writes }
}

const withJson = commands.filter(({ command }) => 'json' in command.options)

describe.each(withJson)('marc $name --json', ({ name, command }) => {
  test('prints JSON, and its errors as JSON', async () => {
    const [[line] = ['']] = command.examples
    const loads = /\.db\b/.test(line) ? examples.filter((each) => /^marc load /.test(each)) : []
    for (const before of loads) await run(typed(before))
    const { code, stdout } = await run([...typed(line), '--json'])
    expect(code).toBe(0)
    expect(isJson(stdout) || stdout.trimEnd().split('\n').every(isJson), stdout).toBe(true)

    const missing = [...name.split(' '), 'no-such-file', 'a/b', 'c'].slice(
      0,
      name.split(' ').length + placed(command.usage),
    )
    const { stderr } = await run([...missing, '--json'])
    expect(JSON.parse(stderr)).toMatchObject({
      error: { code: expect.any(String), remedy: expect.any(String) },
    })
  })
})

const placed = (usage: string) => usage.split(' ').filter((part) => part.startsWith('<')).length

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const withRows = commands.filter(({ name, command }) => 'nl' in command.options && name !== 'shell')

describe.each(withRows)('marc $name', ({ command }) => {
  test('writes its rows in every format', async () => {
    const line = command.examples.map(([line]) => line).at(-1)
    const words = typed(line?.replace(/ --(csv|nl|format markdown)$/, '') ?? '')
    for (const [option, form] of Object.entries(FORMS)) {
      const { code, stdout, stderr } = await run([...words, option])
      expect({ option, code, stderr }).toEqual({ option, code: 0, stderr: '' })
      expect(stdout, option).toMatch(form)
    }
  })
})

const FORMS: Record<string, RegExp> = {
  '--format=json': /^\[\{[\s\S]*\}\]\n$/,
  '--nl': /^(\{.*\}\n)+$/,
  '--csv': /^\w+(,\w+)+\n/,
  '--tsv': /^\w+(\t\w+)+\n/,
  '--format=markdown': /^\| \w+ \|.*\n\| --- \|/,
  '-t': /^\w+.*\n---+/,
  '-r': /^.+\n/,
}
