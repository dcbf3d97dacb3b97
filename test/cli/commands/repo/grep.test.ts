import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { commitOf, looseOf, oidOf, repositoryOf, treeOf } from '../../../support/build-pack.ts'
import { type GitHistory, gitHistory, gitText } from '../../../support/git-history.ts'
import { loaded } from '../../../support/load.ts'
import { run } from '../../../support/run-command.ts'
import { everyDay, THOROUGH } from '../../../support/thorough.ts'

let history: GitHistory

beforeAll(async () => {
  history = await gitHistory()
})

afterAll(() => history.close())

const grep = (...args: string[]) => run(['repo', 'grep', history.path, ...args])

/** What git grep prints; it fails if it finds nothing. */
function gitGrep(...args: string[]): string {
  try {
    return gitText(history.directory, ['-c', 'core.quotePath=false', 'grep', '-n', '-I', ...args])
  } catch {
    return ''
  }
}

describe('marc repo grep', () => {
  everyDay(1)<[string[], string]>([
    [['line 7'], 'main'],
    [['twin'], 'main'],
    [['-e', 'twin', '-e', 'cool', '-e', 'no such'], 'main'],
    [['-F', 'a.file'], 'v1.0'],
    [['-w', 'lin'], 'main'],
    [['-w', '-i', 'BOILS'], 'main'],
    [['^line [0-9]*7 of|^(co+l|tw{1}in)$'], 'main'],
    [['line 1(2|3)? of'], 'octopus'],
    [['l{1,2}$'], 'octopus'],
    [['\\bo'], 'octopus'],
    [['-l', 'o'], 'main'],
    [['-c', 'line'], 'main'],
    [['-C', '1', 'line 39 of'], 'main'],
    [['-A', '2', '-B1', '-e', 'line 3 of', '-e', 'line 6 of'], 'v1.0'],
    [['a.file'], 'v1.0'],
    [['[^a-z0-9 ]'], 'v1.0'],
    [['o+'], 'main'],
    [['\\d\\d'], 'main'],
    [['-i', 'KETTLE'], 'light'],
  ])('with %j finds in %s what git grep does', async (options, revision) => {
    const kind = options.includes('-F') ? [] : ['-P']
    const theirs = gitGrep(...kind, ...options, revision, '--', ':!link')
    const { stdout } = await grep(...options, '--rev', revision)
    expect(stdout.replaceAll('ada/kettle:', `${revision}:`)).toBe(theirs)
  })

  everyDay(1)(['*.c', 'old/', 'long.txt', 'old', 'o?d', '*oi*'])('in the path %s', async (path) => {
    const theirs = gitGrep('l', 'main', '--', path)
    const { stdout } = await grep('l', '--path', path)
    expect(stdout.replaceAll('ada/kettle:', 'main:')).toBe(theirs)
  })

  test('prints rows of each kind', async () => {
    const rows = async (...args: string[]) =>
      JSON.parse((await grep(...args, '--format', 'json')).stdout)
    const file = { repository: 'ada/kettle', path: 'README.md' }
    expect(await rows('Boils')).toEqual([{ ...file, line: 3, text: 'Boils.' }])
    expect(await rows('Boils', '-c')).toEqual([{ ...file, lines: 1 }])
    expect(await rows('Boils', '-l')).toEqual([file])
  })

  test('shows places to people, says what was not searched, and exits with 1 if nothing is found', async () => {
    const { code, stdout, stderr } = await run(['repo', 'grep', history.path, 'Boils'], {
      tty: true,
      env: { NO_COLOR: '1' },
    })
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: 'ada/kettle:README.md:3:Boils.\n',
      stderr: 'Not searched: 1 binary file.\n',
    })
    expect(await grep('no such. text')).toMatchObject({ code: 1, stdout: '' })
  })

  test('Q3: escapes control characters of files and paths', THOROUGH, async () => {
    const content = 'found \x1b[31m\n'
    const tree = treeOf(['100644', 'a\x1bb', oidOf('blob', content)])
    const commit = commitOf(oidOf('tree', tree))
    const { path } = await loaded(
      repositoryOf('ada/kettle', {
        ...looseOf('blob', content),
        ...looseOf('tree', tree),
        ...looseOf('commit', commit),
        'refs/heads/main': `${oidOf('commit', commit)}\n`,
      }),
    )
    const { stdout } = await run(['repo', 'grep', path, 'found'], {
      tty: true,
      env: { NO_COLOR: '1' },
    })
    expect(stdout).toBe('ada/kettle:a\\x1bb:1:found \\x1b[31m\n')
  })

  test('passes repositories without the revision, but tells of one that was named', async () => {
    expect(await grep('x', '--rev', 'nowhere')).toMatchObject({ code: 1, stderr: '' })
    const { code, stderr } = await grep('x', 'ada/kettle', '--rev', 'nowhere')
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('no such ref') })
  })

  everyDay(4)([
    [[], '<pattern> is missing'],
    [['-e', 'x', 'ada/kettle', 'y'], 'one argument too many'],
    [['x', '-E'], 'patterns are regular expressions of JavaScript, not those of -E'],
    [['x', '-G', '-F'], 'not those of -G'],
    [['x', '-l', '-c'], 'found both'],
    [['x', '-C', 'y'], 'takes a number of lines'],
    [['x', '-C', '1', '--csv'], 'cannot be combined'],
    [['('], 'For plain text, use -F.'],
    [['x', 'ada/none'], 'ada/none'],
  ])('refuses %j', async (args, message) => {
    const { code, stdout, stderr } = await grep(...args)
    expect({ code, stdout }).toEqual({ code: expect.toSatisfy((it) => it > 0), stdout: '' })
    expect(stderr).toContain(message)
  })
})
