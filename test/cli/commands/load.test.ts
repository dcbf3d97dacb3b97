import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { issue, smallArchive, user } from '../../support/archives.ts'
import { tarGzOf, tarOf } from '../../support/build-tar.ts'
import { inFolder, run } from '../../support/run-command.ts'
import { everyDay, THOROUGH } from '../../support/thorough.ts'

const small = smallArchive()
const later = tarGzOf({
  'users_000001.json': [user('ada', { name: 'Ada' }), user('grace'), user('linus')],
})

test('prints what was loaded, and where', async () => {
  inFolder({ 'a.tar.gz': small })
  const { code, stdout, stderr } = await run(['load', 'a.tar.gz'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout.split('\n').slice(0, -2)).toEqual([
    'a.tar.gz',
    '  issues          3',
    '  users           2',
    '  files           1  9 B',
  ])
  expect(stdout).toMatch(/\na\.db is ready after [\d.]+ m?s\.\n$/)
})

everyDay(1)([
  ['in/some.folder/my.export.tar.gz', 'my.export.db'],
  ['d', 'd.db'],
  ['a.tar.gz', 'a.db'],
  ['b.TGZ', 'b.db'],
  ['c.tar', 'c.db'],
])('names the database of %s %s', async (archive, database) => {
  inFolder({ [archive]: small })
  await run(['load', archive])
  expect(existsSync(database)).toBe(true)
})

describe('Of several archives', () => {
  /** Archives with a user of their own, and a file of unknown purpose. */
  const archives = (count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, i) => [
        `a${i + 10}.tar`,
        tarOf({ 'users_000001.json': [user(`u${i}`)], 'notes.txt': String(i) }),
      ]),
    )
  const linesOf = async (count: number, more: readonly string[] = []) => {
    const files = archives(count)
    inFolder(files)
    const { code, stdout } = await run(['load', ...Object.keys(files), ...more, '-o', 'all.db'])
    expect(code).toBe(0)
    return stdout.split('\n')
  }
  const total = (count: number) => [
    `${count} archives`,
    expect.stringMatching(`^  users +${count}$`),
    expect.stringMatching(`^  files +${count}  `),
    'Problems',
    expect.stringMatching(`^  entry-unknown × ${count}: `),
    expect.stringMatching(/^all\.db is ready after /),
    '',
  ]

  test('the summary ends with all of them together', async () => {
    const lines = await linesOf(2)
    expect(lines.filter((line) => /^a1\d\.tar$/.test(line))).toEqual(['a10.tar', 'a11.tar'])
    expect(lines.slice(-7)).toEqual(total(2))
  })

  test('more than ten have a line each', THOROUGH, async () => {
    const lines = await linesOf(12, ['a10.tar'])
    expect(lines.slice(0, 2)).toEqual([
      'a10.tar: 1 record, 1 file of 1 B; entry-unknown',
      'a11.tar: 1 record, 1 file of 1 B; entry-unknown',
    ])
    expect(lines[12]).toMatch(/^a10\.tar was already loaded/)
    expect(lines.slice(13)).toEqual(total(12))
    const twice = await linesOf(12, ['a10.tar', 'a11.tar'])
    expect(twice.slice(12)).toEqual([
      '2 archives were already loaded: nothing changed.',
      ...total(12),
    ])
  })
})

test('names the database of a folder after it, and reads it', async () => {
  inFolder({ 'export/users_000001.json': JSON.stringify([user('ada')]) })
  const { code, stdout } = await run(['load', 'export/'])
  expect(code).toBe(0)
  expect(stdout).toMatch(/users +1\n/)
  expect(existsSync('export.db')).toBe(true)
})

test('a folder of archives stands for them, and names the database', async () => {
  inFolder({ 'exports/b.tar.gz': later, 'exports/a.tar.gz': small, 'exports/notes.txt': '' })
  const { stdout } = await run(['load', 'exports', '--json'])
  expect(JSON.parse(stdout).archives.map(({ name }: { name: string }) => name)).toEqual([
    'a.tar.gz',
    'b.tar.gz',
  ])
  expect(existsSync('exports.db')).toBe(true)
})

test('a backup of another program stays one source, also if it has archives', async () => {
  inFolder({ 'backup/uploads.tar.gz': small, 'backup/backup_information.yml': '' })
  const { code, stderr } = await run(['load', 'backup'])
  expect(code).toBe(3)
  expect(stderr).toContain('a backup of a whole GitLab server')
})

test('names archives by their paths if several have one name', async () => {
  inFolder({})
  mkdirSync('monday')
  mkdirSync('tuesday')
  writeFileSync('monday/x.tar.gz', smallArchive())
  const damaged = smallArchive({ 'issues_000001.json': [issue(9, 'Ninth')] }).subarray(0, -40)
  writeFileSync('tuesday/x.tar.gz', damaged)
  const argv = ['load', 'monday/x.tar.gz', 'tuesday/x.tar.gz', '-o', 'days.db', '--json']
  const stopped = await run(argv)
  expect(JSON.parse(stopped.stderr).error.place.archive).toBe('tuesday/x.tar.gz')
  const { archives, failed } = JSON.parse((await run([...argv, '--keep-going'])).stdout)
  expect([archives[0].name, failed[0].name, failed[0].place.archive]).toEqual([
    'monday/x.tar.gz',
    'tuesday/x.tar.gz',
    'tuesday/x.tar.gz',
  ])
})

test('prints a summary for programs with --json', async () => {
  inFolder({ 'a.tar.gz': small })
  const { stdout } = await run(['load', 'a.tar.gz', '--json', '-o', 'x.db'])
  expect(JSON.parse(stdout)).toMatchObject({
    database: 'x.db',
    archives: [
      {
        name: 'a.tar.gz',
        alreadyLoaded: false,
        kinds: { users: { added: 2, replaced: 0, unchanged: 0 } },
        files: { count: 1, bytes: 9 },
        problems: {},
      },
    ],
    seconds: expect.any(Number),
  })
})

describe('into an existing database', () => {
  test('adds and replaces records, and prints both counts', async () => {
    inFolder({ 'a.tar.gz': small, 'b.tar.gz': later })
    await run(['load', 'a.tar.gz'])
    const { stdout } = await run(['load', 'b.tar.gz', '-o', 'a.db'])
    expect(stdout).toContain('users          3  1 replaced, 1 unchanged\n')
    const people = await run(['query', 'a.db', 'select login, name from users order by 1', '--csv'])
    expect(people.stdout).toBe('login,name\nada,Ada\ngrace,\nlinus,\n')
  })

  test('loads several archives at once', THOROUGH, async () => {
    inFolder({ 'a.tar.gz': small, 'b.tar.gz': later })
    const { stdout } = await run(['load', 'a.tar.gz', 'b.tar.gz', '-o', 'all.db'])
    expect(stdout).toMatch(/^a\.tar\.gz\n[\s\S]+\nb\.tar\.gz\n[\s\S]+\nall\.db is ready/)
    expect((await run(['query', 'all.db', 'select count(*) n from users'])).stdout).toBe(
      '[{"n":3}]\n',
    )
  })

  test('changes nothing if the archive was already loaded, and says how to load it again', async () => {
    inFolder({ 'a.tar.gz': small })
    await run(['load', 'a.tar.gz'])
    const { code, stdout } = await run(['load', 'a.tar.gz'])
    expect(code).toBe(0)
    expect(stdout.split('\n').slice(0, 2)).toEqual([
      'a.tar.gz was already loaded: nothing changed.',
      'To load everything again, over the database, add --force.',
    ])
  })

  test('creates a new one with --force', THOROUGH, async () => {
    inFolder({ 'a.tar.gz': small, 'b.tar.gz': later })
    await run(['load', 'a.tar.gz', '-o', 'x.db'])
    await run(['load', 'b.tar.gz', '-o', 'x.db', '--force'])
    expect((await run(['query', 'x.db', 'select count(*) n from archives', '-r'])).stdout).toBe(
      '1\n',
    )
  })

  test('overwrites only databases that marc created, even with --force', async () => {
    inFolder({ 'a.tar.gz': small, 'x.db': later })
    const { code, stderr } = await run(['load', 'a.tar.gz', '-o', 'x.db', '--force'])
    expect({ code, stderr }).toMatchObject({ code: 3, stderr: expect.stringContaining('stays') })
    expect(readFileSync('x.db')).toEqual(later)
  })

  test('refuses a file that is not a database', async () => {
    inFolder({ 'a.tar.gz': small, 'x.db': 'a text of some length, which is no database' })
    const { code, stderr } = await run(['load', 'a.tar.gz', '-o', 'x.db'])
    expect(code).toBe(3)
    expect(stderr).toMatch(
      /^marc: x\.db: .*\nName a database that marc load created, or another output, with -o\.\n$/,
    )
    expect(readFileSync('x.db', 'utf8')).toMatch(/^a text/)
  })
})

test('--no-files keeps only names, sizes and hashes of files', THOROUGH, async () => {
  inFolder({ 'a.tar.gz': small })
  await run(['load', 'a.tar.gz', '--no-files'])
  const { stdout } = await run(['query', 'a.db', 'select path, size, stored from files'])
  expect(JSON.parse(stdout)).toEqual([{ path: 'attachments/a1/picture.txt', size: 9, stored: 0 }])
  const { code, stderr } = await run(['cat', 'a.db', 'attachments/a1/picture.txt'])
  expect(code).toBe(1)
  expect(stderr).toContain('the content of this file was not stored')
})

test('reads standard input', async () => {
  inFolder()
  const { code, stdout } = await run(['load', '-', '-o', 'x.db'], { stdin: small })
  expect(code).toBe(0)
  expect(stdout).toMatch(/^standard input\n/)
})

test('prints problems and their meaning', async () => {
  const files = { 'users_000001.json': [user('ada'), 5], 'gadgets_000001.json': [{ url: 'x:' }] }
  inFolder({ 'a.tar.gz': smallArchive(files) })
  const { code, stdout } = await run(['load', 'a.tar.gz'])
  expect(code).toBe(0)
  expect(stdout).toContain('\nProblems\n')
  expect(stdout).toContain('  record-not-object × 1: a record is not an object\n')
  expect(stdout).toContain('  kind-unknown × 1: ')
})

test('loads contents that --no-files left out, or says how', THOROUGH, async () => {
  inFolder({ 'a.tar.gz': small })
  await run(['load', 'a.tar.gz', '--no-files'])
  const again = await run(['load', '-', '-o', 'a.db'], { stdin: small })
  expect(again.stdout).toContain(
    'standard input was already loaded: nothing changed.\nContents of 1 file are still missing: to add them, load everything again with --force.\n',
  )
  expect((await run(['load', 'a.tar.gz'])).stdout).toContain(
    'a.tar.gz was already loaded: contents of 1 file were added, 9 B.\n',
  )
  expect((await run(['cat', 'a.db', 'attachments/a1/picture.txt'])).code).toBe(0)
})

describe('an older archive after a newer one', () => {
  const of = (name: string, created_at: string) =>
    smallArchive({ 'users_000001.json': [user('ada', { name, created_at })] })
  const both = {
    'march.tar.gz': of('New', '2024-03-20T10:00:00Z'),
    'january.tar.gz': of('Old', '2024-01-15T10:00:00Z'),
  }
  const argv = ['load', 'march.tar.gz', 'january.tar.gz', '-o', 'all.db']
  const made = '  exported 2024-01-15T10:00:00Z, before march.tar.gz (2024-03-20T10:00:00Z)\n'
  const nameOfAda = async () =>
    (await run(['query', 'all.db', 'SELECT name FROM users', '-r'])).stdout

  test('replaces its records with a warning', async () => {
    inFolder(both)
    const { code, stdout } = await run(argv)
    expect(code).toBe(0)
    expect(stdout).toContain(`january.tar.gz\n${made}`)
    expect(stdout).toMatch(/^ {2}users +1 {2}1 replaced$/m)
    expect(stdout).toContain('  archive-older × 1: records of an older archive replaced newer ones')
    expect(await nameOfAda()).toBe('Old\n')
  })

  test('keeps newer records with --newest-wins, and counts outdated ones', THOROUGH, async () => {
    inFolder(both)
    const { stdout } = await run([...argv, '--newest-wins'])
    expect(stdout).toContain(`january.tar.gz\n${made}`)
    expect(stdout).toMatch(/^ {2}users +1 {2}1 outdated$/m)
    expect(stdout).not.toContain('archive-older')
    expect(await nameOfAda()).toBe('New\n')
  })
})

test('J7: counts every record that has a problem', async () => {
  inFolder({ 'a.tar.gz': smallArchive({ 'users_000002.json': [{ login: 'a' }, { login: 'b' }] }) })
  expect((await run(['load', 'a.tar.gz'])).stdout).toContain('  record-without-url × 2: ')
  const { stdout } = await run(['query', 'a.db', 'select code, times from problems'])
  expect(JSON.parse(stdout)).toContainEqual({ code: 'record-without-url', times: 2 })
})

describe('refuses with code 3, message and remedy, and leaves nothing behind', () => {
  const cut = small.subarray(0, small.length / 2)
  const badJson = tarGzOf({ 'users_000001.json': '[{"url": "x' })
  everyDay(1)([
    [
      'a web page',
      Buffer.from('<!DOCTYPE html><html>'),
      /expected a tar.gz, but this is a web page/,
    ],
    ['nothing', Buffer.alloc(0), /expected a tar.gz, but this is empty/],
    [
      'half of one',
      cut,
      /ends too early.*\nThe download stopped early: download the archive again/,
    ],
    ['bad JSON', badJson, /bad, users_000001\.json: .+\nDownload the archive again/],
    ['no array', tarGzOf({ 'users_000001.json': {} }), /users_000001\.json: expected an array/],
    [
      'a path outside',
      tarGzOf({ '../x': 'y' }),
      /"\.\.\/x" leads out of the archive\n.*do not trust/,
    ],
  ])('%s', async (_name, bytes, message) => {
    inFolder({ bad: bytes })
    const { code, stdout, stderr } = await run(['load', 'bad'])
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' })
    expect(stderr).toMatch(/^marc: bad/)
    expect(stderr).toMatch(message)
    expect(readdirSync('.')).toEqual(['bad'])
  })

  test('and loads none of several archives', THOROUGH, async () => {
    inFolder({ 'a.tar.gz': small, bad: cut })
    await run(['load', 'a.tar.gz', '-o', 'x.db'])
    const before = readFileSync('x.db')
    inFolder({ 'b.tar.gz': later, bad: cut, 'x.db': before })
    expect((await run(['load', 'b.tar.gz', 'bad', '-o', 'x.db'])).code).toBe(3)
    expect((await run(['query', 'x.db', 'select count(*) n from archives', '-r'])).stdout).toBe(
      '1\n',
    )
    expect(readdirSync('.').sort()).toEqual(['b.tar.gz', 'bad', 'x.db'])
  })
})

describe('refuses as output', () => {
  everyDay(3)([
    ['new/x.db', 'expected a folder new, found none', 'Make the folder with: mkdir -p new'],
    ['a.tar.gz/x.db', 'expected a folder a.tar.gz, found a file', 'Name another output with: -o'],
    [
      'dir',
      'expected the name of a database, found a folder',
      'Name a file in it with: -o dir/name.db',
    ],
    [
      'a.tar.gz',
      'the output is, or is inside, the archive to load',
      'Name another output with: -o',
    ],
    [
      './dir/../a.tar.gz',
      'the output is, or is inside, the archive to load',
      'Name another output with: -o',
    ],
    [
      'x.tar.gz',
      'expected the name of a database, found one that ends in .gz',
      'Name it with: -o name.db',
    ],
  ])('%s', async (output, message, remedy) => {
    inFolder({ 'a.tar.gz': small })
    mkdirSync('dir')
    for (const force of [[], ['--force']]) {
      const { code, stderr } = await run(['load', 'a.tar.gz', '-o', output, ...force])
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: `marc: ${output}: ${message}\n${remedy}\n`,
      })
    }
    expect(readFileSync('a.tar.gz').equals(small)).toBe(true)
  })

  test('a file in the folder to load', async () => {
    inFolder({ 'export/users_000001.json': '[]' })
    expect((await run(['load', 'export', '-o', 'export/x.db'])).code).toBe(2)
    process.chdir('export')
    expect((await run(['load', '.'])).code).toBe(2)
    expect(readdirSync('.')).toEqual(['users_000001.json'])
  })

  test('standard output, and requires one for standard input', async () => {
    inFolder({ 'a.tar.gz': small })
    expect((await run(['load', 'a.tar.gz', '-o', '-'])).stderr).toContain(
      'Name a file with: -o name.db',
    )
    expect((await run(['load', '-'], { stdin: small })).stderr).toContain('marc load - -o name.db')
  })

  test.skipIf(process.getuid?.() === 0)('a folder that cannot be written to', async () => {
    inFolder({ 'a.tar.gz': small })
    mkdirSync('locked')
    chmodSync('locked', 0o555)
    const { code, stderr } = await run(['load', 'a.tar.gz', '-o', 'locked/x.db'])
    expect(code).toBe(3)
    expect(stderr).toContain('locked/x.db: there is no permission to write it')
  })
})

test('a database alone is told not to need a load', async () => {
  inFolder({ 'a.tar.gz': small })
  await run(['load', 'a.tar.gz', '-q'])
  const { code, stderr } = await run(['load', 'a.db'])
  expect([code, stderr]).toEqual([
    2,
    'marc: a.db: expected an archive, found a database\nIt needs no load: marc tables a.db\n',
  ])
})

test('a database without -o after the archives is probably meant as the output', async () => {
  inFolder({ 'a.tar.gz': smallArchive(), 'b.tar.gz': smallArchive() })
  await run(['load', 'a.tar.gz', '-q'])
  expect(await run(['load', 'b.tar.gz', 'a.db'])).toMatchObject({
    code: 2,
    stderr:
      'marc: a.db: expected an archive, found a database\nTo add to it: marc load b.tar.gz -o a.db\n',
  })
})

test('refuses a database and a terminal as archives', async () => {
  inFolder({ 'a.tar.gz': small })
  await run(['load', 'a.tar.gz'])
  const database = await run(['load', 'a.db', '-o', 'b.db'])
  expect(database).toMatchObject({
    code: 2,
    stderr:
      'marc: a.db: expected an archive, found a database\nMake an archive of it first: marc build a.db -o a.tar.gz\n',
  })
  const terminal = await run(['load', '-', '-o', 'b.db'])
  expect(terminal.stderr).toContain('expected an archive on standard input, found a terminal')
})

describe('progress', () => {
  const ERASE = '\r\x1b[2K'

  test('is a bar only on a terminal, and erased at the end', async () => {
    inFolder({ 'a.tar.gz': small })
    const { stdout, stderr } = await run(['load', 'a.tar.gz'], { tty: 'stderr' })
    expect(stderr).toMatch(/█.+ %/)
    expect(stderr.startsWith(`${ERASE}loading a.tar.gz `)).toBe(true)
    expect(stderr.endsWith(ERASE)).toBe(true)
    expect(stdout).not.toContain('\x1b')
    expect((await run(['load', 'a.tar.gz', '--force'])).stderr).toBe('')
  })

  everyDay(1)([['--quiet'], ['-q']])('is not shown with %s', async (flag) => {
    inFolder({ 'a.tar.gz': small })
    expect((await run(['load', 'a.tar.gz', flag], { tty: true })).stderr).toBe('')
  })

  test('is plain lines with --verbose', async () => {
    inFolder({ 'a.tar.gz': small })
    const { stderr } = await run(['load', 'a.tar.gz', '--verbose'], { tty: true })
    expect(stderr).toBe('') // a line is due only after five seconds
  })
})

test('an interrupt ends it with code 130 and leaves nothing behind', async () => {
  inFolder({ 'a.tar.gz': small })
  const { code, stderr } = await run(['load', 'a.tar.gz'], { signal: AbortSignal.abort() })
  expect({ code, stderr }).toEqual({
    code: 130,
    stderr: 'marc: interrupted\nNothing was changed.\n',
  })
  expect(readdirSync('.')).toEqual(['a.tar.gz'])
})

test('limits are options', THOROUGH, async () => {
  inFolder({ 'a.tar': tarOf({ 'users_000001.json': [user('ada')] }) })
  const { code, stderr } = await run(['load', 'a.tar', '--max-path', '5'])
  expect(code).toBe(3)
  expect(stderr).toContain('--max-path')
  expect((await run(['load', 'a.tar', '--max-path', 'off'])).code).toBe(0)
})

test('an archive that grew is another archive', THOROUGH, async () => {
  inFolder({ 'a.tar.gz': small })
  await run(['load', 'a.tar.gz'])
  writeFileSync('a.tar.gz', smallArchive({ 'issues_000002.json': [issue(4, 'Fourth')] }))
  expect((await run(['load', 'a.tar.gz'])).stdout).toContain('issues          4  3 unchanged\n')
})

test('a database that is missing is said to be missing, not to be its own output', async () => {
  inFolder()
  const { code, stderr } = await run(['load', 'no.db'])
  expect(code).toBe(2)
  expect(stderr).toContain('marc: no.db: there is no such file or folder\n')
})

test('a file whose name is not UTF-8 is named, and how to read it', async () => {
  inFolder({ 'all/a.tar.gz': small, 'unpacked/users_000001.json': '[]' })
  const odd = (folder: string) => Buffer.from(`${folder}/n\xe9.tar.gz`, 'latin1')
  writeFileSync(odd('all'), small)
  writeFileSync(odd('unpacked'), small)
  for (const argv of [['all'], ['all/n\ufffd.tar.gz'], ['unpacked'], ['all/a.tar.gz', 'all']]) {
    const { code, stderr } = await run(['load', ...argv, '-o', 'x.db'])
    expect(code).toBe(2)
    expect(stderr).toMatch(
      /n\ufffd\.tar\.gz: there is no such file or folder\n.*not UTF-8: rename it/,
    )
  }
})

describe('a damaged archive', () => {
  const cut = small.subarray(0, -40)

  test('is refused, with the remedy', async () => {
    inFolder({ 'a.tar.gz': cut })
    const { code, stderr } = await run(['load', 'a.tar.gz'])
    expect(code).toBe(3)
    expect(stderr).toMatch(/^marc: a\.tar\.gz.*ends too early.*\n.*: --salvage\n$/)
    expect(existsSync('a.db')).toBe(false)
  })

  test('is recovered with --salvage, which lists what is lost', THOROUGH, async () => {
    inFolder({ 'a.tar.gz': cut })
    const { code, stdout, stderr } = await run(['load', 'a.tar.gz', '--salvage'])
    expect({ code, stderr }).toEqual({ code: 5, stderr: '' })
    expect(stdout).toMatch(/^ {2}users +2$/m)
    expect(stdout).toMatch(/\nLost\n.*ends too early.* byte \d+ of the tar, about byte \d+ of the/)
    const again = await run(['load', 'a.tar.gz', '--salvage', '--json'])
    expect(again.code).toBe(5)
    expect(JSON.parse(again.stdout).archives).toMatchObject([
      { alreadyLoaded: true, state: 'salvaged' },
    ])
  })

  test('with nothing to recover says so, and has no remedy that was tried', async () => {
    inFolder({ 'a.tar.gz': small.subarray(0, 20) })
    const { code, stderr } = await run(['load', 'a.tar.gz', '--salvage'])
    expect(code).toBe(3)
    expect(stderr).toMatch(/; nothing can be salvaged\n.*download the archive again\n$/)
  })
})

test(
  'a pattern stands for its files; --keep-going loads those that are whole, and exits with 1',
  THOROUGH,
  async () => {
    const files = { 'exports/a.tar.gz': small, 'exports/b.tar.gz': 'x', 'exports/c.tar.gz': later }
    inFolder(files)
    const argv = ['load', 'exports/?.tar.*', '-o', 'all.db']
    expect((await run(argv)).code).toBe(3)
    const { code, stdout, stderr } = await run([...argv, '--keep-going'])
    expect(code).toBe(1)
    expect(stderr).toMatch(/^b\.tar\.gz: .+\n$/)
    expect(stdout).toMatch(/^a\.tar\.gz\n[\s\S]*^c\.tar\.gz\n[\s\S]*^2 archives\n/m)
    const again = await run([...argv, '--keep-going', '--json'])
    expect(again.stderr).toBe('')
    expect(JSON.parse(again.stdout)).toMatchObject({
      archives: [{ alreadyLoaded: true }, { alreadyLoaded: true }],
      failed: [{ name: 'b.tar.gz', message: expect.any(String) }],
    })
  },
)

test('a pattern may have any sign that a name may have', async () => {
  const name = "a-b (1) [x]{2}+^$|.'é ~#,.tar.gz"
  inFolder({ [`exports/${name}`]: small, 'exports/other.tar.gz': later })
  const { code, stdout } = await run(['load', `exports/${name.replace('1', '?')}`, '-o', 'all.db'])
  expect([code, stdout.split('\n')[0]]).toEqual([0, name])
})

test('shows one progress over several archives', async () => {
  inFolder({ 'a.tar.gz': small, 'b.tar.gz': later })
  const { stderr } = await run(['load', 'a.tar.gz', 'b.tar.gz', '-o', 'c.db'], { tty: 'stderr' })
  expect(stderr).toContain('loading 2 archives')
  expect(stderr).toContain('1: a.tar.gz')
})

test('with -q prints nothing, and with --json only the summary', THOROUGH, async () => {
  inFolder({ 'a.tar.gz': small })
  expect(await run(['load', 'a.tar.gz', '-q'], { tty: true })).toEqual({
    code: 0,
    stdout: '',
    stderr: '',
  })
  const { stdout } = await run(['load', 'a.tar.gz', '-q', '--json', '--force'])
  expect(JSON.parse(stdout)).toMatchObject({ archives: [{ state: 'complete' }] })
})
