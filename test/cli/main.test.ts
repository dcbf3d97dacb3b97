import { describe, expect, test } from 'vitest'
import { VERSION } from '../../src/base/version.ts'
import { EXIT_CODES } from '../../src/cli/command/exit-codes.ts'
import { COMMAND_NAMES, FIRST_WORDS } from '../../src/cli/commands.ts'
import { TOPICS } from '../../src/cli/help/topics.ts'
import { FORMATS } from '../../src/cli/output/formats.ts'
import { smallArchive } from '../support/archives.ts'
import { inFolder, run } from '../support/run-command.ts'
import { everyDay, THOROUGH } from '../support/thorough.ts'

test.each(['--version', '-v'])('marc %s prints only the version', async (flag) => {
  expect(await run([flag])).toEqual({ code: 0, stdout: `${VERSION}\n`, stderr: '' })
})

describe('help', () => {
  test('lists every command and topic', async () => {
    const { code, stdout } = await run(['--help'])
    expect(code).toBe(0)
    for (const name of FIRST_WORDS) {
      expect(stdout).toMatch(new RegExp(`^ {2}marc ${name} `, 'm'))
    }
    for (const name of Object.keys(TOPICS)) expect(stdout).toContain(`marc help ${name} `)
    expect(stdout.split('\n').filter((line) => line.length > 82)).toEqual([])
  })

  test('on commands lists those of groups as well', async () => {
    const { stdout } = await run(['help', 'commands'])
    for (const name of COMMAND_NAMES) {
      expect(stdout).toMatch(new RegExp(`^ {2}marc ${name} `, 'm'))
    }
  })

  test.each([[], ['help', 'commands'], ['help', 'sql'], ['load', '--help'], ['cache', '--help']])(
    'fits a terminal of 60 columns: marc %s %s',
    async (...argv) => {
      const { stdout } = await run(argv, { tty: true, columns: 60 })
      // Command lines stay as they are, for copying.
      const isCommand = (line: string) => /^ *(marc|SELECT|FROM|#) /.test(line)
      const tooLong = stdout.split('\n').filter((line) => line.length > 60 && !isCommand(line))
      expect(tooLong).toEqual([])
    },
  )

  test('has 80 columns on a terminal that does not say how many it has', async () => {
    const { stdout } = await run(['--help'])
    expect((await run(['--help'], { tty: true, columns: 0 })).stdout).toBe(stdout)
  })

  test('is printed by marc without arguments', THOROUGH, async () => {
    const { stdout } = await run(['--help'])
    for (const argv of [[], ['-h'], ['help']]) {
      expect(await run(argv)).toEqual({ code: 0, stdout, stderr: '' })
    }
  })

  test.each(Object.keys(TOPICS))('on %s is printed', async (name) => {
    const { code, stdout, stderr } = await run(['help', name])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout.trim()).not.toBe('')
  })

  test('on exit codes and formats is complete', async () => {
    const codes = (await run(['help', 'exit-codes'])).stdout
    for (const meaning of Object.values(EXIT_CODES)) expect(codes).toContain(meaning)
    const formats = (await run(['help', 'formats'])).stdout
    for (const { summary } of Object.values(FORMATS)) expect(formats).toContain(summary)
  })
})

describe('a mistyped word', () => {
  everyDay(8)([
    [['lod'], 'there is no command "lod"', 'Did you mean marc load?'],
    [['insp'], 'there is no command "insp"', 'Did you mean marc inspect?'],
    [['version'], 'there is no command "version"', 'Did you mean marc --version?'],
    [['frobnicate'], 'there is no command "frobnicate"', 'See: marc --help'],
    [['toString'], 'there is no command "toString"', 'See: marc --help'],
    [['attachment'], 'there is no command "attachment"', 'Did you mean marc attachments?'],
    [['help', 'exit'], 'there is no topic "exit"', 'Did you mean marc help exit-codes?'],
    [['help', 'qurey'], 'there is no topic "qurey"', 'Did you mean marc help query?'],
    [['help', '__proto__'], 'there is no topic "__proto__"', 'See: marc --help'],
    [
      ['--nl', 'query'],
      'there is no command "--nl"',
      'Options come after the command: marc <command> [options]',
    ],
    [['load', 'a', '-x'], 'there is no option -x', 'See: marc load --help'],
    [
      ['load', '-x.tar.gz'],
      'there is no option -x.tar.gz',
      'If it is a file, name it: ./-x.tar.gz',
    ],
    [
      ['query', 'a', '-- all\nselect 1'],
      '"-- all" begins like an option',
      'Write it at the end, after --',
    ],
    [
      ['search', 'a', '-label:bug tide'],
      '"-label:bug tide" begins like an option',
      'Write it at the end, after --',
    ],
    [['query', 'a', '--no-header'], 'there is no option --no-header', 'Did you mean --no-headers?'],
    [['query', 'a', '--no-file'], 'there is no option --no-file', 'Did you mean --file?'],
    [['query', 'a', '--no-param'], 'there is no option --no-param', 'Did you mean --param?'],
    [
      ['query', 'a', '--max-rows.x', '1'],
      'there is no option --max-rows.x',
      'Did you mean --max-rows?',
    ],
    [['build', 'a', '--form'], '--form needs a value: --form <form>', 'See: marc build --help'],
    [['load', 'a', '-o'], '--output needs a value: --output <file>', 'See: marc load --help'],
    [
      ['load', 'a', '--output='],
      '--output needs a value: --output <file>',
      'See: marc load --help',
    ],
    [
      ['load', 'a', '-o', 'b', '-o', 'c'],
      '--output is given more than once',
      'See: marc load --help',
    ],
    [
      ['query', 'a', '-p', 'x'],
      '--param needs two values: --param <name> <value>',
      'See: marc query --help',
    ],
    [
      ['inspect', 'a', '--max-path', 'x'],
      '--max-path takes a number or off, not "x"',
      'See: marc inspect --help',
    ],
    [
      ['inspect', 'a', '--max-depth', '9'.repeat(20)],
      `--max-depth takes a number or off, not "${'9'.repeat(20)}"`,
      'See: marc inspect --help',
    ],
    [
      ['inspect', 'a', '--max-record', '16 bananas'],
      '--max-record takes a size or off, not "16 bananas"',
      'Write it like 500MiB or 2GiB.',
    ],
    [
      ['query', 'a', '--format', 'jsno'],
      '--format: expected one of table, json, ndjson, csv, tsv, markdown, raw, found "jsno"',
      'Did you mean json?',
    ],
    [
      ['build', 'a', '--form', '5'],
      '--form: expected one of github, ghes, exporter, found "5"',
      'See: marc build --help',
    ],
  ])('%j is refused with the closest match', async (argv, message, remedy) => {
    expect(await run(argv)).toEqual({
      code: 2,
      stdout: '',
      stderr: `marc: ${message}\n${remedy}\n`,
    })
  })

  test('an error with --json is a JSON object on standard error', async () => {
    const { code, stdout, stderr } = await run(['inspect', 'nowhere', '--json'])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(JSON.parse(stderr)).toEqual({
      error: {
        code: 'archive-not-found',
        message: 'there is no such file or folder',
        place: { archive: 'nowhere' },
        remedy: 'Check the path.',
      },
    })
  })
})

describe('arguments', () => {
  test('after -- are never options', async () => {
    inFolder({ '--help': smallArchive() })
    const { code, stdout } = await run(['inspect', '--', '--help'])
    expect(code).toBe(0)
    expect(stdout).toContain('archive  --help')
  })

  test('may follow or precede options', THOROUGH, async () => {
    inFolder({ 'a.tar.gz': smallArchive() })
    const outcome = await run(['query', 'a.tar.gz', 'select :n n', '--csv', '-p', 'n', '-5'])
    expect(outcome.stdout).toBe('n\n-5\n')
    expect(await run(['query', '--csv', '-p', 'n', '-5', 'a.tar.gz', 'select :n n'])).toEqual(
      outcome,
    )
  })

  test('that look like numbers stay text', async () => {
    inFolder({ '0123': smallArchive() })
    expect((await run(['inspect', '0123'])).stdout).toContain('archive  0123,')
  })
})

describe('colours', () => {
  test.each([
    ['on a terminal', { tty: true }, true],
    ['not in a pipe', {}, false],
    ['not with NO_COLOR', { tty: true, env: { NO_COLOR: '1' } }, false],
    ['not with CLICOLOR=0', { tty: true, env: { CLICOLOR: '0' } }, false],
    ['in a pipe with CLICOLOR_FORCE', { env: { CLICOLOR_FORCE: '1' } }, true],
  ])('%s', async (_name, options, coloured) => {
    inFolder({ 'a.tar.gz': smallArchive() })
    const { stdout } = await run(['inspect', 'a.tar.gz'], options)
    expect(stdout.includes('\x1b[1m')).toBe(coloured)
    expect((await run(['lod'], options)).stderr.includes('\x1b[31m')).toBe(coloured)
  })
})
