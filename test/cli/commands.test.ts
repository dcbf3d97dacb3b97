import { beforeAll, describe, expect, test } from 'vitest'
import { flagsOf, placesOf } from '../../src/cli/command/command.ts'
import { EXIT_CODES, exitsOf } from '../../src/cli/command/exit-codes.ts'
import {
  COMMANDS,
  type CommandName,
  commandNamed,
  commandsOf,
  GROUPS,
  type GroupName,
  summaryOf,
} from '../../src/cli/commands.ts'
import { inFolder, run, runShell } from '../support/run-command.ts'
import { firstOfEach, THOROUGH } from '../support/thorough.ts'
import { wordsOf } from '../support/words-of.ts'

const names = Object.keys(COMMANDS) as CommandName[]

/** The first command of each group, and the first without one: all are parsed alike. */
const FIRST = new Set<string>(
  firstOfEach(names, (name) => (name.includes(' ') ? name.split(' ')[0] : ''))[0][0],
)

/** Options without which a command does not start. */
const REQUIRED: Partial<Record<CommandName, readonly string[]>> = { export: ['--csv', 'tables'] }

describe.each(names)('marc %s', (name) => {
  const words = name.split(' ')
  const daily = FIRST.has(name) ? {} : THOROUGH
  const required = REQUIRED[name] ?? []
  let help = ''

  beforeAll(async () => {
    const { code, stdout, stderr } = await run([...words, '--help'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    help = stdout
  })

  test('describes itself, its arguments and its options', async () => {
    const { usage, options } = await commandNamed(name)
    expect(usage).toMatch(/^(?:$|\[\w+\.\.\]$|<\w+(\.\.)?>( \[?<?\w+(\.\.)?>?\]?)*$)/)
    expect(summaryOf(name)).toMatch(/^[A-Z].*[^.]$/)
    for (const place of placesOf(usage)) expect(Object.keys(options)).toContain(place.name)
    for (const [option, { describe }] of Object.entries(options)) {
      expect(describe, option).toMatch(/^[A-Za-z].+[^.]$/)
    }
  })

  test('shows all of this in its help, with examples and exit codes', async () => {
    const { usage, options, examples } = await commandNamed(name)
    expect(help.split('\n', 1)).toEqual([`marc ${name} ${usage}`.trimEnd()])
    expect(help).toContain(`\n${summaryOf(name)}\n`)
    for (const option of Object.keys(options)) expect(help).toContain(option)
    for (const [line, what] of examples) {
      expect(help).toContain(`\n  ${line}\n`)
      expect(help).toContain(what)
    }
    const command = await commandNamed(name)
    const exits = exitsOf(command)
    const shown = help.slice(help.indexOf('Exit codes:\n'))
    const listed = [...shown.matchAll(/^ +(\d+) {2}(.+)$/gm)].map(([, code, what]) => [
      Number(code),
      what,
    ])
    expect(listed).toEqual(
      exits.map((code) => [code, command.exitMeanings?.[code] ?? EXIT_CODES[code]]),
    )
  })

  test('says in its help what the value of each option stands for', async () => {
    const flags = help.matchAll(/^ {2}(?:-\w, | {4})--([\w-]+)( [<[]\S.*?[>\]]\S*)?(?: |$)/gm)
    const shown = new Map([...flags].map(([, flag, value]) => [flag, value !== undefined]))
    for (const [flag, { type, default: standard }] of flagsOf(await commandNamed(name))) {
      const isBoolean = type === 'boolean'
      expect(shown.get(standard === true ? `no-${flag}` : flag), flag).toBe(!isBoolean)
    }
  })

  // The options of other commands have no effect by default.
  const choosing = name === 'build' || name === 'check'

  test.runIf(choosing)('shows the default of each option with a value', async () => {
    const { usage, options } = await commandNamed(name)
    const placed = [...placesOf(usage).map((place) => place.name), 'output']
    const flags = help.split(/\n(?= {2}(?:-\w, | {4})--)/).map((text) => text.replace(/\s+/g, ' '))
    for (const [option, { type, default: standard }] of Object.entries(options)) {
      if (type === 'boolean' || placed.includes(option)) continue
      const flag = flags.find((text) => new RegExp(`^ (?:-\\w, )?--${option} `).test(text))
      expect(flag, option).toMatch(standard === undefined ? /\[.+\]/ : `[${standard}]`)
    }
  })

  test('has help that fits 80 columns, except examples', () => {
    const lines = help.split('\n').filter((line) => !line.startsWith('  marc '))
    expect(lines.filter((line) => line.length > 80)).toEqual([])
  })

  test('has at least two examples, which begin with its name', async () => {
    const { examples } = await commandNamed(name)
    expect(examples.length).toBeGreaterThanOrEqual(2)
    for (const [line] of examples) expect(line).toMatch(new RegExp(`^marc ${name}( |$)`))
  })

  test('has the same help for -h and marc help', daily, async () => {
    expect((await run([...words, 'x', '--nonsense', '-h'])).stdout).toBe(help)
    expect((await run(['help', ...words])).stdout).toBe(help)
  })

  const takesOptions = name !== 'completion'

  test.runIf(takesOptions)(
    'refuses an unknown option and suggests the closest one',
    daily,
    async () => {
      const { options, usage } = await commandNamed(name)
      const placed = placesOf(usage).map((place) => place.name)
      const option = Object.keys(options).findLast((flag) => !placed.includes(flag)) as string
      const { code, stdout, stderr } = await run([...words, 'x', `--${option}x`])
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      expect(stderr).toBe(`marc: there is no option --${option}x\nDid you mean --${option}?\n`)
    },
  )

  test('refuses an option that resembles none and points to its help', daily, async () => {
    const { code, stderr } = await run([...words, 'x', '--qqqqqqqqq=1'])
    expect(code).toBe(2)
    expect(stderr).toBe(`marc: there is no option --qqqqqqqqq\nSee: marc ${name} --help\n`)
  })

  // These do without one, or ask a server.
  const takesNoArgument = ['migration list', 'migration authorize'].includes(name)
  const isOptional = ['migration start', 'migration unlock'].includes(name) || takesNoArgument
  const needsSource = !name.startsWith('cache ')

  test.runIf(needsSource && !isOptional)('names an argument that is missing', daily, async () => {
    const [first] = placesOf((await commandNamed(name)).usage)
    const { code, stdout, stderr } = await run([...words, ...required])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toBe(`marc: <${first?.name}> is missing\nSee: marc ${name} --help\n`)
  })

  test.runIf(needsSource && !takesNoArgument)(
    'refuses an argument that is empty',
    daily,
    async () => {
      const { code, stderr } = await run([...words, '', 'x'])
      expect(code).toBe(2)
      expect(stderr).toContain('is empty')
    },
  )

  const asksServer = name.startsWith('migration ')
  const many = [
    'load',
    'serve',
    'mcp',
    'search',
    'build',
    'check',
    'export',
    'query',
    'shell',
    'repo merge-base',
  ]
  const takesMany =
    many.includes(name) || /^(?:migration (start|unlock|import)|cache clear)$/.test(name)

  test.runIf(!takesMany)('refuses an argument too many', daily, async () => {
    const places = placesOf((await commandNamed(name)).usage)
    const { code, stderr } = await run([...words, ...places.map(() => 'a'), 'b'])
    expect(code).toBe(2)
    expect(stderr).toMatch(/^marc: "b" is one argument too many\n/)
  })

  // Most commands of this group make the file.
  const makesFile = name.startsWith('accounts ') && name !== 'accounts list'
  const takesFiles = name !== 'completion' && needsSource && !makesFile && !asksServer

  test.runIf(takesFiles)('ends with code 2 if the source does not exist', async () => {
    inFolder()
    const places = placesOf((await commandNamed(name)).usage)
    const { code, stdout, stderr } = await run([
      ...words,
      ...required,
      ...['no-such-file', ...places.map(() => 'x')].slice(0, Math.max(1, places.length)),
    ])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^marc: no-such-file: there is no such file/)
  })
})

describe.each(Object.keys(GROUPS) as GroupName[])('marc %s', (group) => {
  const commands = commandsOf(group)

  test('shows its commands in its help, within 80 columns', async () => {
    const { code, stdout, stderr } = await run([group, '--help'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain(GROUPS[group])
    expect(commands.length).toBeGreaterThan(0)
    for (const name of commands) {
      expect(stdout).toMatch(new RegExp(`^ {2}marc ${name} {2,}\\w`, 'm'))
    }
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([])
    expect((await run([group, '-h'])).stdout).toBe(stdout)
    expect((await run(['help', group])).stdout).toBe(stdout)
  })

  const words = commands.map((name) => name.slice(group.length + 1))
  const expected = `Expected one of ${words.join(', ')}. See: marc ${group} --help\n`

  test('alone says which commands it has', async () => {
    const stderr = `marc: which command of ${group}?\n${expected}`
    expect(await run([group])).toEqual({ code: 2, stdout: '', stderr })
  })

  test('suggests the closest command, or lists all', async () => {
    for (const word of words) {
      const { code, stderr } = await run([group, `${word}x`])
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: `marc: there is no command "${group} ${word}x"\nDid you mean marc ${group} ${word}?\n`,
      })
    }
    const { code, stderr } = await run([group, 'frobnicate'])
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `marc: there is no command "${group} frobnicate"\n${expected}`,
    })
    expect(await run(['help', group, 'frobnicate'])).toEqual({ code, stdout: '', stderr })
  })

  test('says where options belong', async () => {
    const { code, stderr } = await run([group, '--nl', words[0] as string])
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `marc: there is no command "${group} --nl"\nOptions come after the command: marc ${group} <command> [options]\n`,
    })
  })
})

test('Every command of two words is in a group, and no group has the name of a command', () => {
  const grouped = (Object.keys(GROUPS) as GroupName[]).flatMap(commandsOf)
  expect(names.filter((name) => name.includes(' '))).toEqual(grouped)
  for (const name of names) expect(Object.keys(GROUPS)).not.toContain(name)
})

const examples = await Promise.all(
  names.map(async (name) => (await commandNamed(name)).examples.map(([line]) => line)),
)

test('a shell splits the examples as the tests do', THOROUGH, async () => {
  inFolder()
  const lines = examples.flat()
  const shell = lines.map((line) => `printf '%s\\n' ${line}; echo`).join('\n')
  const { stdout } = await runShell(shell)
  expect(stdout).toBe(lines.map((line) => `${wordsOf(line).join('\n')}\n\n`).join(''))
})
