import { beforeAll, describe, expect, test } from 'vitest'
import { displayWidth } from '../../../src/cli/output/display-width.ts'
import { issue, smallArchive, user } from '../../support/archives.ts'
import { inFolder, run, shareFolder } from '../../support/run-command.ts'
import { everyDay, THOROUGH } from '../../support/thorough.ts'

const REPOSITORY = 'https://host.example/acme/tools'
const LONG =
  '時計が間違っている 🕰️ the clock on the quay is wrong, and has been so for an hour or more. '

const archive = smallArchive({
  'issues_000001.json': [
    issue(1, 'A clock 🕰️ that is wrong', { body: LONG.repeat(4) }),
    issue(2, 'Second', { body: 'No clock here', closed_at: '2021-02-02T00:00:00Z' }),
    issue(3, 'Third', { body: 'Nor there' }),
  ],
  'users_000001.json': [user('ada')],
})

shareFolder({ 'it.tar.gz': archive })
beforeAll(() => run(['load', 'it.tar.gz', '-o', 'new.db', '--quiet']))

describe('marc search', () => {
  test('shows each result with its place, facts, title and snippet', async () => {
    const { code, stdout } = await run(['search', 'it.tar.gz', 'here'], {
      tty: true,
      env: { NO_COLOR: '1' },
    })
    expect(code).toBe(0)
    expect(stdout).toBe(
      'acme/tools#2 issue · closed · ada · 2021-02-01\n  Second\n  No clock here\n',
    )
  })

  everyDay(1)([80, 200])('fits %i columns', async (columns) => {
    const options = { tty: true, columns, env: { NO_COLOR: '1' } }
    const { stdout } = await run(['search', 'it.tar.gz', 'wrong'], options)
    const widths = stdout.split('\n').map(displayWidth)
    expect(Math.max(...widths)).toBeLessThanOrEqual(columns)
    expect(Math.max(...widths)).toBeGreaterThan(Math.min(columns, 140) * 0.7)
  })

  test('colours the matched words if colours are on', async () => {
    const { stdout } = await run(['search', 'it.tar.gz', 'here'], { tty: true })
    expect(stdout).toContain('No clock \x1b[33mhere\x1b[39m\n')
  })

  test('writes JSON to a pipe, without cutting', async () => {
    const { code, stdout, stderr } = await run(['search', 'it.tar.gz', 'nor'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(JSON.parse(stdout)).toEqual([
      {
        place: 'acme/tools#3',
        kind: 'issue',
        full_name: 'acme/tools',
        number: 3,
        title: 'Third',
        state: 'open',
        author: 'ada',
        created_at: '2021-03-01T00:00:00Z',
        url: 'https://host.example/acme/tools/issues/3',
        snippet: 'Nor there',
        score: expect.any(Number),
      },
    ])
  })

  test('joins words, quoted or not', THOROUGH, async () => {
    const places = async (...words: string[]) =>
      JSON.parse((await run(['search', 'it.tar.gz', ...words])).stdout).map(
        ({ number }: { number: number }) => number,
      )
    expect(await places('no', 'clock')).toEqual([2])
    expect(await places('no clock')).toEqual([2])
    expect(await places('"clock no"')).toEqual([])
  })

  test('filters', THOROUGH, async () => {
    const numbers = async (...options: string[]) => {
      const { stdout } = await run(['search', 'it.tar.gz', 'clock', ...options, '--csv'])
      return stdout
        .split('\n')
        .slice(1, -1)
        .map((line) => line.split(',')[0])
    }
    expect(await numbers('--state', 'closed')).toEqual(['acme/tools#2'])
    expect(await numbers('--until', '2021-01-15')).toEqual(['acme/tools#1'])
    expect(await numbers('--since', '2021-01-15')).toEqual(['acme/tools#2'])
    expect(await numbers('--kind', 'comment', '--kind', 'release')).toEqual([])
    expect(await numbers('--kind', 'issues')).toEqual(await numbers('--kind', 'issue'))
    expect(await numbers('--repo', 'acme/tools', '--author', 'ada')).toHaveLength(2)
  })

  test('filters by label, including comments, regardless of case', THOROUGH, async () => {
    const [bug, other] = ['Bug', 'other'].map((name) => ({
      url: `${REPOSITORY}/labels/${name}`,
      name,
    }))
    const files = {
      'repositories_000001.json': [{ url: REPOSITORY, name: 'tools', labels: [bug, other] }],
      'issues_000001.json': [
        issue(1, 'A clock', { labels: [bug?.url] }),
        issue(2, 'A clock', { labels: [other?.url] }),
        issue(3, 'Quiet', { labels: [other?.url, bug?.url] }),
      ],
      'issue_comments_000001.json': [1, 2, 3].map((number) => ({
        url: `${REPOSITORY}/issues/${number}#issuecomment-${number}`,
        issue: `${REPOSITORY}/issues/${number}`,
        body: 'Which clock?',
      })),
    }
    inFolder({ 'labels.tar.gz': smallArchive(files) })
    const places = async (...words: string[]) =>
      (await run(['search', 'labels.tar.gz', ...words, '--csv', '--no-headers'])).stdout
        .split('\n')
        .slice(0, -1)
        .map((line) => line.split(',').slice(0, 2).join(' '))
        .sort()
    const expected = ['acme/tools#1 comment', 'acme/tools#1 issue', 'acme/tools#3 comment']
    expect(await places('clock', '--label', 'bug')).toEqual(expected)
    expect(await places('clock label:Bug')).toEqual(expected)
    expect(await places('clock label:Bug kind:issue author:ada repo:tools')).toEqual([
      'acme/tools#1 issue',
    ])
  })

  everyDay(1)([
    [['--repo', 'acme/toolz'], 'no such repository: acme/toolz\nDid you mean acme/tools?'],
    [['repo:acme/toolz'], 'no such repository: acme/toolz\nDid you mean acme/tools?'],
    [['--author', 'adda'], 'no such person: adda\nDid you mean ada?'],
    [['--label', 'bug'], 'no such label: bug\nList them with: marc query new.db '],
    [['author:ada', '--author', 'ada'], 'expected --author or author: among the words, found both'],
    [['OR', 'author:ada'], 'author:ada narrows the whole search'],
  ])('refuses %j before creating an index', async (options, message) => {
    const outcome = await run(['search', 'new.db', 'clock', ...options])
    expect(outcome).toMatchObject({ code: 2, stdout: '' })
    expect(outcome.stderr).toContain(`marc: ${message}`)
    const tables = await run([
      'query',
      'new.db',
      "select name from sqlite_schema where name = 'search_index'",
    ])
    expect(tables.stdout).toBe('[]\n')
  })

  test('says that there are more results', async () => {
    const { stdout, stderr } = await run(['search', 'it.tar.gz', 'clock', '-n', '1'], { tty: true })
    expect(stdout.split('\n\n')).toHaveLength(1)
    expect(stderr).toContain('best 1. Show more with: --limit')
  })

  test('ends with code 1 without results', async () => {
    const outcome = await run(['search', 'it.tar.gz', 'kettle'])
    expect(outcome).toEqual({ code: 1, stdout: '[]\n', stderr: 'nothing found\n' })
  })

  test('with a limit of 0 says whether there are results', async () => {
    const ask = (word: string) => run(['search', 'it.tar.gz', word, '--limit', '0'])
    expect(await ask('clock')).toEqual({ code: 0, stdout: '[]\n', stderr: '' })
    expect(await ask('kettle')).toMatchObject({ code: 1, stderr: 'nothing found\n' })
  })

  test('explains an invalid search before reading the archive', async () => {
    const outcome = await run(['search', 'it.tar.gz', '(clock'])
    expect(outcome).toMatchObject({ code: 2, stdout: '' })
    expect(outcome.stderr).toMatch(/^marc: a parenthesis is not closed\nWrite words, /)
  })

  test(
    'keeps the index in the database, and shows progress while creating it',
    THOROUGH,
    async () => {
      await run(['load', 'it.tar.gz', '-o', 'it.db', '--quiet'])
      const first = await run(['search', 'it.db', 'clock'], { tty: 'stderr' })
      expect(first.stderr).toContain('indexing it.db')
      const second = await run(['search', 'it.db', 'clock'], { tty: 'stderr' })
      expect(second).toMatchObject({ code: 0, stdout: first.stdout, stderr: '' })
      const quiet = await run(['search', 'it.tar.gz', 'clock', '-q'], { tty: 'stderr' })
      expect(quiet).toMatchObject({ code: 0, stderr: '' })
    },
  )
})

test(
  '--timeout searches in a child process with the same options, and stops it in time',
  THOROUGH,
  async () => {
    const asked = ['search', 'it.tar.gz', 'here', '--kind', 'issue', '--limit', '5', '--nl']
    const { code, stdout } = await run(asked)
    expect(code).toBe(0)
    expect(await run([...asked, '--timeout', '60'])).toEqual({ code: 0, stdout, stderr: '' })
    const late = await run([...asked, '--timeout', '0.001'])
    expect(late).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('not finished after 0.001 s'),
    })
    expect(await run([...asked, '--timeout', 'x'])).toMatchObject({ code: 2 })
  },
)
