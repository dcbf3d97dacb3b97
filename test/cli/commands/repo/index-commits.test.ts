import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../../../src/database/open-database.ts'
import { indexCommits } from '../../../../src/git/history/index-commits.ts'
import { loadArchive } from '../../../../src/load/load-archive.ts'
import { commitOf, looseOf, oidOf, repositoryOf } from '../../../support/build-pack.ts'
import type { Files } from '../../../support/build-tar.ts'
import { type GitHistory, gitHistory, gitText } from '../../../support/git-history.ts'
import { loaded, rowsOf, sourceOf } from '../../../support/load.ts'
import { inFolder, run } from '../../../support/run-command.ts'
import { goodWorld } from '../../../support/small-world.ts'
import { everyDay, THOROUGH } from '../../../support/thorough.ts'

let history: GitHistory

beforeAll(async () => {
  history = await gitHistory()
})

afterAll(() => history.close())

/** A copy of the database to write to. */
const copied = (): string => {
  const path = join(inFolder(), 'copy.db')
  copyFileSync(history.path, path)
  return path
}

const query = async (path: string, sql: string) =>
  JSON.parse((await run(['query', path, sql])).stdout)

describe('marc repo index', () => {
  test('fills the table commits with those that git rev-list --all lists', async () => {
    const path = copied()
    expect(await query(path, 'SELECT * FROM commits')).toEqual([])
    const { code, stdout, stderr } = await run(['repo', 'index', path])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^repository +commits\n-+ +-+\nada\/kettle +47\n$/)
    const rows = await query(
      path,
      `SELECT oid || ' ' || tree || ' ' || author_email || ' ' || authored_at AS line FROM commits`,
    )
    const format = '--format=%H %T %ae %ad'
    const theirs = gitText(history.directory, [
      'log',
      '--all',
      format,
      '--date=format-local:%Y-%m-%dT%H:%M:%SZ',
    ])
    const lines = rows.map(({ line }: { line: string }) => line)
    expect(lines.sort()).toEqual(theirs.trimEnd().split('\n').sort())
  })

  test('stores parents', THOROUGH, async () => {
    const path = copied()
    await run(['repo', 'index', path, 'ada/kettle', '--quiet'])
    const parents = await query(
      path,
      'SELECT oid, parent FROM commits_parents ORDER BY oid, position',
    )
    const lines = gitText(history.directory, ['rev-list', '--all', '--parents'])
      .trimEnd()
      .split('\n')
    const theirs = lines.sort().flatMap((line) => {
      const [oid, ...parents] = line.split(' ')
      return parents.map((parent) => ({ oid, parent }))
    })
    expect(parents).toEqual(theirs)
  })

  test('twice has the same result', THOROUGH, async () => {
    const path = copied()
    await run(['repo', 'index', path])
    const once = await query(path, 'SELECT * FROM commits ORDER BY oid')
    await run(['repo', 'index', path])
    expect(await query(path, 'SELECT * FROM commits ORDER BY oid')).toEqual(once)
  })

  test(
    'notes the changed files of each commit as git log --numstat and --name-status do',
    THOROUGH,
    async () => {
      const path = copied()
      await run(['repo', 'index', path])
      await run(['repo', 'index', path, '--files'])
      const rows = await query(path, 'SELECT * FROM commits_files')
      const mine = (rows as Record<string, string | number | null>[]).map((row) =>
        [row.oid, row.status, row.old_path, row.path, row.inserted, row.deleted].join(' '),
      )
      const log = ['-c', 'core.quotePath=false', 'log', '--all', '-m', '--first-parent', '--root']
      const blocks = (flag: string) =>
        gitText(history.directory, [...log, '-z', '-M', flag, '--format=%x01%H'])
          .split('\x01')
          .slice(1)
          .map((block) =>
            block
              .replaceAll(/\0+/g, '\0')
              .split(/[\0\n]+/)
              .filter(Boolean),
          )
      const states = blocks('--name-status')
      const theirs = blocks('--numstat').flatMap(([oid, ...lines], i) => {
        const names = states[i]?.slice(1) ?? []
        const found: string[] = []
        for (let n = 0; n < lines.length; n++) {
          const [inserted = '', deleted = '', name = ''] = (lines[n] as string).split('\t')
          const status = names.shift()?.[0]
          const old = status === 'R' ? lines[++n] : ''
          if (status === 'R') n++
          names.splice(0, status === 'R' ? 2 : 1)
          const path = status === 'R' ? lines[n] : name
          const counts = [inserted, deleted].map((count) => (count === '-' ? '' : count))
          found.push([oid, status, old, path, ...counts].join(' '))
        }
        return found
      })
      expect(mine.sort()).toEqual(theirs.sort())
      expect(mine.length).toBeGreaterThan(50)
      const counted = await query(path, 'SELECT sum(files) AS files FROM commits')
      expect(counted).toEqual([{ files: mine.length }])
    },
  )

  test(
    'again with --files compares only new commits, and forgets those that no ref has',
    THOROUGH,
    async () => {
      const path = copied()
      await run(['repo', 'index', path, '--files'])
      const database = openDatabase(path, { readonly: false })
      database.exec("UPDATE commits_files SET inserted = 77 WHERE path = 'README.md'")
      database.exec("DELETE FROM refs WHERE name LIKE '%other-root'")
      database.close()
      await run(['repo', 'index', path, '--files'])
      const [row] = await query(
        path,
        `SELECT (SELECT count(*) FROM commits) AS commits,
         (SELECT count(*) FROM commits_files WHERE path = 'a') AS gone,
         (SELECT DISTINCT inserted FROM commits_files WHERE path = 'README.md') AS kept`,
      )
      expect(row).toEqual({ commits: 46, gone: 0, kept: 77 })
    },
  )

  everyDay(1)([
    ['old', 'none', 'long.txt src'],
    ['README.md', 'x/cool.c', 'thing'],
  ])(
    'with --files lets repo log --path, and --follow, find the same commits without trees: %s',
    async (...searches) => {
      const path = copied()
      const found = async () => {
        const logs = new Map<string, string>()
        for (const search of searches) {
          const flags = search.split(' ').flatMap((one) => ['--path', one])
          const argv = ['repo', 'log', path, 'ada/kettle', 'octopus', ...flags, '--nl']
          logs.set(search, (await run(argv)).stdout)
          if (flags.length === 2) {
            logs.set(`${search} --follow`, (await run([...argv, '--follow'])).stdout)
          }
        }
        return logs
      }
      const before = await found()
      await run(['repo', 'index', path, '--files'])
      expect(await found()).toEqual(before)
    },
  )

  test('makes commits of an archive available to queries', THOROUGH, async () => {
    inFolder()
    expect((await run(['repo', 'index', history.folder])).code).toBe(0)
    const [{ times }] = await query(history.folder, 'SELECT count(*) AS times FROM commits')
    expect(times).toBe(47)
  })

  test('changes nothing if it is interrupted', THOROUGH, async () => {
    const path = copied()
    await run(['repo', 'index', path])
    const aborted = AbortSignal.abort()
    await expect(indexCommits(path, { signal: aborted })).rejects.toThrow(
      expect.objectContaining({ code: 'interrupted' }),
    )
    const [{ times }] = await query(path, 'SELECT count(*) AS times FROM commits')
    expect(times).toBe(47)
  })
})

const tree = looseOf('tree', '')
const merge = commitOf(oidOf('tree', ''), 'Merge\n')

const { repositories, pull_requests } = goodWorld().records
const merge_commit_sha = oidOf('commit', merge)

const kettle = (more: Files = {}): Files => ({
  'repositories_000001.json': repositories,
  'pull_requests_000001.json': pull_requests.map((pull) => ({ ...pull, merge_commit_sha })),
  ...repositoryOf('ada/kettle', {
    ...tree,
    ...looseOf('commit', merge),
    'refs/heads/main': `${oidOf('commit', merge)}\n`,
    ...more,
  }),
})

describe('The table commits', () => {
  test('joins pull requests with their merge commits', async () => {
    const { path, database } = await loaded(kettle())
    await indexCommits(path)
    expect(
      rowsOf(
        database,
        `SELECT number, subject, author_email FROM pull_requests
         JOIN commits ON oid = merge_commit_sha AND commits.repository = full_name`,
      ),
    ).toEqual([[expect.any(Number), 'Merge', 'ada@forge.example']])
  })

  test('counts missing objects, and has the others', THOROUGH, async () => {
    const orphan = commitOf(oidOf('tree', ''), 'Its parent is lost\n', 'a'.repeat(40))
    const { path, database } = await loaded(
      kettle({ ...looseOf('commit', orphan), 'refs/heads/b': `${oidOf('commit', orphan)}\n` }),
    )
    expect(await indexCommits(path)).toEqual([{ repository: 'ada/kettle', commits: 2, broken: 1 }])
    expect(rowsOf(database, 'SELECT count(*) FROM commits')).toEqual([[2]])
    const { stdout } = await run(['repo', 'index', path])
    expect(stdout).toMatch(/missing or damaged\n.*\nada\/kettle +2 +1\n$/)
  })

  test('forgets a repository that a later archive replaces', THOROUGH, async () => {
    const { path } = await loaded(kettle())
    await indexCommits(path, { files: true })
    await loadArchive(sourceOf(kettle({ 'refs/heads/new': `${oidOf('commit', merge)}\n` })), path)
    const database = openDatabase(path)
    expect(rowsOf(database, 'SELECT count(*) FROM commits')).toEqual([[0]])
    expect(rowsOf(database, 'SELECT count(*) FROM commits_files')).toEqual([[0]])
    database.close()
  })
})
