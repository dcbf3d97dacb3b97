import { once } from 'node:events'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { FORMS, writeForeign } from '../bench/foreign/write-foreign.ts'
import { issue, user } from '../support/archives.ts'
import { git } from '../support/bare-repository.ts'
import { commitOf, oidOf, packOf, repositoryOf, treeOf } from '../support/build-pack.ts'
import { END, member, tarOf } from '../support/build-tar.ts'
import { makeBare } from '../support/git-world.ts'
import { inFolder, run, runBinary, start } from '../support/run-command.ts'
import { THOROUGH } from '../support/thorough.ts'

test('P4: 32 MB of heap are enough for any number of records', THOROUGH, async () => {
  inFolder()
  const { child, ended } = start(['load', '-', '-o', 'it.db'], {
    node: ['--max-old-space-size=32'],
  })
  const body = 'x'.repeat(1500)
  for (let recordFile = 0; recordFile < 50; recordFile++) {
    const records = Array.from({ length: 500 }, (_, i) =>
      issue(recordFile * 500 + i, 'title', { body }),
    )
    const name = `issues_${String(recordFile + 1).padStart(6, '0')}.json`
    if (!child.stdin.write(member({ name }, records))) await once(child.stdin, 'drain')
  }
  child.stdin.end(END)
  const { code, stdout } = await ended
  expect(code).toBe(0)
  expect(stdout).toMatch(/issues +25,000/)
})

const LITTLE = { node: ['--max-old-space-size=32'] }

test('P4: 32 MB of heap are enough for a commit of any number of files', THOROUGH, async () => {
  const blob = oidOf('blob', 'x')
  const name = (i: number) => String(i).padStart(4, '0')
  const entries = (mode: string, oid: string, count: number) =>
    Array.from({ length: count }, (_, i) => [mode, `some-name-${name(i)}`, oid] as const)
  const folder = treeOf(...entries('100644', blob, 1_000))
  const top = treeOf(...entries('40000', oidOf('tree', folder), 150))
  const commit = commitOf(oidOf('tree', top))
  const objects = packOf([
    { type: 'blob', content: 'x' },
    { type: 'tree', content: folder },
    { type: 'tree', content: top },
    { type: 'commit', content: commit },
  ])
  const refs = { 'refs/heads/main': oidOf('commit', commit) }
  inFolder({ 'it.tar': tarOf(repositoryOf('a/b', { ...objects, ...refs })) })
  const shown = await runBinary(['repo', 'show', 'it.tar', 'a/b', 'main'], LITTLE)
  expect(shown.code).toBe(0)
  expect(shown.stdout.match(/^A {2}some-name/gm)?.length).toBe(150_000)
})

test('P4: 32 MB of heap are enough for any number of commits', THOROUGH, async () => {
  const directory = join(inFolder(), 'repositories/a/b.git')
  makeBare(directory)
  const commits = Array.from({ length: 6_000 }, (_, i) => {
    const message = `commit ${i}\n${'word '.repeat(2_000)}`
    return `commit refs/heads/main\ncommitter A <a@x> ${i} +0000\ndata ${message.length}\n${message}\n`
  })
  git(directory, ['-c', 'fastimport.unpackLimit=0', 'fast-import', '--quiet'], commits.join(''))
  const log = await runBinary(['repo', 'log', '.', 'a/b', '--oneline'], LITTLE)
  expect(log.code).toBe(0)
  expect(log.stdout.match(/ commit \d+/g)?.length).toBe(6_000)
})

test.each(FORMS)(
  'P4: 20 MB of heap are enough for any number of threads of %s',
  THOROUGH,
  async (form) => {
    const folder = inFolder()
    writeForeign(form, folder, 5_000)
    const { code, stdout } = await runBinary(['inspect', '.', '-q', '--json'], {
      node: ['--max-old-space-size=20'],
    })
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ kinds: { issues: { records: 5_000 } } })
  },
)

test('P4: 80 MB of heap are enough to rename 100,000 people', THOROUGH, async () => {
  const people = Array.from({ length: 100_000 }, (_, i) => user(`person-${i}`))
  const csv = people.map(({ login }) => `${login},${login}-renamed\n`).join('')
  inFolder({ 'it.tar': tarOf({ 'users_000001.json': people }), 'users.csv': `old,new\n${csv}` })
  const args = ['map', 'it.tar', '--users', 'users.csv', '-o', 'out.db', '-q']
  const mapped = await runBinary(args, { node: ['--max-old-space-size=80'] })
  expect(mapped.code).toBe(0)
})

test(
  'P4: 72 MB of heap are enough to build a file of twenty records of 4 MB',
  THOROUGH,
  async () => {
    const issues = Array.from({ length: 20 }, (_, i) =>
      issue(i + 1, 'title', { body: 'x'.repeat(2 ** 22) }),
    )
    inFolder({ 'it.tar': tarOf({ 'issues_000001.json': issues }) })
    expect((await run(['load', 'it.tar', '-o', 'it.db'])).code).toBe(0)
    const args = ['build', 'it.db', '-o', 'out.tar.gz', '-q']
    const built = await runBinary(args, { node: ['--max-old-space-size=72'] })
    expect([built.code, built.stderr]).toEqual([0, ''])
  },
)
