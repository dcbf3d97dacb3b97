import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { openDatabase } from '../../../src/database/open-database.ts'
import { issue, smallArchive, user } from '../../support/archives.ts'
import { unpack } from '../../support/build.ts'
import { run, shareInput } from '../../support/run-command.ts'
import { everyDay, THOROUGH } from '../../support/thorough.ts'

const FILES = {
  'a.tar.gz': smallArchive({
    'users_000001.json': [
      user('ada', { name: 'Ada, L.', emails: [{ address: 'ada@host.example' }] }),
      user('grace'),
    ],
    'issues_000001.json': [issue(1, 'For @grace'), issue(2, 'Two')],
  }),
  'users.csv': 'old,new\nada,countess\n',
}

const OWNED = smallArchive({
  'users_000001.json': [user('acme')],
  'repositories_000001.json': [
    {
      type: 'repository',
      url: 'https://host.example/acme/tools',
      owner: 'https://host.example/acme',
      name: 'tools',
    },
  ],
})

shareInput({ ...FILES, 'owned.tar.gz': OWNED, 'bad.csv': 'ada;grace' })

const map = (...words: string[]) => run(['map', 'a.tar.gz', ...words])

test('writes an archive with the new names, and tells what it renamed', async () => {
  const { code, stdout } = await map('--users', 'users.csv', '-o', 'b.tar.gz')
  expect(code).toBe(0)
  expect(stdout).toBe(`b.tar.gz
  users                                1
  issues                               2
  files                                0
  people without a new name            1
  names written in another case        0
  new names that were there            0
  URLs in unknown members, left        0
Git objects and the contents of files were left as they are.
`)
  const { files } = await unpack(readFileSync('b.tar.gz'))
  expect(files['users_000001.json']).toContain('https://host.example/countess')
  expect(files['issues_000001.json']).not.toContain('/ada')
})

test.each([
  [['--rename', 'adda=x'], 'no such person: adda\nDid you mean ada?\n'],
  [['--rename', 'ada=eve', '--rename', 'acme/tolls=acme/x'], 'Did you mean acme/tools?\n'],
  [['--rename', 'nobody=x'], 'List all with: marc map a.tar.gz --template\n'],
])('refuses an old name that no record has: %j', async (options, message) => {
  const { code, stderr } = await map(...options, '-o', 'none.tar.gz')
  expect([code, existsSync('none.tar.gz')]).toEqual([2, false])
  expect(stderr).toContain(message)
})

test('lists the first 20 problems of what it wrote, and with --json all', async () => {
  const hosts = 'https://host.example=https://b.example'
  const people = Array.from({ length: 22 }, (_, i) => user(`u${i}`))
  writeFileSync('many.tar.gz', smallArchive({ 'users_000001.json': people }))
  const problems = async (...more: string[]) =>
    (await run(['map', 'many.tar.gz', '--url', hosts, '-o', 'x.tar.gz', '--force', ...more])).stderr
      .trimEnd()
      .split('\n')
  const [some, all] = [await problems(), await problems('--json')]
  expect(some).toHaveLength(21)
  expect(some.at(-1)).toBe(`and ${all.length - 20} more, which --json lists`)
})

test.each([
  ['x.tar.gz', '-o=x.tar.gz'],
  ['x.db', '-o=x.db'],
  ['To be renamed', '--dry-run'],
  ['a.db', '--in-place'],
])('says that a new owner has no record, whatever is written: %s', async (title, output) => {
  await run(['load', 'owned.tar.gz', '-o', 'a.db', '--force'])
  const { stdout } = await run(['map', 'a.db', '--rename', 'acme/tools=forge/tools', output])
  expect(stdout.split('\n')[0]).toBe(title)
  expect(stdout).toContain('\nNo user or organization has the login of a new owner: forge.\n')
})

test('says that no record has an old name, and that there is no new one', THOROUGH, async () => {
  writeFileSync('misspelled.csv', 'old,new\nadda,x\n')
  const misspelled = await map('--users', 'misspelled.csv', '--dry-run', '--report', 'r.md')
  expect(misspelled.stdout).toContain('\nNo record has these names: adda.\n')
  const { stdout } = await map('--dry-run')
  expect(stdout).toContain('\nNo new name was given: name people with --users or --rename')
})

test('writes down where the way back would write another name', THOROUGH, async () => {
  await map('--rename', 'GRACE=eve', '--rename', 'ada=Eva', '-o', 'b.db', '--report', 'r.md')
  expect(readFileSync('r.md', 'utf8')).not.toContain('## Names that were written')
  const back = ['--rename', 'Eve=grace', '--rename', 'eva=ada', '-o', 'c.db', '--report', 'c.md']
  const database = openDatabase('b.db', { readonly: false })
  database.exec("UPDATE issues SET body = 'for @EVE' WHERE number = 1")
  database.close()
  await run(['map', 'b.db', ...back])
  expect(readFileSync('c.md', 'utf8')).toContain(
    '## Names that were written in another case: the reverse map writes them as in the records\n\n- `https://host.example/acme/tools/issues/1`, `body`\n',
  )
})

test('prints a template that it reads back', THOROUGH, async () => {
  const { stdout } = await map('--template')
  expect(stdout).toBe('old,new,name,email,records\nada,,"Ada, L.",ada@host.example,2\ngrace,,,,0\n')
  writeFileSync('filled.csv', stdout.replace('ada,,', 'ada,countess,'))
  expect((await map('--users', 'filled.csv', '-o', 'b.db')).code).toBe(0)
  expect((await run(['query', 'b.db', 'select login from users', '--csv'])).stdout).toContain(
    'countess',
  )
})

test('changes a database in place, or only reports', THOROUGH, async () => {
  await run(['load', 'a.tar.gz'])
  const before = readFileSync('a.db')
  const dry = await run(['map', 'a.db', '--rename', 'ada=eve', '--dry-run', '--json'])
  expect(JSON.parse(dry.stdout)).toMatchObject({
    records: { issues: 2, users: 1 },
    inverse: { logins: [{ old: 'eve', new: 'ada' }] },
  })
  const named = ['--dry-run', '-o', 'not-written.db']
  const { stdout } = await run(['map', 'a.db', '--rename', 'ada=eve', ...named])
  expect(stdout).toMatch(/^To be renamed\n/)
  expect(existsSync('not-written.db')).toBe(false)
  expect(readFileSync('a.db').equals(before)).toBe(true)
  const selected = ['--in-place', '--kind', 'issue']
  expect(await run(['map', 'a.db', '--rename', 'ada=eve', ...selected])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--in-place renames everything'),
  })
  const changed = await run(['map', 'a.db', '--rename', 'ada=eve', '--in-place'])
  expect(changed).toMatchObject({ code: 0, stdout: expect.stringMatching(/^a\.db\n/) })
  expect((await run(['query', 'a.db', 'select login from users', '--csv'])).stdout).toContain('eve')
})

test(
  'lets two people become one, or makes the others nobody, and says what cannot be undone',
  THOROUGH,
  async () => {
    const merged = await map('--rename', 'grace=ada', '--merge', '-o', 'b.tar.gz')
    expect(merged.stdout).toBe(`b.tar.gz
  issues                               1
  files                                0
  people without a new name            0
  people who became one                2
  names written in another case        0
  new names that were there            4
  URLs in unknown members, left        0
Git objects and the contents of files were left as they are.
People who became one cannot be told apart again.
`)
    const ghost = ['--rename', 'grace=eve', '--unmapped', 'ghost', '-o', 'c.tar.gz']
    const { stdout } = await map(...ghost, '--report', 'r.md')
    expect(stdout).toContain('people and references removed        3\n')
    expect(readFileSync('r.md', 'utf8')).toContain(
      'Texts still mention people without a new name. They cannot be put back.',
    )
    const { files } = await unpack(readFileSync('c.tar.gz'))
    expect(JSON.parse(files['issues_000001.json'] as string)).toMatchObject([
      { user: null, title: 'For @eve' },
      { user: null },
    ])
  },
)

test('writes a report that leads back', THOROUGH, async () => {
  await map(
    '--users',
    'users.csv',
    '--url',
    'https://host.example=https://new.example',
    '-o',
    'b.db',
    '--report',
    'r.md',
  )
  expect(readFileSync('r.md', 'utf8')).toContain('old,new\ncountess,ada\n')
  expect(readFileSync('r.md', 'utf8')).toContain('--url https://new.example=https://host.example')
  const back = await run([
    'map',
    'b.db',
    '--rename',
    'countess=ada',
    '--url',
    'https://new.example=https://host.example',
    '-o',
    'c.tar.gz',
  ])
  expect(back.code).toBe(0)
  expect(await run(['diff', 'a.tar.gz', 'c.tar.gz', '--bytes'])).toMatchObject({
    code: 0,
    stdout: '',
  })
})

test('renames what is selected', THOROUGH, async () => {
  await map('--rename', 'ada=eve', '--where', 'issues=number = 2', '-o', 'b.tar.gz')
  const { files } = await unpack(readFileSync('b.tar.gz'))
  expect(JSON.parse(files['issues_000001.json'] as string)).toHaveLength(1)
})

describe('A wrong call is refused and leaves nothing:', () => {
  everyDay(1)([
    [
      ['-o', 'b.tar.gz', '--rename', 'ada=grace'],
      2,
      '--rename ada=grace: "grace" is there already',
    ],
    [['-o', 'b.tar.gz', '--users', 'none.csv'], 2, 'there is no such file'],
    [
      ['-o', 'b.tar.gz', '--users', 'bad.csv'],
      2,
      'marc: bad.csv, line 1: expected columns separated by commas',
    ],
    [['-o', 'b.tar.gz', '--rename', 'ada'], 2, '--rename takes old=new, not "ada"'],
    [['-o', 'b.tar.gz', '--rename', 'ada=a/b'], 2, '--rename takes two logins or two repositories'],
    [['-o', 'b.tar.gz', '--url', 'https://host.example/x=https://y'], 2, 'expected a host'],
    [
      ['-o', 'b.tar.gz', '--users', 'users.csv', '--unmapped', 'refuse'],
      1,
      '1 people have no new name: grace',
    ],
    [['-o', 'a.tar.gz', '--users', 'users.csv', '--force'], 2, 'the output is, or is inside'],
    [['-o', 'b.tar.gz', '--kind', 'releases'], 1, 'marc: a.tar.gz: there are no records to write'],
    [
      ['-o', 'b.tar.gz', '--from-query', 'DELETE FROM issues'],
      2,
      'expected a query that only reads',
    ],
    [['-o', 'users.csv', '--users', 'users.csv', '--force'], 2, 'the output is, or is inside'],
    [
      ['-o', 'b.tar.gz', '--url', 'https://host.example=https://new.host.example'],
      2,
      'the old host "host.example" is a part of the new one',
    ],
    [['-o', 'b.tar.gz', '--in-place'], 2, 'expected -o or --in-place, found both'],
    [['--in-place'], 2, '--in-place takes a database'],
    [['-o', 'b.tar.gz', '--report', 'r.txt'], 2, '--report takes a file that ends in .json or .md'],
    [[], 2, 'the output needs a name'],
  ])('%j', async (words, code, message) => {
    const before = readFileSync('a.tar.gz')
    const outcome = await map(...words)
    expect({ code: outcome.code, stderr: outcome.stderr }).toEqual({
      code,
      stderr: expect.stringContaining(message),
    })
    expect(existsSync('b.tar.gz')).toBe(false)
    expect(readFileSync('a.tar.gz').equals(before)).toBe(true)
  })
})
