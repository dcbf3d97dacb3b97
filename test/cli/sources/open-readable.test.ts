import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { placesOf } from '../../../src/cli/command/command.ts'
import { COMMANDS, type CommandName, commandNamed } from '../../../src/cli/commands.ts'
import { smallArchive } from '../../support/archives.ts'
import { ROOT, run, shareFolder } from '../../support/run-command.ts'
import { outputOf } from '../../support/run-program.ts'
import { everyDay, firstOfEach, THOROUGH } from '../../support/thorough.ts'

const REPOSITORY = 'mona-lindqvist/tea-timer'

/** Arguments of each command that reads a source, after the source. */
const ASKED: Partial<Record<CommandName, readonly string[]>> = {
  inspect: ['--json'],
  ls: ['issues_000001.json', '--json'],
  cat: ['issues_000001.json'],
  tables: ['--csv'],
  schema: ['issues'],
  query: ['select number, title from threads order by number', '--csv'],
  search: ['kettle OR clock', '--nl'],
  show: [`${REPOSITORY}#4`, '--format', 'json'],
  diff: [join(ROOT, 'samples/organization.tar.gz'), '--summary'],
  redact: ['--what', 'logins', '--key-file', 'key', '--dry-run', '--json'],
  site: ['site'],
  map: ['--rename', 'mona-lindqvist=mona', '--dry-run', '--json'],
  check: ['--format', 'json', '--skip', 'container-folder'],
  build: ['-o', '-', '--repo', REPOSITORY, '-q'],
  shell: ['select count(*) from people;', '--csv'],
  'attachments list': [],
  'attachments extract': ['uploads', '-q', '--force', '--json'],
  'attachments check': ['--format', 'json'],
  'repo list': [],
  'repo refs': [REPOSITORY],
  'repo log': [REPOSITORY, '--oneline'],
  'repo show': [REPOSITORY, 'main', '--first-parent', '--nl'],
  'repo diff': [REPOSITORY, 'main~1', 'main'],
  'repo blame': [REPOSITORY, 'README.md'],
  'repo grep': ['e', REPOSITORY],
  'repo cat': [REPOSITORY, 'main:README.md'],
  'repo merge-base': [REPOSITORY, 'main', 'main'],
  'repo clone': [REPOSITORY, 'timer.git', '--force', '--json'],
  'repo archive': [REPOSITORY, '-o', 'timer.tar', '--force', '--json'],
  'repo fsck': [REPOSITORY],
  'repo index': [],
}

shareFolder({})
beforeAll(async () => {
  copyFileSync(join(ROOT, 'samples/hello.tar.gz'), 'hello.tar.gz')
  mkdirSync('hello')
  outputOf('tar', ['xzf', 'hello.tar.gz', '-C', 'hello'])
  await run(['load', 'hello.tar.gz'])
  writeFileSync('key', '0'.repeat(64))
})

const names = Object.keys(COMMANDS) as CommandName[]

/** It compares its source with what a server has. */
const WITH_A_SERVER: CommandName = 'migration validate'

test('every command that reads a source is tested here', async () => {
  const found = await Promise.all(
    names.map(async (name) => {
      const { usage } = await commandNamed(name)
      // query and shell take several.
      return placesOf(usage)[0]?.name === 'source' || usage.startsWith('<sources..> [')
    }),
  )
  expect(Object.keys(ASKED).sort()).toEqual(
    names.filter((name, i) => found[i] && name !== WITH_A_SERVER).sort(),
  )
})

// Names of the source, and durations.
const varies = (text: string) =>
  text
    .replaceAll(/hello(\.tar\.gz|\.db)?|standard input|stream\.db|"seconds":[\d.]+/g, '')
    .replaceAll(/"archives": \[\s*"-"\s*\]/g, '"archives": [""]')
    .replaceAll(/"archives": \[\s*""\s*\]/g, '"archives": [""]')
    // A cached database has only the contents that a command needs.
    .replaceAll(/^((file_)?chunks|entries|tar_headers),.*\n/gm, '')
    .replaceAll(/"modified_at":"[^"]*"/g, '')

/** The first command of each group, and those that read a source in a way of their own. */
const OWN = new Set(['query', 'cat', 'check', 'build'])
const [[first], [others]] = firstOfEach(Object.entries(ASKED), ([name]) =>
  OWN.has(name) ? name : name.split(' ')[1] && name.split(' ')[0],
)
describe.each(first)('marc %s', (name, asked) => testSources(name, asked))
describe.each(others)('marc %s', THOROUGH, (name, asked) => testSources(name, asked))

function testSources(name: string, asked: readonly string[]): void {
  const ask = async (source: string, stdin?: Uint8Array) => {
    const given = stdin && { stdin }
    // A site that is there is only brought up to date.
    rmSync('site', { recursive: true, force: true })
    const { code, stdout, stderr } = await run([...name.split(' '), source, ...asked], given)
    const text = name === 'inspect' ? JSON.stringify(countsOf(stdout)) : stdout
    return { code, stdout: varies(text), stderr }
  }

  test('has the same result for an archive and a database', THOROUGH, async () => {
    const expected = await ask('hello.tar.gz')
    expect(expected).toMatchObject({ code: name === 'diff' ? 1 : 0, stderr: '' })
    expect(expected.stdout).not.toBe('')
    expect(await ask('hello.db')).toEqual(expected)
  })

  const options = name === 'query' ? {} : THOROUGH
  test('has the same result for a folder and standard input', options, async () => {
    const expected = await ask('hello.tar.gz')
    // Building a folder renumbers its files.
    if (name !== 'build') expect(await ask('hello')).toEqual(expected)
    if (name === 'repo index') return
    expect(await ask('-', readFileSync('hello.tar.gz'))).toEqual(expected)
  })
}

everyDay(1)(['query', 'check'])('marc %s reads a database on standard input', async (name) => {
  const asked = ASKED[name as CommandName] ?? []
  const outcome = await run([name, '-', ...asked], { stdin: readFileSync('hello.db') })
  const expected = await run([name, 'hello.db', ...asked])
  expect({ ...outcome, stdout: varies(outcome.stdout) }).toEqual({
    ...expected,
    stdout: varies(expected.stdout),
  })
})

function countsOf(inspection: string) {
  const { name, size, form, archives, ...counts } = JSON.parse(inspection)
  return sorted(counts)
}

const sorted = (value: unknown): unknown =>
  value === null || typeof value !== 'object' || Array.isArray(value)
    ? value
    : Object.entries(value)
        .map(([key, each]) => [key, sorted(each)])
        .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1))

test('ls lists a database entry by entry as its archive', async () => {
  const { stdout } = await run(['ls', 'hello.tar.gz', '--json'])
  expect(await run(['ls', 'hello.db', '--json'])).toEqual({ code: 0, stdout, stderr: '' })
})

test('the temporary database of standard input is removed with the command', THOROUGH, async () => {
  // Other tests have temporary files as well.
  mkdirSync('temporary')
  vi.stubEnv('TMPDIR', resolve('temporary'))
  const cached = readdirSync('.cache/migration-archive')
  await run(['query', '-', 'select 1'], { stdin: smallArchive() })
  await run(['query', '-', 'select nonsense'], { stdin: smallArchive() })
  vi.unstubAllEnvs()
  expect(readdirSync('temporary')).toEqual([])
  expect(readdirSync('.cache/migration-archive')).toEqual(cached)
})

test('a named pipe is read once, and not into the cache', THOROUGH, async () => {
  outputOf('mkfifo', ['pipe'])
  const cached = readdirSync('.cache/migration-archive')
  const ended = run(['query', 'pipe', 'select count(*) from issues', '-r'])
  await writeFile('pipe', readFileSync('hello.tar.gz'))
  expect(await ended).toEqual({ code: 0, stdout: '5\n', stderr: '' })
  expect(readdirSync('.cache/migration-archive')).toEqual(cached)
})

test('a command that needs the other kind of source says how to get it', async () => {
  const stderr = async (...argv: string[]) => (await run(argv)).stderr
  expect(await stderr('load', 'hello.db', '-o', 'b.db')).toContain(
    'marc build hello.db -o hello.tar.gz',
  )
  expect(await stderr('doctor', 'hello.tar.gz')).toContain('marc check hello.tar.gz')
  expect(await stderr('repo', 'index', '-')).toContain('marc load - -o <database>')
})
