import { copyFileSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { issue, smallArchive } from '../../support/archives.ts'
import { run, shareFolder } from '../../support/run-command.ts'
import { THOROUGH } from '../../support/thorough.ts'

const other = smallArchive({ 'issues_000001.json': [issue(7, 'Seventh')] })
const SQL = 'select title, _source from threads order by title'
const ROWS = [
  { title: 'First', _source: 'a' },
  { title: 'Second', _source: 'a' },
  { title: 'Seventh', _source: 'b' },
]

shareFolder({ 'a.tar.gz': smallArchive(), 'b.tar.gz': other, 'q.sql': SQL })

async function titlesOf(...argv: string[]) {
  const { code, stdout, stderr } = await run(['query', ...argv, '--json'])
  expect(stderr).toBe('')
  expect(code).toBe(0)
  return (JSON.parse(stdout) as { title: string; _source: string }[]).filter(({ title }) =>
    ROWS.some((row) => row.title === title),
  )
}

test('archives are asked as one, with the name of each in _source', THOROUGH, async () => {
  expect(await titlesOf('a.tar.gz', 'b.tar.gz', SQL)).toEqual(ROWS)
  expect(await titlesOf('a.tar.gz', 'b.tar.gz', '-f', 'q.sql')).toEqual(ROWS)
})

test('databases are asked as one, also with archives and in time', THOROUGH, async () => {
  await run(['load', 'a.tar.gz', '-o', 'a.db'])
  await run(['load', 'b.tar.gz', '-o', 'b.db'])
  expect(await titlesOf('a.db', 'b.db', SQL)).toEqual(ROWS)
  expect(await titlesOf('a.db', 'b.tar.gz', SQL)).toEqual(ROWS)
  expect(await titlesOf('a.db', 'b.db', SQL, '--timeout', '60')).toEqual(ROWS)
})

test(
  'databases are not copied for a query, but for a statement that needs it',
  THOROUGH,
  async () => {
    mkdirSync('dbs', { recursive: true })
    for (const name of ['a', 'b']) await run(['load', `${name}.tar.gz`, '-o', `dbs/${name}.db`])
    const cached = () =>
      readdirSync('.cache/migration-archive').filter((name) => name.endsWith('.db')).length
    mkdirSync('.cache/migration-archive', { recursive: true, mode: 0o700 })
    const before = cached()
    expect(await titlesOf('dbs', SQL)).toEqual(ROWS)
    expect(await titlesOf('dbs', SQL, '--timeout', '60')).toEqual(ROWS)
    expect(readdirSync('.cache/migration-archive').join()).toContain('-joined.db')
    expect(cached()).toBe(before + 1)
    const byRowid = 'select title, _source from issues order by rowid is null, title'
    expect(await titlesOf('dbs', byRowid)).toEqual(ROWS)
    expect(cached()).toBe(before + 2)
    expect(await titlesOf('dbs', SQL)).toEqual(ROWS)
  },
)

test(
  'ten databases are read where they are, and eleven as one, with the same rows',
  THOROUGH,
  async () => {
    mkdirSync('many')
    const load = async (number: number) => {
      const shared = { ...issue(99, `Of ${number}`), updated_at: `2024-01-${9 + number}T00:00:00Z` }
      const issues = [shared, issue(number, `Its own ${number}`)]
      writeFileSync('one.tar.gz', smallArchive({ 'issues_000001.json': issues }))
      await run(['load', 'one.tar.gz', '-o', `many/n${number}.db`])
    }
    for (let number = 10; number < 20; number++) await load(number)
    const ask = async (sql: string) => (await run(['query', 'many', sql, '--json'])).stdout
    const all = 'select number, title, _source from threads order by number'
    const isAttached = () =>
      readdirSync('.cache/migration-archive').filter((name) => name.endsWith('-joined.db')).length
    const before = isAttached()
    const ten = await ask(all)
    expect(JSON.parse(ten)).toContainEqual({ number: 99, title: 'Of 19', _source: 'n19' })
    expect(isAttached()).toBe(before + 1)
    expect(await ask(all.replace('order', 'where main.threads.number order'))).toBe(ten)
    await load(20)
    const eleven = JSON.parse(await ask(all))
    expect(isAttached()).toBe(before)
    const added = { number: 20, title: 'Its own 20', _source: 'n20' }
    const newest = { number: 99, title: 'Of 20', _source: 'n20' }
    const rest = JSON.parse(ten).filter(({ number }: { number: number }) => number !== 99)
    expect(eleven).toEqual([...rest, added, newest])
  },
)

test('a folder of archives stands for them', THOROUGH, async () => {
  mkdirSync('all', { recursive: true })
  for (const name of ['a.tar.gz', 'b.tar.gz']) renameSync(name, `all/${name}`)
  expect(await titlesOf('all', SQL)).toEqual(ROWS)
  for (const name of readdirSync('all')) renameSync(`all/${name}`, name)
})

test('so does a folder of unpacked archives, alone or with packed ones', THOROUGH, async () => {
  for (const folder of ['unpacked/a', 'unpacked/b', 'mixed/a'])
    mkdirSync(folder, { recursive: true })
  const first = JSON.stringify([issue(1, 'First'), issue(2, 'Second')])
  writeFileSync('unpacked/a/issues_000001.json', first)
  writeFileSync('unpacked/b/issues_000001.json', JSON.stringify([issue(7, 'Seventh')]))
  writeFileSync('mixed/a/issues_000001.json', first)
  copyFileSync('b.tar.gz', 'mixed/b.tar.gz')
  expect(await titlesOf('unpacked', SQL)).toEqual(ROWS)
  expect(await titlesOf('mixed', SQL)).toEqual(ROWS)
})

test('a folder in which only a dataset lies names that', async () => {
  mkdirSync('around/lake/_marc/archives', { recursive: true })
  expect(await run(['query', 'around', SQL])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Name the dataset: around/lake\n'),
  })
})

test('a changed source is read again', THOROUGH, async () => {
  await run(['load', 'a.tar.gz', '-o', 'c.db', '--force'])
  const sql = 'select count(*) as n from issues where _source = :source'
  const ask = async () =>
    (await run(['query', 'a.tar.gz', 'c.db', sql, '-p', 'source', 'c'])).stdout
  const before = await ask()
  await run(['load', 'b.tar.gz', '-o', 'c.db'])
  expect(await ask()).not.toBe(before)
})

test('a folder and its only archive, both named, are several', THOROUGH, async () => {
  mkdirSync('only')
  copyFileSync('a.tar.gz', 'only/a.tar.gz')
  expect(await titlesOf('only', 'only/a.tar.gz', SQL)).toEqual(ROWS.slice(0, 2))
})

test('the shell asks several as one', THOROUGH, async () => {
  const { stdout } = await run(['shell', 'a.tar.gz', 'b.tar.gz', `${SQL};`, '--json'])
  expect(stdout).toContain('{"title":"Seventh","_source":"b"}')
})

test(
  'the shell reads databases where they are, and merges them for a statement that needs it',
  THOROUGH,
  async () => {
    mkdirSync('asked')
    for (const name of ['a', 'b']) await run(['load', `${name}.tar.gz`, '-o', `asked/${name}.db`])
    const tell = async (...input: string[]) => {
      const { code, stdout, stderr } = await run(['shell', 'asked', input.join('\n'), '--json'])
      expect(stderr).toBe('')
      expect(code).toBe(0)
      return stdout
    }
    const before = readdirSync('.cache/migration-archive')
    const added = () =>
      readdirSync('.cache/migration-archive').filter(
        (name) => name.endsWith('.db') && !before.includes(name),
      )
    expect(await tell(`${SQL};`)).toContain('{"title":"Seventh","_source":"b"}')
    const tables = await tell('.tables', '.schema')
    expect(tables).toContain('issue_comments')
    expect(tables).not.toMatch(/attached parts|replaced rows/)
    expect(added()).toEqual([expect.stringMatching(/-joined\.db$/)])
    const both = await tell(`${SQL};`, 'select count(rowid) as n from issues;', `${SQL};`)
    expect(both).toContain('"n":4')
    expect(added()).toHaveLength(2)
  },
)

test.each([
  [['a.tar.gz', 'b.tar.gz'], 'the statement is missing'],
  [['a.tar.gz', 'no.tar.gz', SQL], 'no.tar.gz: there is no such file or folder'],
  [['a.tar.gz', '-', SQL], 'standard input cannot be one of several sources'],
  [['s3://b/lake', SQL], 'a dataset in a bucket is not read from there'],
])('%j is refused', async (argv, message) => {
  const { code, stderr } = await run(['query', ...argv])
  expect(code).toBeGreaterThan(1)
  expect(stderr).toContain(message)
})

test('a dataset is a source without others', async () => {
  mkdirSync('lake/_marc/archives', { recursive: true })
  const { code, stderr } = await run(['query', 'lake', 'a.tar.gz', SQL])
  expect(code).toBe(2)
  expect(stderr).toContain('expected archives or databases, found a dataset')
})

test('a dataset is answered by an engine, which others install', async () => {
  mkdirSync('lake/_marc/archives', { recursive: true })
  const { code, stderr } = await run(['query', 'lake', SQL])
  expect(code).toBe(2)
  expect(stderr).toContain('npm install -g @duckdb/node-api')
})
