import { describe, expect, test } from 'vitest'
import { placesOf } from '../../src/cli/command.ts'
import { COMMANDS, type CommandName, commandNamed } from '../../src/cli/commands.ts'
import { EXIT_CODES } from '../../src/cli/exit-codes.ts'
import { besideSamples, inFolder, run, runShell } from '../support/run-command.ts'

const names = Object.keys(COMMANDS) as CommandName[]

describe.each(names)('marc %s', (name) => {
  test('describes itself, its arguments and its options', async () => {
    const { usage, summary, options } = await commandNamed(name)
    expect(usage).toMatch(/^<\w+(\.\.)?>( \[?<?\w+>?\]?)*$/)
    expect(summary).toMatch(/^[A-Z].*[^.]$/)
    for (const place of placesOf(usage)) expect(Object.keys(options)).toContain(place.name)
    for (const [option, { describe }] of Object.entries(options)) {
      expect(describe, option).toMatch(/^[A-Za-z].+[^.]$/)
    }
  })

  test('shows all of this in its help, with examples and exit codes', async () => {
    const { usage, summary, options, examples } = await commandNamed(name)
    const { code, stdout, stderr } = await run([name, '--help'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain(`Usage: marc ${name} ${usage}`)
    expect(stdout).toContain(summary)
    for (const option of Object.keys(options)) expect(stdout).toContain(option)
    for (const [line, what] of examples) {
      expect(stdout).toContain(`\n  ${line}\n`)
      expect(stdout).toContain(what)
    }
    for (const [exit, meaning] of Object.entries(EXIT_CODES)) {
      expect(stdout).toMatch(new RegExp(`^ +${exit}  ${meaning}$`, 'm'))
    }
  })

  test('fits its help, examples apart, into 80 columns', async () => {
    const { stdout } = await run([name, '--help'])
    const lines = stdout.split('\n').filter((line) => !line.startsWith('  marc '))
    expect(lines.filter((line) => line.length > 80)).toEqual([])
  })

  test('has two examples at least, which begin with its name', async () => {
    const { examples } = await commandNamed(name)
    expect(examples.length).toBeGreaterThanOrEqual(2)
    for (const [line] of examples) expect(line).toMatch(new RegExp(`^marc ${name} `))
  })

  test('has the same help for -h and marc help', async () => {
    const { stdout } = await run([name, '--help'])
    expect((await run([name, '-h'])).stdout).toBe(stdout)
    expect((await run(['help', name])).stdout).toBe(stdout)
    expect((await run([name, 'x', '--nonsense', '--help'])).stdout).toBe(stdout)
  })

  test('refuses an unknown option and tells the nearest one', async () => {
    const { options, usage } = await commandNamed(name)
    const placed = placesOf(usage).map((place) => place.name)
    const option = Object.keys(options).findLast((flag) => !placed.includes(flag)) as string
    const { code, stdout, stderr } = await run([name, 'x', `--${option}x`])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toBe(`marc: there is no option --${option}x\nDid you mean --${option}?\n`)
  })

  test('refuses an option that resembles none and points to its help', async () => {
    const { code, stderr } = await run([name, 'x', '--qqqqqqqqq=1'])
    expect(code).toBe(2)
    expect(stderr).toBe(`marc: there is no option --qqqqqqqqq\nSee: marc ${name} --help\n`)
  })

  test('names an argument that is missing', async () => {
    const [first] = placesOf((await commandNamed(name)).usage)
    const { code, stdout, stderr } = await run([name])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toBe(`marc: <${first?.name}> is missing\nSee: marc ${name} --help\n`)
  })

  test('refuses an argument that is empty', async () => {
    const { code, stderr } = await run([name, '', 'x'])
    expect(code).toBe(2)
    expect(stderr).toContain('is empty')
  })

  test.runIf(name !== 'load')('refuses an argument too many', async () => {
    const { code, stderr } = await run([name, 'a', 'b', 'c'])
    expect(code).toBe(2)
    expect(stderr).toMatch(/^marc: "[bc]" is one argument too many\n/)
  })

  test('answers what does not exist with code 2', async () => {
    inFolder()
    const places = placesOf((await commandNamed(name)).usage).filter(({ many }) => !many)
    const { code, stdout, stderr } = await run(
      [name, 'no-such-file', 'x'].slice(0, 1 + Math.max(1, places.length)),
    )
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^marc: no-such-file: there is no such file/)
  })
})

const examples = await Promise.all(
  names.map(async (name) => (await commandNamed(name)).examples.map(([line]) => line)),
)

test('every example runs as it is, and prints something', async () => {
  besideSamples()
  for (const line of examples.flat()) {
    const outcome = await run(wordsOf(line).slice(1))
    expect({ line, ...outcome }).toMatchObject({ line, code: 0, stderr: '' })
    expect(outcome.stdout, line).not.toBe('')
  }
})

test('a shell splits the examples as this test does', async () => {
  inFolder()
  const lines = examples.flat()
  const shell = lines.map((line) => `printf '%s\\n' ${line}; echo`).join('\n')
  const { stdout } = await runShell(shell)
  expect(stdout).toBe(lines.map((line) => `${wordsOf(line).join('\n')}\n\n`).join(''))
})

/** A command line as a shell splits it, as far as the examples need. */
const wordsOf = (line: string) =>
  [...line.matchAll(/"([^"$`\\]*)"|[^\s"'$`\\]+/g)].map(([word, quoted]) => quoted ?? word)
