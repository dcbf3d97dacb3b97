import { createHash, randomBytes } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { openDatabase } from '../../../src/database/open-database.ts'
import { issue, smallArchive, user } from '../../support/archives.ts'
import { unpack } from '../../support/build.ts'
import { databaseOf } from '../../support/load-once.ts'
import { inFolder, ROOT, run, runShell, shareInput } from '../../support/run-command.ts'
import { outputOf } from '../../support/run-program.ts'
import { everyDay, THOROUGH } from '../../support/thorough.ts'

const small = smallArchive()

/** The archive and its database. */
async function withDatabase(more: Record<string, string> = {}): Promise<void> {
  inFolder({ 'a.tar.gz': small, 'a.db': await databaseOf(small), ...more })
}

const filesOf = async (path: string) => Object.keys((await unpack(readFileSync(path))).files)

test('builds a database and prints a summary', async () => {
  await withDatabase()
  const { code, stdout, stderr } = await run(['build', 'a.db', '-o', 'b.tar.gz'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const sha256 = createHash('sha256').update(readFileSync('b.tar.gz')).digest('hex')
  expect(stdout).toMatch(
    new RegExp(
      `^b\\.tar\\.gz\n  records +5\n  entries +4\n  size +\\d+ B\n  sha256   ${sha256}\nBuilt in .*s\\.\n$`,
    ),
  )
  expect(await filesOf('b.tar.gz')).toEqual(await filesOf('a.tar.gz'))
  expect(readdirSync('.').sort()).toEqual(['a.db', 'a.tar.gz', 'b.tar.gz'])
})

test('prints nothing with --quiet, but a summary with --json as well', THOROUGH, async () => {
  await withDatabase()
  const quiet = ['build', 'a.db', '-o', 'b.tar.gz', '--force', '-q']
  expect(await run(quiet)).toEqual({ code: 0, stdout: '', stderr: '' })
  expect((await run([...quiet, '--json'])).stdout).toContain('"archive":"b.tar.gz"')
})

test('builds a folder', THOROUGH, async () => {
  inFolder({ 'in/users.json': JSON.stringify([user('ada', { emails: [] })]) })
  expect((await run(['build', 'in', '-o', 'b.tar.gz'])).code).toBe(0)
  expect(await filesOf('b.tar.gz')).toEqual(['schema.json', 'users_000001.json'])
})

test('reports an unusual file of a folder, but not as a broken rule', THOROUGH, async () => {
  inFolder({ 'in/users.json': JSON.stringify([user('ada', { emails: [] })]), 'in/notes.txt': 'x' })
  const { code, stdout, stderr } = await run(['build', 'in', '-o', 'b.tar.gz'])
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: 'entry-unknown: in, notes.txt: the purpose of this file is unknown; it was kept\n',
  })
  expect(stdout).not.toContain('breaches')
})

test('prints a summary for programs with --json', async () => {
  await withDatabase()
  const { stdout } = await run(['build', 'a.db', '-o', 'b.tar.gz', '--json'])
  expect(JSON.parse(stdout)).toEqual({
    archives: [
      {
        archive: 'b.tar.gz',
        entries: 4,
        records: 5,
        bytes: readFileSync('b.tar.gz').length,
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    ],
    seconds: expect.any(Number),
  })
})

test('writes to standard output, and the summary to standard error', THOROUGH, async () => {
  await withDatabase()
  await run(['build', 'a.db', '-o', 'b.tar.gz'])
  const { stdout, stderr } = await run(['build', 'a.db', '-o', '-'])
  const built = readFileSync('b.tar.gz')
  expect(stdout).toBe(built.toString())
  const sha256 = createHash('sha256').update(built).digest('hex')
  expect(stderr).toContain(`  sha256   ${sha256}\n`)
})

test('writes to a pipe of a shell', THOROUGH, async () => {
  await withDatabase()
  await run(['build', 'a.db', '-o', 'b.tar.gz'])
  const { stdout } = await runShell('marc build a.db -o - | sha256sum')
  const sha256 = createHash('sha256').update(readFileSync('b.tar.gz')).digest('hex')
  expect(stdout).toBe(`${sha256}  -\n`)
})

test('prints no summary if the reader closes the pipe early', THOROUGH, async () => {
  inFolder({ 'a.tar.gz': smallArchive({ 'attachments/a1/noise': randomBytes(300_000) }) })
  await run(['load', 'a.tar.gz'])
  expect(await runShell('marc build a.db -o - | head -c 1 | wc -c')).toMatchObject({ stderr: '' })
})

test('does not write to a terminal', async () => {
  await withDatabase()
  const { code, stdout, stderr } = await run(['build', 'a.db', '-o', '-'], { tty: true })
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toMatch(/an archive cannot be written to a terminal/)
})

test('selects with --repo, --since, --kind and --no-files', THOROUGH, async () => {
  await withDatabase()
  const built = async (...options: string[]) => {
    await run(['build', 'a.db', '-o', 'b.tar.gz', '--force', '--allow-invalid', ...options])
    return filesOf('b.tar.gz')
  }
  const [schema, users, issues] = ['schema.json', 'users_000001.json', 'issues_000001.json']
  expect(await built('--repo', 'acme/tools')).toEqual([schema, users, issues])
  for (const kind of ['user', 'users']) expect(await built('--kind', kind)).toEqual([schema, users])
  expect(await built('--since', '2021-03-01')).toEqual([schema, users, issues])
  const { files } = await unpack(readFileSync('b.tar.gz'))
  expect(JSON.parse(files['issues_000001.json'] as string)).toEqual([issue(3, 'Third')])
  expect(await built('--no-files')).toEqual([schema, users, issues])
})

test('--repo completes a name without its owner', THOROUGH, async () => {
  await withDatabase()
  const build = (repo: string) =>
    run(['build', 'a.db', '-o', 'b.tar.gz', '--force', '--repo', repo])
  expect((await build('Tools')).code).toBe(0)
  expect(await filesOf('b.tar.gz')).toContain('issues_000001.json')
  expect(await build('tolls')).toMatchObject({
    code: 2,
    stderr: 'marc: no such repository: tolls\nDid you mean acme/tools?\n',
  })
})

test('--repo may be repeated, with one value each', async () => {
  await withDatabase()
  const argv = ['build', '--repo', 'acme/tools', '--repo', 'acme/none', 'a.db', '-o', 'b.tar.gz']
  const { code, stderr } = await run(argv)
  expect(code).toBe(2)
  expect(stderr).toMatch(/^marc: no such repository: acme\/none\nList them with: /)
  expect(existsSync('b.tar.gz')).toBe(false)
})

test('--split writes a pair', THOROUGH, async () => {
  await withDatabase()
  const { stdout } = await run(['build', 'a.db', '--split', '-o', 'b.tar.gz'])
  expect(stdout).toMatch(/^b-git\.tar\.gz\n[\s\S]+\nb-metadata\.tar\.gz\n/)
  expect(await filesOf('b-git.tar.gz')).toEqual(['schema.json'])
  expect(await filesOf('b-metadata.tar.gz')).toEqual(await filesOf('a.tar.gz'))
  expect((await run(['build', 'a.db', '--split', '-o', '-'])).code).toBe(2)
})

test('--form, --date and --level have an effect', async () => {
  await withDatabase()
  const argv = ['build', 'a.db', '-o', 'b.tar.gz', '--form', 'exporter', '--date', '2020-02-02']
  await run([...argv, '--level', '1'])
  const { files, times } = await unpack(readFileSync('b.tar.gz'))
  expect(files['schema.json']).toBe('{"version":"1.2.0"}')
  expect(files).toHaveProperty(['urls.json'])
  expect(new Set(Object.values(times))).toEqual(new Set([Date.UTC(2020, 1, 2) / 1000]))
})

describe('refuses', () => {
  everyDay(4)([
    [['build', 'a.db'], 'the archive needs a name\nName it with: -o name.tar.gz'],
    [['build', 'a.db', '-o', 'a.db'], 'a.db: the output is, or is inside, the source of the'],
    [['build', 'a.db', '-o', 'b', '--level', '10'], '--level takes a number from 1 to 9, not "10"'],
    [['build', 'a.db', '-o', 'b', '--date', 'now'], '--date takes a date, not "now"'],
    [['build', 'a.db', '-o', 'b', '--form', 'gitub'], '--form: expected one of github, ghes'],
    [['build', 'a.db', '-o', 'none/b'], 'none/b: expected a folder none, found none'],
    [['build', 'a.db', '-o', 'b.zip'], 'b.zip: expected the name of an archive, found one that'],
    [['build', 'a.db', '-o', 'b.db'], 'b.db: expected the name of an archive, found one that ends'],
    [['build', 'a.db', '-o', '.'], '.: expected the name of an archive, found a folder'],
  ])('%j', async (argv, message) => {
    await withDatabase()
    const { code, stdout, stderr } = await run(argv)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr.startsWith(`marc: ${message}`), stderr).toBe(true)
    expect(readdirSync('.').sort()).toEqual(['a.db', 'a.tar.gz'])
  })

  test(
    'records that break a rule, except with --allow-invalid, which lists them',
    THOROUGH,
    async () => {
      inFolder({ 'in/users.json': JSON.stringify([user('ada'), user('grace')]) })
      const refused = await run(['build', 'in', '-o', 'b.tar.gz'])
      expect(refused.code).toBe(3)
      expect(refused.stderr).toBe(
        `member-missing: users_000001.json, record 1, member emails: users https://host.example/ada: emails is missing
member-missing: users_000001.json, record 2, member emails: users https://host.example/grace: emails is missing
marc: in, users_000001.json, record 1, member emails: users https://host.example/ada: emails is missing
Add the member: importers fail without it. Or write it with --allow-invalid, and see what an importer will say: marc check b.tar.gz
`,
      )
      expect(existsSync('b.tar.gz')).toBe(false)
      expect((await run(['build', 'in', '-o', 'b.tar.gz', '--force'])).code).toBe(3)
      const { code, stdout, stderr } = await run([
        'build',
        'in',
        '-o',
        'b.tar.gz',
        '--allow-invalid',
      ])
      expect(code).toBe(0)
      expect(stdout).toMatch(/^ {2}breaches +2$/m)
      expect(stderr.split('\n')).toEqual([
        expect.stringContaining('record 1, member emails: users https://host.example/ada'),
        expect.stringContaining('record 2, member emails: users https://host.example/grace'),
        '',
      ])
    },
  )

  test('an edited record that breaks a rule, and names the command that finds all faults', async () => {
    await withDatabase()
    const database = openDatabase('a.db', { readonly: false })
    database.exec('UPDATE users SET login = NULL')
    database.close()
    const { code, stderr } = await run(['build', 'a.db', '-o', 'b.tar.gz'])
    expect(code).toBe(3)
    expect(stderr).toMatch(/See all faults with: marc check a\.db\n$/)
  })

  test(
    'more than 20 of them; --allow-invalid lists the first 20, with --verbose or --json all',
    THOROUGH,
    async () => {
      const people = Array.from({ length: 22 }, (_, i) => user(`u${i}`))
      inFolder({ 'in/users.json': JSON.stringify(people) })
      const lines = async (...more: string[]) =>
        (await run(['build', 'in', '-o', 'b.tar.gz', '--force', '--allow-invalid', ...more])).stderr
          .trimEnd()
          .split('\n')
      const some = await lines()
      expect(some.length).toBe(21)
      expect(some.at(-1)).toBe('and 2 more, which --verbose lists')
      const all = await lines('--verbose')
      expect(all.filter((line) => line.startsWith('member-missing: ')).length).toBe(22)
      expect(all.slice(0, 20)).toEqual(some.slice(0, 20))
      const objects = (await lines('--json')).map((line) => JSON.parse(line))
      expect(objects.length).toBe(22)
      expect(objects[21]).toEqual({
        problem: {
          code: 'member-missing',
          place: { entry: 'users_000001.json', record: 22, member: 'emails' },
          message: 'users https://host.example/u21: emails is missing',
        },
      })
    },
  )

  test('an existing output, except with --force', async () => {
    await withDatabase({ 'b.tar.gz': 'mine' })
    const { code, stderr } = await run(['build', 'a.db', '-o', 'b.tar.gz'])
    expect(code).toBe(2)
    expect(stderr).toBe(
      'marc: b.tar.gz: there is a file with this name\nName another output, or pass --force.\n',
    )
    expect(readFileSync('b.tar.gz', 'utf8')).toBe('mine')
    expect((await run(['build', 'a.db', '-o', 'b.tar.gz', '--force'])).code).toBe(0)
    expect(gunzipSync(readFileSync('b.tar.gz')).length).toBeGreaterThan(0)
  })

  test('an output that is not a file, such as a pipe, even with --force', async () => {
    await withDatabase()
    outputOf('mkfifo', ['pipe'])
    const { code, stderr } = await run(['build', 'a.db', '-o', 'pipe', '--force'])
    expect(code).toBe(2)
    expect(stderr).toMatch(
      /^marc: pipe: expected the name of an archive, found something that is not a file\n/,
    )
    expect(lstatSync('pipe').isFIFO()).toBe(true)
  })

  test('P6: an output that is its own source by another name', async () => {
    await withDatabase()
    symlinkSync('a.db', 'b.tar.gz')
    expect((await run(['build', 'a.db', '-o', 'b.tar.gz', '--force'])).code).toBe(2)
    mkdirSync('in')
    expect((await run(['build', 'in', '-o', 'in/b.tar.gz'])).code).toBe(2)
  })

  test('a foreign database', async () => {
    inFolder({ 'x.db': `SQLite format 3\0${'x'.repeat(4096)}` })
    const { code, stderr } = await run(['build', 'x.db', '-o', 'b.tar.gz'])
    expect(code).toBe(3)
    expect(stderr).toMatch(/^marc: x\.db: /)
  })

  test.skipIf(process.getuid?.() === 0)('a folder without permission', async () => {
    await withDatabase()
    mkdirSync('locked')
    chmodSync('locked', 0o555)
    const { code, stderr } = await run(['build', 'a.db', '-o', 'locked/b.tar.gz'])
    expect(code).toBe(3)
    expect(stderr).toContain('there is no permission to write it')
  })
})

describe('leaves no partial file', () => {
  const others = ['a.db', 'a.tar.gz']

  test('if the source is damaged', async () => {
    await withDatabase()
    const { default: Sqlite } = await import('better-sqlite3')
    const database = new Sqlite('a.db')
    database.exec(`UPDATE issues SET labels = 'no JSON'`)
    database.close()
    const { code, stderr } = await run(['build', 'a.db', '-o', 'b.tar.gz'])
    expect(code).toBe(3)
    expect(stderr).toMatch(
      /^marc: a\.db, issues_000001\.json, record 1, member labels: expected JSON/,
    )
    expect(readdirSync('.').sort()).toEqual(others)
  })

  test('of a pair, if the second one fails', THOROUGH, async () => {
    await withDatabase()
    const { default: Sqlite } = await import('better-sqlite3')
    const database = new Sqlite('a.db')
    database.exec(`UPDATE issues SET labels = 'no JSON'`)
    database.close()
    expect((await run(['build', 'a.db', '--split', '-o', 'b.tar.gz'])).code).toBe(3)
    expect(readdirSync('.').sort()).toEqual(others)
  })

  test('when interrupted', async () => {
    await withDatabase()
    const { code, stderr } = await run(['build', 'a.db', '-o', 'b.tar.gz'], {
      signal: AbortSignal.abort(),
    })
    expect({ code, stderr }).toEqual({
      code: 130,
      stderr: 'marc: interrupted\nNothing was changed.\n',
    })
    expect(readdirSync('.').sort()).toEqual(others)
  })

  test('when the disk is full', THOROUGH, async () => {
    inFolder({ 'a.tar.gz': smallArchive({ 'attachments/a1/noise': randomBytes(20_000) }) })
    await run(['load', 'a.tar.gz'])
    // A limit on file sizes has the same effect as a full disk.
    const { code, stderr } = await runShell('ulimit -f 4; marc build a.db -o b.tar.gz')
    expect({ code, stderr }).toEqual({
      code: 3,
      stderr: expect.stringMatching(/^marc: b\.tar\.gz: file too large\nFree disk space/),
    })
    expect(readdirSync('.').sort()).toEqual(others)
  })
})

describe('A selection', () => {
  shareInput({ 'a.tar.gz': small })

  test('knows its names in any case, and suggests the one that was meant', THOROUGH, async () => {
    expect((await run(['build', 'a.tar.gz', '-o', 'b.tar.gz', '--author', 'ADA'])).code).toBe(0)
    const { code, stderr } = await run(['build', 'a.tar.gz', '-o', 'c.tar.gz', '--author', 'adda'])
    expect(code).toBe(2)
    expect(stderr).toBe('marc: no such person: adda\nDid you mean ada?\n')
    const missing = await run(['build', 'a.tar.gz', '-o', 'c.tar.gz', '--repo', 'acme/tols'])
    expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining('acme/tools?') })
    expect(existsSync('c.tar.gz')).toBe(false)
  })

  test(
    'that leaves out what is referred to names the option that cuts references',
    THOROUGH,
    async () => {
      const milestone = { type: 'milestone', url: 'https://host.example/acme/tools/milestones/1' }
      const own = { milestone: milestone.url }
      inFolder({
        'a.tar.gz': smallArchive({
          'issues_000001.json': [issue(1, 'First', own)],
          'milestones_000001.json': [milestone],
        }),
      })
      const line = ['build', 'a.tar.gz', '-o', 'b.tar.gz', '--not']
      const { code, stderr } = await run([...line, '--from-query', 'SELECT url FROM milestones'])
      expect({ code, stderr }).toEqual({
        code: 3,
        stderr: expect.stringMatching(/which is left out\n.*: --cut-references\n$/),
      })
    },
  )

  test('of nothing is exit code 1', async () => {
    const { code } = await run(['build', 'a.tar.gz', '-o', 'b.tar.gz', '--state', 'merged'])
    expect({ code, files: existsSync('b.tar.gz') }).toEqual({ code: 1, files: false })
  })

  everyDay(2)([
    [['--where', 'issues'], '--where takes a kind and a condition, not "issues"'],
    [['--where', 'issues=gone > 1'], 'no such column: gone'],
    [['--from-query', 'DELETE FROM issues'], 'expected a query that only reads'],
    [['--not'], '--not needs a selection'],
    [['--cut-references', '--label', 'x'], '--cut-references goes with --not'],
    [['--state', 'opn'], '--state: expected one of open, closed, merged, found "opn"'],
  ])('is refused as %j', async (words, message) => {
    const { code, stderr } = await run(['build', 'a.tar.gz', '-o', 'b.tar.gz', ...words])
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) })
  })
})

describe('Several archives', () => {
  test('become one, and the last one wins', THOROUGH, async () => {
    const newer = { 'users_000001.json': [user('ada', { name: 'Ada' })] }
    inFolder({ 'a.tar.gz': smallArchive(), 'b.tar.gz': smallArchive(newer) })
    const built = await run(['build', 'a.tar.gz', 'b.tar.gz', '-o', 'c.tar.gz', '--allow-invalid'])
    expect(built.code).toBe(0)
    await run(['load', 'a.tar.gz', 'b.tar.gz', '-o', 'both.db'])
    await run(['build', 'both.db', '-o', 'd.tar.gz', '--allow-invalid'])
    expect(readFileSync('c.tar.gz').equals(readFileSync('d.tar.gz'))).toBe(true)
  })

  test('are no databases', async () => {
    await withDatabase()
    const { code, stderr } = await run(['build', 'a.tar.gz', 'a.db', '-o', 'c.tar.gz'])
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('a database') })
  })
})

describe('a build without records says what to do', () => {
  test('in the options of the selection', async () => {
    await withDatabase()
    const { code, stderr } = await run(['build', 'a.db', '-o', 'b.tar.gz', '--since', '2999'])
    expect([code, stderr]).toEqual([1, expect.stringMatching(/\n.*all options of the selection/)])
  })

  test('in the folder', async () => {
    inFolder({ 'in/.keep': '' })
    const { code, stderr } = await run(['build', 'in', '-o', 'b.tar.gz'])
    expect([code, stderr]).toEqual([1, expect.stringMatching(/\nName a folder with files such as/)])
  })
})

describe('--split-by', () => {
  const repository = (name: string) => ({
    type: 'repository',
    url: `https://host.example/${name}`,
    labels: [],
    name,
    owner: `https://host.example/${name.split('/')[0]}`,
  })
  const issueOf = (name: string, year: number) => ({
    ...issue(1, name),
    url: `https://host.example/${name}/issues/1`,
    created_at: `${year}-05-06T07:08:09Z`,
    repository: `https://host.example/${name}`,
  })
  const files = {
    'a.tar.gz': smallArchive({
      'repositories_000001.json': [repository('acme/tools'), repository('beta/kit')],
      'issues_000001.json': [issueOf('acme/tools', 2020), issueOf('beta/kit', 2022)],
    }),
  }
  shareInput(files)

  const parts = (folder: string) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()

  test('repo writes an archive for each repository, which together are all but what is told', async () => {
    const split = ['build', 'a.tar.gz', '--split-by', 'repo', '-o', 'parts', '--allow-invalid']
    const { code, stderr } = await run(split)
    expect(code).toBe(0)
    expect(stderr).toContain('Left out, because they belong to no part: 1 record.\n')
    expect(parts('parts')).toEqual(['acme', 'acme/tools.tar.gz', 'beta', 'beta/kit.tar.gz'])
    const found = await unpack(readFileSync('parts/beta/kit.tar.gz'))
    expect(found.files['issues_000001.json']).toContain('beta/kit/issues/1')
    expect(found.files['issues_000001.json']).not.toContain('acme')
  })

  everyDay(1)([
    ['owner', ['acme.tar.gz', 'beta.tar.gz']],
    ['year', ['2020.tar.gz', '2022.tar.gz']],
  ])('%s writes an archive for each', async (by, names) => {
    await run(['build', 'a.tar.gz', '--split-by', by, '-o', 'parts', '--allow-invalid'])
    expect(parts('parts')).toEqual(names)
  })

  test('leaves nothing behind if a part fails', async () => {
    mkdirSync('parts/beta', { recursive: true })
    writeFileSync('parts/beta/kit.tar.gz', 'mine')
    const split = ['build', 'a.tar.gz', '--split-by', 'repo', '-o', 'parts', '--allow-invalid']
    const { code } = await run(split)
    expect(code).toBe(2)
    expect(readFileSync('parts/beta/kit.tar.gz', 'utf8')).toBe('mine')
    expect(existsSync('parts/acme/tools.tar.gz')).toBe(false)
  })

  test('does not go with what makes the parts, or with another split', async () => {
    const refused = async (...words: string[]) =>
      (await run(['build', 'a.tar.gz', '--split-by', 'repo', ...words])).code
    expect(await refused('-o', 'parts', '--repo', 'acme/tools')).toBe(2)
    expect(await refused('-o', 'parts', '--split')).toBe(2)
    expect(await refused('-o', '-')).toBe(2)
    expect(await refused()).toBe(2)
  })
})

test('says how to get back Git data that was deleted', async () => {
  const sample = readFileSync(join(ROOT, 'samples/hello.tar.gz'))
  inFolder({ 'a.tar.gz': sample, 'a.db': await databaseOf(sample) })
  const database = openDatabase('a.db', { readonly: false })
  database.exec("DELETE FROM files WHERE path LIKE '%.pack'")
  database.close()
  const build = ['build', 'a.db', '-o', 'b.tar.gz', '-q']
  const advice = 'marc load <archive> -o a.db --force'
  expect((await run(build)).stderr).toContain(advice)
  await run(['load', 'a.tar.gz', '-o', 'a.db', '--force', '-q'])
  expect(await run(build)).toEqual({ code: 0, stdout: '', stderr: '' })
})
