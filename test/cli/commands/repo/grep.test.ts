import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { commitOf, looseOf, oidOf, repositoryOf, treeOf } from '../../../support/build-pack.ts'
import { type GitHistory, gitHistory, gitText } from '../../../support/git-history.ts'
import { loaded } from '../../../support/load.ts'
import { run } from '../../../support/run-command.ts'

let history: GitHistory

beforeAll(async () => {
  history = await gitHistory()
})

afterAll(() => history.close())

const grep = (...args: string[]) => run(['repo', 'grep', history.path, ...args])

describe('marc repo grep', () => {
  test.each([
    ['line 7', 'main', []],
    ['KETTLE', 'light', ['-i']],
    ['twin', 'main', []],
    ['a file', 'v1.0', []],
    ['o', 'octopus', []],
  ] as const)('finds %j in %s as git grep does', async (text, revision, options) => {
    const theirs = gitText(history.directory, [
      ...['-c', 'core.quotePath=false', 'grep', '-n', '-I', '-F', ...options, text, revision],
    ])
    const { code, stdout } = await grep(text, '--revision', revision, ...options, '--nl')
    expect(code).toBe(0)
    const mine = stdout
      .trimEnd()
      .split('\n')
      .map((row) => JSON.parse(row))
      .map(({ path, line, text }) => `${revision}:${path}:${line}:${text}\n`)
    // A link is a file with a target to git grep.
    const files = theirs.split('\n').filter((line) => !line.startsWith(`${revision}:link:`))
    expect(mine.join('')).toBe(files.join('\n'))
  })

  test('shows places to people, and exits with 1 if nothing is found', async () => {
    const { code, stdout } = await run(['repo', 'grep', history.path, 'Boils'], {
      tty: true,
      env: { NO_COLOR: '1' },
    })
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'ada/kettle:README.md:3: Boils.\n' })
    expect(await grep('no such text')).toMatchObject({ code: 1, stderr: '' })
  })

  test('Q3: escapes control characters of files and paths', async () => {
    const content = 'found \x1b[31m\n'
    const tree = treeOf(['100644', 'a\x1bb', oidOf('blob', content)])
    const commit = commitOf(oidOf('tree', tree))
    const { path } = await loaded(
      repositoryOf('ada/kettle', {
        ...{ ...looseOf('blob', content), ...looseOf('tree', tree), ...looseOf('commit', commit) },
        'refs/heads/main': `${oidOf('commit', commit)}\n`,
      }),
    )
    const { stdout } = await run(['repo', 'grep', path, 'found'], {
      tty: true,
      env: { NO_COLOR: '1' },
    })
    expect(stdout).toBe('ada/kettle:a\\x1bb:1: found \\x1b[31m\n')
  })

  test('passes repositories without the revision, but tells of one that was named', async () => {
    expect(await grep('x', '--revision', 'nowhere')).toMatchObject({ code: 1, stderr: '' })
    const { code, stderr } = await grep('x', 'ada/kettle', '--revision', 'nowhere')
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('no such ref') })
  })

  test('refuses an empty text', async () => {
    expect(await grep('')).toMatchObject({ code: 2 })
  })
})
