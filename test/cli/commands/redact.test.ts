import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { issue, smallArchive, user } from '../../support/archives.ts'
import { unpack } from '../../support/build.ts'
import { inFolder, run } from '../../support/run-command.ts'
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
}

const redact = (...words: string[]) => run(['redact', 'a.tar.gz', ...words])

test('writes an archive without values, and tells what it took out and what it left', async () => {
  inFolder(FILES)
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
Names of people without a record are not found in texts.
`)
  const { files } = await unpack(readFileSync('b.tar.gz'))
  expect(Object.values(files).join('')).not.toMatch(/Lovelace|ada@|ghp_/)
  expect(files['issues_000001.json']).toMatch(
    /[0-9a-z]{10}@redacted\.invalid, v1\.2\.3\.4, \[secret github-token [0-9a-f]{8}\]/,
  )
})

test('only reports, and fails on secrets on request', async () => {
  inFolder(FILES)
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
  inFolder(FILES)
  for (const name of ['r.json', 'r.md', 'r.sarif']) await redact('--dry-run', '--report', name)
  expect(JSON.parse(readFileSync('r.json', 'utf8')).counts).toEqual({
    email: 2,
    name: 2,
    secret: 1,
  })
  expect(readFileSync('r.md', 'utf8')).toContain('| `issues.body` | 2 |')
  expect(sarifFaults(JSON.parse(readFileSync('r.sarif', 'utf8')))).toEqual([])
})

test('keeps what is to be kept, and redacts what is selected', async () => {
  inFolder({ ...FILES, keep: 'host.example\nada lovelace\n' })
  await redact('-o', 'b.db', '--keep', 'keep', '--kind', 'issue')
  const { stdout } = await run(['query', 'b.db', 'select title, body from issues', '--csv'])
  expect(stdout).toContain('From Ada Lovelace,"ada@host.example, v1.2.3.4, [secret')
})

describe('A wrong call is refused and leaves nothing:', () => {
  test.each([
    [
      ['-o', 'b.tar.gz', '--key-file', 'short'],
      'short: expected a key of 32 bytes or more, found 9',
    ],
    [['-o', 'b.tar.gz', '--key-file', 'none'], 'there is no such file'],
    [['-o', 'b.tar.gz', '--also', 'bad'], 'also, line 2: a quantifier within a quantified group'],
    [
      ['-o', 'b.tar.gz', '--what', 'all'],
      '--what takes emails, names, logins, ips, secrets, not "all"',
    ],
    [['-o', 'b.tar.gz', '--git', 'all'], '--git: expected one of keep, drop, authors, found "all"'],
    [['-o', 'b.tar.gz', '--report', 'r.txt'], '--report takes a file that ends in'],
    [['-o', 'a.tar.gz', '--force'], 'the output is, or is inside'],
    [[], 'the output needs a name'],
  ])('%j', async (words, message) => {
    inFolder(FILES)
    const before = readFileSync('a.tar.gz')
    const { code, stderr } = await redact(...words)
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) })
    expect(existsSync('b.tar.gz')).toBe(false)
    expect(readFileSync('a.tar.gz').equals(before)).toBe(true)
  })
})
