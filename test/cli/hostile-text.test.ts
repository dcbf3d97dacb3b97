import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isGroupName, COMMANDS as TABLE_OF_COMMANDS } from '../../src/cli/commands.ts'
import { evilArchive, issue, smallArchive } from '../support/archives.ts'
import { type Outcome, run, shareFolder } from '../support/run-command.ts'
import { type Host, migration, startHost, TOKEN } from '../support/scripted-host.ts'
import { everyDay, firstOfEach, THOROUGH } from '../support/thorough.ts'

const ENTRY = 'attachments/a1/\x1b[31m\x9b2J\x1b]0;owned\x07\u202eevil\r.txt'
const USER = 'https://host.example/ada\x1b[31m\x9b2J\x1b]0;owned\x07\u202eevil\r\x00'

const REPOSITORY = 'a/\x1b[31m\x9b2J\x1b]0;owned\x07\u202eevil\r'

// Our own text has only line feeds and tabs.
const CONTROLS = /[\p{Cc}\p{Bidi_Control}]/u
const controlsIn = ({ stdout, stderr }: Outcome) =>
  [...(stdout + stderr).replace(/[\n\t]/g, '')].filter((character) => CONTROLS.test(character))

// The first line of each command is run every day. Those that take long are among the lines of `test/hostile/terminal.test.ts`.
const COMMANDS: string[][] = [
  ['inspect', 'evil.tar.gz'],
  ['inspect', 'evil.tar.gz', '--json'],
  ['inspect', '\x1b[31m.tar.gz'],
  ['inspect', '\x1b[31m'],
  ['inspect', 'evil.db'],
  ['inspect', 'evil.db', '--json'],
  ['ls', 'evil.db'],
  ['ls', 'evil.tar.gz'],
  ['ls', 'evil.tar.gz', '--json'],
  ['ls', 'evil.tar.gz', '\x1b[31m'],
  ['cat', 'evil.tar.gz', '\x1b[31m'],
  ['load', 'evil.tar.gz', '--force'],
  ['load', 'evil.tar.gz', '--json', '--force'],
  ['load', '\x1b[31m.tar.gz'],
  ['tables', 'evil.tar.gz', '--all'],
  ['schema', 'evil.tar.gz'],
  ['schema', 'evil.tar.gz', '\x1b[31m'],
  ['query', 'evil.tar.gz', 'select * from users'],
  ['query', 'evil.tar.gz', 'select url, login, name from users, "\x1b[31m"'],
  ['query', 'evil.tar.gz', 'select 1 as "\x1b[31m"'],
  ['query', 'evil.tar.gz', '\x1b[31m'],
  ...['table', 'json', 'ndjson', 'markdown'].map((format) => [
    'query',
    'evil.tar.gz',
    'select url, login, name, _extra from users',
    '--format',
    format,
  ]),
  ['query', 'evil.tar.gz', 'select path, code, message from files, problems', '-t'],
  ['search', 'evil.tar.gz', 'title'],
  ...['text', 'markdown', 'json'].flatMap((format) => [
    ['show', 'evil.tar.gz', 'https://host.example/acme/tools/issues/1', '--format', format],
    ['show', 'evil.tar.gz', USER, '--format', format],
  ]),
  ['show', 'evil.tar.gz', '\x1b[31m'],
  ['search', 'evil.tar.gz', 'evil', '--format', 'ndjson'],
  ['search', 'evil.tar.gz', '\x1b[31m'],
  ['search', 'evil.tar.gz', 'nothing\x1b[31m'],
  ...['text', 'json', 'sarif', 'markdown'].map((format) => [
    'check',
    'evil.tar.gz',
    '--format',
    format,
  ]),
  ['check', '\x1b[31m.tar.gz'],
  ['attachments', 'list', 'evil.tar.gz'],
  ['attachments', 'list', 'evil.tar.gz', '--nl'],
  ['attachments', 'check', 'evil.tar.gz'],
  ['attachments', 'extract', 'evil.tar.gz', 'out', '--verbose'],
  ['attachments', 'extract', 'evil.tar.gz', '\x1b[31m', '--json'],
  ['attachments', '\x1b[31m'],
  ['check', 'evil.tar.gz', '--only', '\x1b[31m'],
  ['doctor', 'evil.db'],
  ['doctor', 'evil.db', '--repair', '--json'],
  ['build', 'evil.db', '-o', 'again.tar.gz', '--force', '--allow-invalid', '--verbose'],
  ['build', 'evil.db', '-o', '\x1b[31m.tar.gz', '--repo', '\x1b[31m'],
  ['diff', 'evil.tar.gz', '\x1b[31m'],
  ...['text', 'json', 'ndjson', 'markdown'].map((format) => [
    'diff',
    'evil.tar.gz',
    'other.tar.gz',
    '--format',
    format,
  ]),
  ['diff', 'other.tar.gz', 'evil.tar.gz', '--summary'],
  ['diff', 'evil.tar.gz', 'other.tar.gz', '--only', '\x1b[31m'],
  ['map', 'evil.tar.gz', '--users', '\x1b[31m', '-o', 'mapped.db'],
  ['map', 'evil.tar.gz', '--url', 'https://host.example=https://h.example', '--dry-run'],
  ['map', 'evil.db', '--url', 'https://host.example=https://h.example', '--dry-run', '--json'],
  ['map', 'evil.tar.gz', '--rename', 'ada=eve\x1b[31m', '--dry-run'],
  ['map', 'evil.tar.gz', '--rename', 'eve=ada', '--unmapped', 'refuse', '-o', 'mapped.db'],
  ['map', 'evil.tar.gz', '--rename', 'ada=eve', '--report', '\x1b[31m', '-o', 'mapped.db'],
  ['redact', 'evil.tar.gz', '--keep', '\x1b[31m', '-o', 'redacted.db'],
  ['redact', 'evil.tar.gz', '--dry-run'],
  ['redact', 'evil.db', '--what', 'emails,names,logins', '-o', 'redacted.db', '--json'],
  ['redact', 'evil.tar.gz', '--what', '\x1b[31m', '--dry-run'],
  ['site', '\x1b[31m.db', 'site'],
  ['site', 'evil.tar.gz', 'site'],
  ['site', 'evil.db', '\x1b[31m', '--json'],
  ['export', '--csv', 'tables', '--remove', '\x1b[31m'],
  ['export', 'evil.tar.gz', '--csv', 'tables'],
  ['export', 'evil.db', '--parquet', '\x1b[31m', '--json'],
  ['export', 'evil.tar.gz', '--ndjson', 'lines', '--as', '\x1b[31m'],
  ['export', 'evil.tar.gz', '\x1b[31m', '--ndjson', 'lines'],
  ['serve', '\x1b[31m.db', '--port', '0'],
  ['serve', 'evil.db', '--port', '0', '--json'],
  ['serve', 'evil.db', '--bind', '\x1b[31m', '--insecure'],
  ['mcp', '\x1b[31m.db'],
  ['mcp', 'evil.db', '--print-config', 'claude-code'],
  ['mcp', '\x1b[31m.db', '--print-config', 'codex'],
  ['shell', 'evil.tar.gz', '.schema\n.tables\nselect url, name from users'],
  ['shell', 'evil.tar.gz', '.mode table\nselect url, name from users'],
  ['shell', 'evil.tar.gz', '.\x1b[31m'],
  ['tables', '\x1b[31m.tar.gz'],
  ['accounts', 'user', 'accounts.json', 'eve', '--email', '\x1b[31m@\x9b.example'],
  ['accounts', 'user', '\x1b[31m/accounts.json', 'eve'],
  ['accounts', 'token', 'accounts.json', 'eve', '--note', '\x1b[31m\u202eevil'],
  ['accounts', 'token', 'accounts.json', '\x1b[31m'],
  ['accounts', 'organization', 'accounts.json', 'forge', '--member', '\x1b[31m:admin'],
  ['accounts', 'remove', 'accounts.json', '\x1b[31m'],
  ['accounts', 'list', 'accounts.json'],
  ['migration', 'start', 'ada/\x1b[31m'],
  ['migration', 'list'],
  ['migration', 'list', '--nl'],
  ['migration', 'status', '1'],
  ['migration', 'status', '\x1b[31m'],
  ['migration', 'status', '1', '--json'],
  ['migration', 'status', '2'],
  ['migration', 'watch', '1', '--server', 'http://\x1b[31m'],
  ['migration', 'watch', '1', '--verbose'],
  ['migration', 'repos', '1'],
  ['migration', 'download', '1', '-o', '\x1b[31m/x'],
  ['migration', 'delete', '1', '--yes'],
  ['migration', 'unlock', '1', '--all'],
  ['migration', 'unlock', '\x1b[31m'],
  ['migration', 'validate', 'evil.tar.gz', 'a/\x1b[31m', '--repo', '\x1b[31m/x'],
  ['migration', 'validate', 'evil.tar.gz', '--repo', 'a/\x1b[31m'],
  ['migration', 'import', 'evil.tar.gz', '--org', '\x1b[31m', '--repo', 'x', '--dry-run'],
  ['migration', 'mannequins', 'list', '--org', '\x1b[31m'],
  ['migration', 'mannequins', '\x1b[31m', '--org', 'forge'],
  ['migration', 'authorize', '--user', '\x1b[31m'],
  ['cache', 'list'],
  ['cache', 'clear', '\x1b[31m.tar.gz'],
  ['repo', 'list', 'evil.tar.gz'],
  ['repo', 'list', 'evil.tar.gz', '-t'],
  ['repo', 'refs', 'evil.tar.gz', REPOSITORY],
  ['repo', 'log', 'evil.tar.gz', REPOSITORY],
  ['repo', 'show', 'evil.tar.gz', REPOSITORY],
  ['repo', 'diff', 'evil.tar.gz', REPOSITORY, '\x1b[31m..main'],
  ['repo', 'blame', 'evil.tar.gz', REPOSITORY, '\x1b[31m'],
  ['repo', 'grep', 'evil.tar.gz', 'x', '\x1b[31m'],
  ['repo', 'cat', 'evil.tar.gz', REPOSITORY, 'main:\x1b[31m'],
  ['repo', 'merge-base', 'evil.tar.gz', REPOSITORY, 'main', '\x1b[31m'],
  ['repo', 'index', 'evil.db', '--verbose'],
  ['repo', 'clone', 'evil.tar.gz', REPOSITORY, 'out.git', '--json'],
  ['repo', 'clone', 'evil.tar.gz', REPOSITORY, 'out.git'],
  ['repo', 'archive', 'evil.tar.gz', REPOSITORY, '-o', 'out.tar'],
  ['repo', 'archive', 'evil.tar.gz', REPOSITORY, '\x1b[31m', '-o', '-', '--json'],
  ['repo', 'fsck', 'evil.tar.gz'],
  ['repo', 'fsck', 'evil.tar.gz', '--json'],
  ['completion', '\x1b[31m'],
  ['frob\x1b[31m'],
  ['help', '\x1b[31m'],
  ['load', 'x', '--\x1b[31m'],
]

// These write cells or entries unchanged to a pipe, but escape them on a terminal.
const RAW: string[][] = [
  ...['raw', 'csv', 'tsv'].map((format) => [
    'query',
    'evil.tar.gz',
    'select url, login, name, _extra from users',
    '--format',
    format,
  ]),
  ['diff', 'evil.tar.gz', 'other.tar.gz', '--format', 'sql'],
  ['map', 'evil.tar.gz', '--template'],
  ['cat', 'evil.tar.gz', ENTRY],
  ['cat', 'evil.tar.gz', 'users_000001.json'],
  ['cat', 'evil.tar.gz', USER],
]

const archive = evilArchive()
const other = smallArchive({
  'issues_000001.json': [issue(1, 'Other')],
  'attachments/a1/\x1b[31m\x9b2J\x1b]0;owned\x07\u202eevil\r.txt': 'other',
})
const files = { 'evil.tar.gz': archive, 'other.tar.gz': other, '\x1b[31m.tar.gz': archive }
const titled = (commands: string[][]) =>
  commands.map((argv) => [JSON.stringify(argv.join(' ')), argv] as const)

shareFolder(files)

const TEXT = USER.replace('https://host.example/', '')
let host: Host
beforeAll(async () => {
  host = await startHost()
  host.migrations = [migration(1, { repositories: [{ full_name: `a/${TEXT}` }], created_at: TEXT })]
  const refusal = { status: 403, body: { message: TEXT } }
  host.script('GET /user/migrations/2', refusal, refusal)
})
afterAll(() => host.close())
beforeAll(() => run(['load', 'evil.tar.gz', '-q']))

// A format for programs is the same on a terminal.
const isForProgram = (argv: string[]) => /^(--json|--nl|json|ndjson|sarif)$/.test(argv.at(-1) ?? '')
const isForPeople = (argv: string[]) => !isForProgram(argv)

const expectNoControls = async (argv: string[], tty: false | 'stdout'): Promise<void> => {
  const env = { NO_COLOR: '1', MARC_SERVER: host.url, MARC_TOKEN: TOKEN }
  const outcome = await run(argv, { tty, env })
  expect(outcome.stdout + outcome.stderr).not.toBe('')
  expect(controlsIn(outcome)).toEqual([])
}

const commands = firstOfEach(COMMANDS, ([first = '', second]) =>
  isGroupName(first) ? `${first} ${second}` : first,
)
describe.each(commands)(
  'Of the lines of each command, Q3: no control character',
  (lines, options) => {
    test.each(titled(lines))('leaves %s', options, (_title, argv) =>
      expectNoControls(argv, isForPeople(argv) && 'stdout'),
    )
    test.each(titled(lines.filter(isForPeople)))('leaves %s in a pipe', THOROUGH, (_title, argv) =>
      expectNoControls(argv, false),
    )
  },
)

everyDay(1)(titled(RAW))(
  'Q3: no control character leaves %s on a terminal',
  async (_title, argv) => {
    const outcome = await run(argv, { tty: 'stdout', env: { NO_COLOR: '1' } })
    expect(outcome).toMatchObject({ code: argv[0] === 'diff' ? 1 : 0, stderr: '' })
    expect(controlsIn(outcome)).toEqual([])
  },
)

test('every command is in the table', () => {
  const words = [...COMMANDS, ...RAW].map(([first = '', second = '']) =>
    isGroupName(first) ? `${first} ${second}` : first,
  )
  expect(Object.keys(TABLE_OF_COMMANDS).filter((name) => !words.includes(name))).toEqual([])
})

test('progress escapes the name of the archive', async () => {
  const { stderr } = await run(['inspect', '\x1b[31m.tar.gz'], { tty: 'stderr' })
  expect(stderr).toContain('inspecting \\x1b[31m.tar.gz')
  expect(stderr.replaceAll('\r\x1b[2K', '')).not.toMatch(CONTROLS)
})

test('cat and raw write stored bytes unchanged to a pipe', async () => {
  const name = USER.replace('https://host.example/ada', '')
  expect((await run(['cat', 'evil.tar.gz', ENTRY])).stdout).toBe(name)
  const raw = await run(['query', 'evil.tar.gz', 'select name from users', '-r'])
  expect(raw.stdout).toBe(`${name}\n`)
})

test('JSON has the same text, escaped', THOROUGH, async () => {
  const { stdout } = await run(['query', 'evil.tar.gz', 'select url from users'])
  expect(JSON.parse(stdout)).toEqual([{ url: USER }])
  for (const command of ['inspect', 'load']) {
    JSON.parse((await run([command, 'evil.tar.gz', '--json'])).stdout)
  }
  const entries: { path: string }[] = JSON.parse(
    (await run(['ls', 'evil.tar.gz', '--json'])).stdout,
  )
  expect(entries.map(({ path }) => path)).toContain(ENTRY)
})
