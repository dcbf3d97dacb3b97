import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { issue, smallArchive, user } from '../../support/archives.ts'
import { unpack } from '../../support/build.ts'
import { inFolder, run, shareInput } from '../../support/run-command.ts'
import { sarifFaults } from '../../support/sarif-faults.ts'

const SECRET = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`
const FILES = {
  'a.tar.gz': smallArchive({
    'users_000001.json': [
      user('ada', { name: 'Ada Lovelace', emails: [{ address: 'ada@host.example' }] }),
    ],
    'issues_000001.json': [
      issue(1, 'From Ada Lovelace', { body: `ada@host.example, v1.2.3.4, ${SECRET}` }),
    ],
  }),
  key: 'a key of thirty-two bytes or more',
  short: 'too short',
  also: 'picture\n',
  bad: 'x\n/(a+)+/\n',
  ...{ empty: '', optional: '/(a?){30}b/', open: 'x\n/a(/', nothing: '/a*/' },
}

shareInput(FILES)

const redact = (...words: string[]) => run(['redact', 'a.tar.gz', ...words])

test('writes an archive without values, and tells what it took out and what it left', async () => {
  const { code, stdout } = await redact('-o', 'b.tar.gz', '--key-file', 'key', '--also', 'also')
  expect(code).toBe(0)
  expect(stdout).toBe(`b.tar.gz
  addresses                            2
  names                                2
  logins                               0
  IP addresses                         0
  secrets                              1
  other members and patterns           2
  doubtful, left                       1
  files changed                        1
  files not looked into                0
Searched again for everything that was removed: nothing is left.
Names of people without a record are not found in texts.
`)
  const { files } = await unpack(readFileSync('b.tar.gz'))
  expect(Object.values(files).join('')).not.toMatch(/Lovelace|ada@|ghp_/)
  expect(files['issues_000001.json']).toMatch(
    /[0-9a-z]{10}@redacted\.invalid, v1\.2\.3\.4, \[secret github-token [0-9a-f]{8}\]/,
  )
})

test('only reports, and fails on secrets on request', async () => {
  const outcome = await redact('--dry-run', '--fail-on', 'secrets', '--json')
  expect(outcome.code).toBe(1)
  const report = JSON.parse(outcome.stdout)
  expect(report.places).toContainEqual({
    ...{ type: 'secret', name: 'github-token', kind: 'issues', member: 'body' },
    ...{ entry: 'issues_000001.json', record: 1, offset: 28 },
  })
  expect(outcome.stdout).not.toMatch(/Lovelace|ada@|ghp_/)
})

test('writes reports as JSON, Markdown and SARIF', async () => {
  for (const name of ['r.json', 'r.md', 'r.sarif']) await redact('--dry-run', '--report', name)
  expect(JSON.parse(readFileSync('r.json', 'utf8')).counts).toEqual({
    email: 2,
    name: 2,
    secret: 1,
  })
  expect(readFileSync('r.md', 'utf8')).toContain('| `issues.body` | 2 |')
  expect(sarifFaults(JSON.parse(readFileSync('r.sarif', 'utf8')))).toEqual([])
})

test('lists for whoever hands it out what was not looked into, and what may be something else', async () => {
  const git = 'repositories/acme/tools.git'
  inFolder({
    'a.tar.gz': smallArchive({
      'issues_000001.json': [issue(1, 'x', { body: 'v1.2.3.4' })],
      'attachments/a1/logs`|.zip': 'PK\x03\x04\0',
      [`${git}/HEAD`]: 'ref: refs/heads/main\n',
    }),
  })
  const { stdout } = await redact('-o', 'b.tar.gz', '--report', 'r.md')
  const notes = [
    'Searched again for everything that was removed: nothing is left.',
    'Not searched: Git objects, what is compressed in files.',
    'Git history, with the addresses of its authors, was left as it is.',
    'Files such as zip, PDF and video were not looked into, and left as they are: --attachments drop replaces their contents, --report lists them.',
    'Names of people without a record are not found in texts.',
  ]
  expect(stdout).toMatch(new RegExp(`\n${notes.join('\n')}\n$`))
  const text = readFileSync('r.md', 'utf8')
  for (const note of notes) expect(text).toContain(`- ${note}\n`)
  expect(text).toMatch(
    /## Doubtful values, left as they are\n\n- `issues_000001.json`, record 1, `body`, offset 1\n\n## Files not looked into\n\n- `attachments\/a1\/logs\?\?.zip`\n$/,
  )
})

test('says of logins where they are found, and whose stay', async () => {
  const { stdout } = await redact('--dry-run', '--what', 'logins')
  expect(stdout).toContain(`
Logins are found in URLs and behind an @, not as plain words.
Organizations and bots keep their logins.
`)
})

test('refuses a report that is there before it writes anything', async () => {
  writeFileSync('r.md', 'mine')
  const { code, stderr } = await redact('-o', 'b.tar.gz', '--report', 'r.md')
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('r.md') })
  expect(existsSync('b.tar.gz')).toBe(false)
  expect(readFileSync('r.md', 'utf8')).toBe('mine')
})

test('selects nothing with exit code 1, and writes nothing', async () => {
  const { code, stderr } = await redact('-o', 'b.tar.gz', '--where', 'issues=number > 99')
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(/^marc: a\.tar\.gz: there are no records to write\n/),
  })
  expect(existsSync('b.tar.gz')).toBe(false)
})

test('keeps what is to be kept, and redacts what is selected', async () => {
  writeFileSync('keep', 'host.example\nada lovelace\n')
  await redact('-o', 'b.db', '--keep', 'keep', '--kind', 'issue')
  const { stdout } = await run(['query', 'b.db', 'select title, body from issues', '--csv'])
  expect(stdout).toContain('From Ada Lovelace,"ada@host.example, v1.2.3.4, [secret')
})

test('says with exit code 5 that the source was salvaged, and names it in errors', async () => {
  writeFileSync('cut.tar.gz', FILES['a.tar.gz'].subarray(0, -20))
  await run(['load', 'cut.tar.gz', '--salvage', '-o', 'cut.db', '-q'])
  for (const command of ['redact', 'map']) {
    expect(await run([command, 'cut.db', '-o', `${command}.tar.gz`, '-q'])).toMatchObject({
      code: 5,
      stderr: expect.stringMatching(
        /^cut\.tar\.gz was damaged when it was loaded: the copy has what was readable\.$/m,
      ),
    })
  }
  await run(['load', 'a.tar.gz', '--no-files', '-o', 'bare.db', '-q'])
  expect((await run(['map', 'bare.db', '-o', 'c.tar.gz'])).stderr).toMatch(
    /^marc: bare\.db, .*: the content of this file was not stored/,
  )
})

describe('A wrong call is refused and leaves nothing:', () => {
  test.each([
    [
      ['-o', 'b.tar.gz', '--key-file', 'short'],
      'short: expected a key of 32 bytes or more, found 9',
    ],
    [
      ['-o', 'b.tar.gz', '--key-file', 'empty'],
      'empty: expected a key of 32 bytes or more, found none',
    ],
    [['-o', 'b.tar.gz', '--key-file', 'none'], 'there is no such file'],
    [['-o', 'b.tar.gz', '--also', 'optional'], 'marc: optional, line 1: a quantifier within'],
    [['-o', 'b.tar.gz', '--also', 'open'], 'marc: open, line 2: Invalid regular expression'],
    [
      ['-o', 'b.tar.gz', '--also', 'nothing'],
      'marc: nothing, line 1: the pattern matches the empty text',
    ],
    [['-o', 'b.tar.gz', '--where', 'issues=nonsense > 1'], 'no such column: nonsense'],
    [['-o', 'b.tar.gz', '--from-query', 'DELETE FROM issues'], 'expected a query that only reads'],
    [['-o', 'key', '--key-file', 'key', '--force'], 'the output is, or is inside'],
    [['-o', 'b.json', '--report', 'b.json'], 'the output and its report need two names'],
    [
      ['-o', 'b.tar.gz', '--also', 'bad'],
      'marc: bad, line 2: a quantifier within a quantified group',
    ],
    [
      ['-o', 'b.tar.gz', '--what', 'all'],
      '--what takes emails, names, logins, ips, secrets, not "all"',
    ],
    [['-o', 'b.tar.gz', '--git', 'all'], '--git: expected one of keep, drop, authors, found "all"'],
    [['-o', 'b.tar.gz', '--report', 'r.txt'], '--report takes a file that ends in'],
    [['-o', 'a.tar.gz', '--force'], 'the output is, or is inside'],
    [[], 'the output needs a name'],
  ])('%j', async (words, message) => {
    const before = readFileSync('a.tar.gz')
    const { code, stderr } = await redact(...words)
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) })
    expect(existsSync('b.tar.gz')).toBe(false)
    expect(readFileSync('a.tar.gz').equals(before)).toBe(true)
  })
})
