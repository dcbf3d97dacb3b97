import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import Sqlite from 'better-sqlite3'
import { expect, test, vi } from 'vitest'
import { openDatabase } from '../../../src/database/open-database.ts'
import { issue, smallArchive, user } from '../../support/archives.ts'
import { inFolder, run, shareInput } from '../../support/run-command.ts'
import { everyDay, THOROUGH } from '../../support/thorough.ts'

const long = (word: string) =>
  `The first line\nthe ${word} line\nthe last line of a body that is long enough`

shareInput({
  'a.tar.gz': smallArchive({
    'issues_000001.json': [
      issue(1, 'One', { labels: ['l/x', 'l/y'], body: long('second') }),
      issue(2, 'Two'),
    ],
  }),
  'b.tar.gz': smallArchive({
    'issues_000001.json': [issue(1, 'Uno', { labels: ['l/y', 'l/z'], body: long('other') })],
    'users_000001.json': [user('ada'), user('grace'), user('eve\x1b[31m')],
    'attachments/a1/picture.txt': 'a picture\nof two lines\n',
  }),
  'other.txt': 'no archive',
})

const diff = (...words: string[]) => run(['diff', 'a.tar.gz', 'b.tar.gz', ...words])

test('prints each change with its members, and exits with 1', async () => {
  expect(await diff()).toEqual({
    code: 1,
    stderr: '',
    stdout: `~ issues https://host.example/acme/tools/issues/1
    title: "One" → "Uno"
    body:
      @@ -1,3 +1,3 @@
       The first line
      -the second line
      +the other line
       the last line of a body that is long enough
      \\ No newline at end of file
    labels:
      - "l/x"
      + "l/z"
- issues https://host.example/acme/tools/issues/2
    title: "Two"
+ users https://host.example/eve\\x1b[31m
~ files attachments/a1/picture.txt
    size: 9 → 23
    sha256: "${sum('a picture')}" → "${sum('a picture\nof two lines\n')}"
      @@ -1,1 +1,2 @@
      -a picture
      \\ No newline at end of file
      +a picture
      +of two lines
`,
  })
})

const sum = (text: string) => createHash('sha256').update(text).digest('hex')

test('prints nothing of what is equal, and exits with 0', THOROUGH, async () => {
  expect(await run(['diff', 'a.tar.gz', 'a.tar.gz', '--bytes'])).toEqual({
    code: 0,
    stdout: '',
    stderr: '',
  })
  expect((await run(['diff', 'a.tar.gz', 'a.tar.gz', '--format', 'json'])).stdout).toBe('[]\n')
})

test('compares words, counts, and lists one line each', THOROUGH, async () => {
  const { stdout } = await diff('--word', '--member', 'body')
  expect(stdout).toContain('line\\nthe [-second-]{+other+} line\\n')
  expect((await diff('--summary', '--no-files')).stdout).toBe(
    `~ issues https://host.example/acme/tools/issues/1 (title, body, labels)
- issues https://host.example/acme/tools/issues/2
+ users https://host.example/eve\\x1b[31m
`,
  )
  expect((await diff('--stat')).stdout).toBe(STAT)
})

const STAT = `kind    added  removed  changed
------  -----  -------  -------
issues      0        1        1
users       1        0        0
files       0        0        1

first   a.tar.gz, exported 2017-07-14T02:40:00Z; no problems
second  b.tar.gz, exported 2017-07-14T02:40:00Z; no problems
`

test('counts records that are of another kind now', THOROUGH, async () => {
  const { type, ...ada } = user('ada')
  inFolder({
    'a.tar.gz': smallArchive(),
    'b.tar.gz': smallArchive({
      'bots_000001.json': [{ type: 'bot', ...ada }],
      'users_000001.json': [],
    }),
  })
  const { stdout } = await run(['diff', 'a.tar.gz', 'b.tar.gz', '--stat', '--no-files'])
  expect(stdout).toMatch(/^bots +1 +0 +0\nusers +0 +2 +0$/m)
  expect(stdout).toContain('moved   1 from users to bots\n')
  expect(
    JSON.parse(
      (await run(['diff', 'a.tar.gz', 'b.tar.gz', '--stat', '--format', 'json'])).stdout,
    )[0],
  ).toEqual({
    kind: 'bots',
    added: 1,
    removed: 0,
    changed: 0,
  })
})

test('writes JSON with absent told apart from null, and Markdown', THOROUGH, async () => {
  const changes = JSON.parse(
    (await diff('--format', 'json', '--only', 'changed', '--no-files')).stdout,
  )
  expect(changes).toEqual([
    {
      kind: 'issues',
      url: 'https://host.example/acme/tools/issues/1',
      change: 'changed',
      members: {
        title: { before: 'One', after: 'Uno' },
        body: { before: long('second'), after: long('other') },
        labels: {
          before: ['l/x', 'l/y'],
          after: ['l/y', 'l/z'],
          removed: ['l/x'],
          added: ['l/z'],
        },
      },
    },
  ])
  const lines = (await diff('--format', 'ndjson')).stdout.trim().split('\n')
  expect(lines.map((line) => JSON.parse(line).kind)).toEqual(['issues', 'issues', 'users', 'files'])
  expect((await diff('--format', 'markdown', '--only', 'removed')).stdout).toBe(
    '```diff\n- issues https://host.example/acme/tools/issues/2\n    title: "Two"\n```\n\n',
  )
})

test('writes SQL that SQLite runs', THOROUGH, async () => {
  const { code, stdout } = await diff('--format', 'sql')
  expect(code).toBe(1)
  await run(['load', 'a.tar.gz', '-o', 'patched.db', '--force'])
  const database = openDatabase('patched.db', { readonly: false })
  database.exec(stdout)
  database.close()
  expect(await run(['diff', 'patched.db', 'b.tar.gz'])).toEqual({ code: 0, stdout: '', stderr: '' })
})

test(
  'sees no difference between an archive and its renamed copy, once told the names',
  THOROUGH,
  async () => {
    const names = ['--rename', 'ada=lovelace', '--rename', 'acme/tools=acme/kit']
    const host = ['--url', 'https://host.example=https://forge.example']
    await run(['map', 'a.tar.gz', ...names, ...host, '-o', 'renamed.tar.gz', '-q'])
    expect(await run(['diff', 'a.tar.gz', 'renamed.tar.gz', ...names, ...host])).toEqual({
      code: 0,
      stdout: '',
      stderr: '',
    })
    const old = ['--repo', 'acme/tools']
    const refused = await run(['diff', 'a.tar.gz', 'renamed.tar.gz', ...names, ...host, ...old])
    expect(refused.stderr).toMatch(
      /acme\/tools.*\nWhat is selected is named as after the renaming\n$/,
    )
  },
)

test('refuses a host that is none', THOROUGH, async () => {
  expect(await diff('--url', 'x=y')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('expected a host such as https://a.example, found "x"'),
  })
})

test(
  'takes the names from the report of a map, also of people who became one',
  THOROUGH,
  async () => {
    const names = ['--rename', 'ada=grace', '--rename', 'acme/tools=acme/kit', '--merge']
    const host = ['--url', 'https://host.example=http://forge.example:8080']
    const written = ['-o', 'merged.tar.gz', '--report', 'map.json', '-q']
    await run(['map', 'b.tar.gz', ...names, ...host, ...written])
    expect(await run(['diff', 'b.tar.gz', 'merged.tar.gz', '--map', 'map.json'])).toEqual({
      code: 0,
      stdout: '',
      stderr: '',
    })
  },
)

test('matches records by what follows the host', THOROUGH, async () => {
  const host = ['--url', 'https://host.example=http://forge.example:8080']
  await run(['map', 'a.tar.gz', ...host, '-o', 'moved.tar.gz', '-q'])
  expect(await run(['diff', 'a.tar.gz', 'moved.tar.gz', '--by', 'path'])).toEqual({
    code: 0,
    stdout: '',
    stderr: '',
  })
  expect((await diff('--by', 'path', '--stat')).stdout).toBe(STAT)
})

test('refuses to guess which of several hosts is which', THOROUGH, async () => {
  const people = (...hosts: string[]) =>
    smallArchive({
      'users_000001.json': hosts.map((h) => ({ ...user('ada'), url: `https://${h}/a` })),
      'issues_000001.json': [],
    })
  inFolder({ 'two.tar.gz': people('a.example', 'b.example'), 'one.tar.gz': people('c.example') })
  expect(await run(['diff', 'two.tar.gz', 'one.tar.gz', '--by', 'path'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(
      'one host on each side, found https://a.example, https://b.example and https://c.example',
    ),
  })
})

everyDay(1)([
  ['', 'expected a report that marc map wrote as JSON'],
  ['{"inverse":{}}', 'expected a report that marc map wrote as JSON'],
  [
    '{"merged":[],"inverse":{"hosts":[],"logins":[{"old":1,"new":"x"}],"repositories":[]}}',
    'expected a report that marc map wrote as JSON',
  ],
  [
    '{"merged":[],"inverse":{"hosts":[],"logins":[{"old":"a b","new":"x"}],"repositories":[]}}',
    'bad.json: expected a login, found "a b"',
  ],
])('refuses %j as a report of a map', async (text, message) => {
  writeFileSync('bad.json', text)
  expect(await run(['diff', 'a.tar.gz', 'a.tar.gz', '--map', 'bad.json'])).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining(message),
  })
})

everyDay(1)([
  ['--ignore', 'issues.titel', 'Did you mean issues.title?'],
  ['--ignore', 'title', 'Did you mean *.title?'],
  ['--ignore', 'files.size', 'List the members of a kind with: marc schema a.tar.gz <kind>'],
  ['--member', 'titel', 'Did you mean title?'],
])('%s %s, which no record has, is refused', async (option, name, advice) => {
  expect(await diff(option, name)).toEqual({
    code: 2,
    stdout: '',
    stderr: `marc: no record has such a member: ${name}\n${advice}\n`,
  })
})

test('a member without a column may be left out if a record has it', async () => {
  const files = (size: number) => ({ 'g_000001.json': [{ type: 'g', url: 'x:', 'a.b': { size } }] })
  inFolder({ 'a.tar.gz': smallArchive(files(1)), 'b.tar.gz': smallArchive(files(2)) })
  expect((await diff('--summary')).stdout).toBe('~ g x: (["a.b"].size)\n')
  expect(await diff('--ignore', 'g.["a.b"].size')).toMatchObject({ code: 0, stdout: '' })
})

test('is quiet on request', async () => {
  expect(await diff('-q')).toEqual({ code: 1, stdout: '', stderr: '' })
})

everyDay(1)([
  [['a.tar.gz', 'none.db'], 2],
  [['a.tar.gz', 'other.txt'], 3],
  [['-', '-'], 2],
  [['a.tar.gz', 'b.tar.gz', '--only', 'moved'], 2],
  [['a.tar.gz', 'b.tar.gz', '--author', 'nobody'], 2],
  [['a.tar.gz', 'b.tar.gz', '--context', 'x'], 2],
])('exits as diff does: %j with %d', async (words, code) => {
  const outcome = await run(['diff', ...words])
  expect({ code: outcome.code, stdout: outcome.stdout }).toEqual({ code, stdout: '' })
  expect(outcome.stderr).toMatch(/^marc: /)
  expect(existsSync('a.tar.gz') && readFileSync('a.tar.gz').length).toBeGreaterThan(0)
})

test('prepares no statement for each changed file', THOROUGH, async () => {
  const count = async (files: number) => {
    const content = (text: string) =>
      smallArchive(
        Object.fromEntries(
          Array.from({ length: files }, (_, i) => [`attachments/a${i}/x.txt`, text]),
        ),
      )
    inFolder({ 'before.tar.gz': content('one\n'), 'after.tar.gz': content('two\n') })
    const prepare = vi.spyOn(Sqlite.prototype, 'prepare')
    try {
      const { stdout } = await run(['diff', 'before.tar.gz', 'after.tar.gz'])
      expect(stdout.match(/^ +\+two$/gm)?.length).toBe(files)
      return prepare.mock.calls.length
    } finally {
      prepare.mockRestore()
    }
  }
  expect(await count(40)).toBe(await count(2))
})

test('a kind that nothing has is wrong usage, and no difference', async () => {
  expect(await diff('--kind', 'isues')).toEqual({
    code: 2,
    stdout: '',
    stderr: 'marc: a.tar.gz: there is no kind "isues"\nDid you mean issues?\n',
  })
})
