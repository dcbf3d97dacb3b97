import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type GitHistory, gitHistory, gitText } from '../../../support/git-history.ts'
import { inFolder, run } from '../../../support/run-command.ts'
import { everyDay, THOROUGH } from '../../../support/thorough.ts'

let history: GitHistory

beforeAll(async () => {
  history = await gitHistory()
})

afterAll(() => history.close())

const git = (...args: string[]) => gitText(history.directory, args)

const log = (...args: string[]) => run(['repo', 'log', history.path, 'ada/kettle', ...args])

describe('marc repo log', () => {
  everyDay(1)([
    [['--all']],
    [['v1.0..main']],
    [['main..topic']],
    [['topic..']],
    [['side..octopus', '--no-merges']],
    [['octopus', '--no-merges', '--reverse']],
    [['--reverse', '-n', '3']],
    [['main', '--grep', 'Commit 1']],
    [['topic..octopus', '--path', 'long.txt']],
    [['main', '--follow', '--path', 'old/boil.c']],
    [['main', '--follow', '--path', 'x/cool.c']],
    [['main', '--follow', '--path', 'loose.txt']],
    [['main..main']],
  ])('%j lists the commits of git log', async (args) => {
    const format = ['--format=%H', '--fixed-strings', '--regexp-ignore-case']
    const theirs = args.flatMap((word) => (word === '--path' ? ['--'] : [word]))
    const { code, stdout, stderr } = await log(...args, '--format', 'raw', '--no-headers')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const mine = stdout.split('\n').flatMap((line) => /^[0-9a-f]{40}/.exec(line) ?? [])
    expect(mine).toEqual(
      git('log', ...format, ...theirs)
        .trim()
        .split('\n')
        .filter(Boolean),
    )
  })

  everyDay(3)([
    [['main', '--all'], /--all or a revision/],
    [['main', '--follow'], /--follow takes one --path/],
    [['main', '--follow', '--path', 'a', '--path', 'b'], /--follow takes one --path/],
  ])('refuses %j', async (args, message) => {
    const { code, stderr } = await log(...args)
    expect(code).toBe(2)
    expect(stderr).toMatch(message)
  })

  test('--oneline prints what git log --oneline does', async () => {
    const { code, stdout, stderr } = await log('octopus', '--oneline')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const plain = stdout.replace(/^(\w+) \([^)]*\)/gm, '$1')
    const expected = git('log', '--oneline', 'octopus').replace(/ +$/gm, '')
    expect(plain.replace(/ +/g, ' ')).toBe(expected.replace(/ +/g, ' '))
  })

  test('shows the refs of a commit', THOROUGH, async () => {
    const { stdout } = await log('--oneline', '-n', '1')
    expect(stdout).toBe('22aee4a (HEAD -> main, tag: v2.0) Commit 1\n')
    expect((await log('light', '--oneline', '-n', '1')).stdout).toContain('(tag: light)')
    expect((await log('pull/7/head', '--oneline', '-n', '1')).stdout).toMatch(
      /^\w+ \(refs\/pull\/7\/head\) Commit 44\n$/,
    )
  })

  test('shows commits on a terminal as git log does', async () => {
    const { stdout } = await run(
      ['repo', 'log', history.path, 'ada/kettle', 'light', '--path', 'run.sh'],
      { tty: true, env: { NO_COLOR: '1' } },
    )
    const date = '--date=iso'
    const theirs = git('log', '--format=full', '--decorate=no', date, 'light', '--', 'run.sh')
    expect(stdout.split('\n').filter((line) => line.startsWith('    '))).toEqual(
      theirs.split('\n').filter((line) => /^ {4}./.test(line)),
    )
    expect(stdout).toContain(
      'Author: Ada Kettle <ada@forge.example>\nCommit: Bo <bo@forge.example>\nDate:   2014-05-13 18:55:00 +0200\n\n    Grüße\n',
    )
  })

  test('prints all columns as JSON', async () => {
    const [commit] = JSON.parse((await log('light', '-n', '1')).stdout)
    expect(commit).toEqual({
      oid: '17685327eb90a1b6b2a1b15291c306d3cc35994a',
      tree: git('rev-parse', 'light^{tree}').trim(),
      parents: JSON.stringify(git('rev-parse', 'light^1', 'light^2').trim().split('\n')),
      author_name: 'Ada Kettle',
      author_email: 'ada@forge.example',
      authored_at: '2014-05-13T16:56:40Z',
      author_zone: '+0200',
      committer_name: 'Bo',
      committer_email: 'bo@forge.example',
      committed_at: '2014-05-13T16:56:40Z',
      committer_zone: '-0330',
      subject: 'Merge 水',
      message: 'Merge 水\n',
    })
  })

  test('prints the main columns as a table', async () => {
    const { stdout } = await log('light', '-n', '1', '-t')
    expect(stdout.split('\n')[0]?.split(/ {2,}/)).toEqual([
      'oid',
      'authored_at',
      'author_name',
      'subject',
    ])
  })

  test('combines paths, dates, authors and a limit', async () => {
    const { stdout } = await log(
      'octopus',
      '--oneline',
      '--path',
      'long.txt',
      '--path',
      'README.md',
      '--author',
      'ada',
      '--since',
      '2014-05-13T19:00:00+02:00',
      '--until',
      '2014-05-13T17:00:20Z',
      '-n',
      '5',
    )
    const theirs = git(
      'log',
      '--oneline',
      '--author=Ada',
      '-n',
      '5',
      'octopus',
      '--since=2014-05-13T19:00:00+02:00',
      '--until=2014-05-13T17:00:20Z',
      '--',
      'long.txt',
      'README.md',
    )
    expect(stdout).toBe(theirs)
    expect(stdout.split('\n').length).toBe(6)
  })

  test.each([
    [
      ['nowhere'],
      1,
      /"nowhere": there is no such ref or object\nList the refs with: marc repo refs/,
    ],
    [['-n', 'x'], 2, /^marc: --limit takes a number or off, not "x"/],
    [['--since', 'yesterday'], 2, /^marc: --since takes a date/],
    [['--oneline', '--nl'], 2, /^marc: --oneline cannot be combined with a format/],
    [['--max-object', 'x'], 2, /^marc: --max-object takes a size or off/],
    [['--max-object', '10'], 3, /a commit has \d+ bytes; the limit is 10.*\n.*marc repo clone/],
  ])('refuses %j', async (args, code, message) => {
    const outcome = await log(...args)
    expect(outcome).toMatchObject({ code, stdout: '' })
    expect(outcome.stderr).toMatch(message)
  })

  test('reads an archive through the cache', THOROUGH, async () => {
    inFolder()
    const { stdout } = await run(['repo', 'log', history.folder, 'Ada/Kettle', '--oneline', '-n1'])
    expect(stdout).toBe('22aee4a (HEAD -> main, tag: v2.0) Commit 1\n')
  })

  test('names a missing repository', async () => {
    const { code, stderr } = await run(['repo', 'log', history.path, 'ada/nowhere'])
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('ada/nowhere'),
    })
  })
})
