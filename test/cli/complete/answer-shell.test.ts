import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { placesOf } from '../../../src/cli/command/command.ts'
import { COMMANDS, type CommandName, commandNamed } from '../../../src/cli/commands.ts'
import { smallArchive } from '../../support/archives.ts'
import { besideSamples, inFolder, run } from '../../support/run-command.ts'
import { everyDay, THOROUGH } from '../../support/thorough.ts'

const small = smallArchive()

/** The lines that a shell gets for a command line; the last word is the one to complete. */
async function ask(shell: string, ...words: string[]): Promise<string[]> {
  const { code, stdout, stderr } = await run(['__complete', shell, ...words])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return stdout.split('\n').slice(0, -1)
}

const names = Object.keys(COMMANDS) as CommandName[]

describe('every command', () => {
  everyDay(12)(names)('%s is completed, and so are its options', async (name) => {
    const words = name.split(' ')
    const last = words.at(-1) as string
    expect(await ask('bash', ...words.slice(0, -1), last.slice(0, -1))).toContain(last)
    const { options, usage } = await commandNamed(name)
    const placed = placesOf(usage).map((place) => place.name)
    const found = await ask('zsh', ...words, '--')
    for (const [flag, option] of Object.entries(options)) {
      if (placed.includes(flag)) continue
      const typed = `--${option.default === true ? 'no-' : ''}${flag}`
      expect(found).toContain(`${typed}\t${option.describe}`)
      if (option.choices) {
        expect(await ask('bash', ...words, `--${flag}`, '')).toEqual(option.choices.map(String))
      }
    }
  })
})

test.each([
  [['he'], ['help']],
  [['--v'], ['--version']],
  [['nonsense', ''], []],
  [['repo', 'nonsense', ''], []],
  [['help', 'exit'], ['exit-codes']],
  [
    ['help', 'attachments', ''],
    ['list', 'extract', 'check'],
  ],
  [
    ['completion', ''],
    ['bash', 'zsh', 'fish'],
  ],
  [['load', ''], [':files']],
  [['load', 'a.tar.gz', 'b'], [':files']],
  [['load', '-o', ''], [':files']],
  [['repo', 'clone', 'a.tar.gz', '-o', ''], [':files']],
  [['site', 'a.tar.gz', '--output', ''], [':files']],
  [['query', ''], [':files']],
  [['query', 'x.db', ''], []],
  [['query', '-f', ''], [':files']],
  [['query', '--format', 'nd'], ['ndjson']],
  [['query', '--format', '=', 'nd'], ['ndjson']],
  [
    ['query', '--format', '='],
    ['table', 'json', 'ndjson', 'csv', 'tsv', 'markdown', 'raw'],
  ],
  [['query', '--csv', '--cs'], ['--csv-safe']],
  [['query', '--', '--c'], [':files']],
  [['query', 'x', '--saved', 'reviewe'], ['reviewers']],
  [['query', '--saved', '--hel'], ['--help']],
  [
    ['query', 'x', '--saved', 'stale-pull-requests', '-p', ''],
    ['days', 'repo'],
  ],
  [['query', 'x', '--saved', 'stale-pull-requests', '-p', 'days', ''], []],
  [['schema', 'no-such.db', ''], []],
])('bash completes %j with %j', async (words, expected) => {
  inFolder()
  expect(await ask('bash', ...words)).toEqual(expected)
})

test('other shells get the option with its value, and descriptions', async () => {
  inFolder()
  expect(await ask('zsh', 'query', '--format=nd')).toEqual(['--format=ndjson'])
  expect(await ask('fish', 'quer')).toEqual(['query\tRun a SQL query'])
})

describe('from the database on the line', () => {
  test('tables and repositories are completed', THOROUGH, async () => {
    besideSamples()
    await run(['load', 'samples/hello.tar.gz', '-o', 'my a.db', '-q'])
    expect(await ask('zsh', 'schema', 'my a.db', 'issue_co')).toContain('issue_comments')
    expect(await ask('bash', 'schema', 'my\\ a.db', 'thre')).toEqual(['thread_facts', 'threads'])
    expect(await ask('bash', 'schema', '"my a.db"', 'thre')).toEqual(['thread_facts', 'threads'])
    const repositories = ['mona-lindqvist/tea-timer']
    expect(await ask('fish', 'repo', 'log', 'my a.db', '')).toEqual(repositories)
    expect(await ask('bash', 'search', 'my\\ a.db', 'x', '--repo', 'mona')).toEqual(repositories)
  })

  test('the value of a parameter is completed by its type', THOROUGH, async () => {
    inFolder({ 'a.tar.gz': small, 'q/by.sql': '-- :who person, it\nSELECT :who' })
    await run(['load', 'a.tar.gz'])
    const { stdout } = await run(
      ['__complete', 'bash', 'query', 'a.db', '--saved', 'by', '-p', 'who', ''],
      { env: { MARC_QUERIES: 'q' } },
    )
    expect(stdout).toBe('ada\ngrace\n')
    expect(await ask('bash', 'search', 'a.db', 'x', '--author', 'gr')).toEqual(['grace'])
    expect(await ask('bash', 'build', 'a.db', '--kind', 'iss')).toEqual(['issues'])
  })

  test('an archive is completed from the cache, and never loaded', THOROUGH, async () => {
    inFolder({ 'a.tar.gz': small })
    expect(await ask('bash', 'schema', 'a.tar.gz', 'thre')).toEqual([])
    await run(['tables', 'a.tar.gz'])
    expect(await ask('bash', 'schema', 'a.tar.gz', 'thre')).toEqual(['thread_facts', 'threads'])
  })

  test('a damaged file leaves the shell without an answer', async () => {
    inFolder({ 'x.db': `SQLite format 3\0${'x'.repeat(5000)}` })
    expect(await run(['__complete', 'bash', 'schema', 'x.db', ''])).toMatchObject({ stdout: '' })
  })

  test('names that a shell would expand are left out', async () => {
    mkdirSync(join(inFolder(), 'q'))
    writeFileSync('q/$(touch evil).sql', 'SELECT 1')
    writeFileSync('q/good.sql', 'SELECT 1')
    const { stdout } = await run(['__complete', 'bash', 'query', 'x', '--saved', ''], {
      env: { MARC_QUERIES: 'q' },
    })
    expect(stdout).toContain('good\n')
    expect(stdout).not.toContain('touch')
  })
})

test.each(['bash', 'zsh', 'fish'])('prints what %s runs', async (shell) => {
  const { code, stdout } = await run(['completion', shell])
  expect(code).toBe(0)
  expect(stdout).toContain(`marc __complete ${shell}`)
})

test('lists the known shells', async () => {
  const { code, stderr } = await run(['completion', 'fisch'])
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr:
      'marc: expected one of bash, zsh, fish, found "fisch"\nDid you mean marc completion fish?\n',
  })
})
