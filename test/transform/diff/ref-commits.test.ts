import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Database } from '../../../src/database/open-database.ts'
import { diffDatabases } from '../../../src/transform/diff/diff-databases.ts'
import type { CommitDetail } from '../../../src/transform/diff/diff-options.ts'
import { createMovedCommits } from '../../../src/transform/diff/ref-commits.ts'
import { git } from '../../support/bare-repository.ts'
import { type Files, tarGzOf } from '../../support/build-tar.ts'
import { listOf } from '../../support/entries.ts'
import { folderOf } from '../../support/folder.ts'
import { makeBare } from '../../support/git-world.ts'
import { loaded } from '../../support/load.ts'
import { inFolder, run } from '../../support/run-command.ts'
import { THOROUGH } from '../../support/thorough.ts'

const made = new Map<string, Promise<Files>>()

/** The files of a repository with these commits, one behind the other. */
function repositoryWith(commits: readonly string[], rest = ''): Promise<Files> {
  const key = JSON.stringify([commits, rest])
  const files = made.get(key) ?? makeRepository(commits, rest)
  made.set(key, files)
  return files
}

async function makeRepository(commits: readonly string[], rest: string): Promise<Files> {
  const directory = join(await folderOf(), 'tools.git')
  makeBare(directory)
  const stream = commits.map((text, i) => {
    const person = `Ada <ada@forge.example> ${1_700_000_000 + text.charCodeAt(0)} +0100`
    return `commit refs/heads/main\nmark :${i + 1}\nauthor ${person}\ncommitter ${person}
data ${text.length}\n${text}\nM 100644 inline a\ndata 1\n${i}\n`
  })
  git(directory, ['fast-import', '--quiet', '--force'], stream.join('') + rest)
  const files = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  return Object.fromEntries(
    files.map((path) => [
      `repositories/acme/tools.git${path.slice(directory.length)}`,
      readFileSync(path),
    ]),
  )
}

const TAG = 'tag v1\nfrom :2\ntagger Ada <ada@forge.example> 1700000000 +0000\ndata 1\nx\n'

const pair = async (...contents: boolean[]): Promise<[Database, Database]> => {
  const [a, b] = await Promise.all([
    repositoryWith(['First', 'Second\n\nwith a body'], TAG),
    repositoryWith(['First', 'Third', 'Zebra'], TAG),
  ])
  const load = async (files: Files, i: number) =>
    (await loaded({ 'schema.json': {}, ...files }, { files: contents[i] ?? true })).database
  return [await load(a, 0), await load(b, 1)]
}

const commitsOf = async (a: Database, b: Database, commits?: CommitDetail) =>
  (await listOf(diffDatabases(a, b, { commits }))).map((change) => [change.url, change.commits])

test(
  'A moved ref has gained and lost commits, which either database may have',
  THOROUGH,
  async () => {
    const [a, b] = await pair()
    const counts = { added: 2, removed: 1 }
    expect(await commitsOf(a, b)).toEqual([
      ['acme/tools HEAD', undefined],
      ['acme/tools refs/heads/main', counts],
      ['acme/tools refs/tags/v1', { added: 1, removed: 1 }],
    ])
    expect(await commitsOf(a, b, 'none')).toEqual([
      ['acme/tools HEAD', undefined],
      ['acme/tools refs/heads/main', undefined],
      ['acme/tools refs/tags/v1', undefined],
    ])
    const commit = { oid: expect.stringMatching(/^[0-9a-f]{40}$/), author: 'Ada' }
    expect((await commitsOf(a, b, 'list'))[1]?.[1]).toEqual({
      ...counts,
      list: [
        { ...commit, change: 'removed', subject: 'Second', date: '2023-11-14T22:14:43Z' },
        { ...commit, change: 'added', subject: 'Zebra', date: '2023-11-14T22:14:50Z' },
        { ...commit, change: 'added', subject: 'Third', date: '2023-11-14T22:14:44Z' },
      ],
    })
  },
)

test('Commits that are in neither database are not counted', THOROUGH, async () => {
  const [a, b] = await pair(false)
  expect((await commitsOf(a, b))[1]).toEqual(['acme/tools refs/heads/main', undefined])
  const [c, d] = await pair(false, false)
  expect((await commitsOf(c, d))[1]).toEqual(['acme/tools refs/heads/main', undefined])
})

test('A ref that moves ahead needs only the database that has both ends', THOROUGH, async () => {
  const [before, after] = await Promise.all([
    repositoryWith(['First']),
    repositoryWith(['First', 'Second']),
  ])
  const { database: a } = await loaded({ 'schema.json': {}, ...before }, { files: false })
  const { database: b } = await loaded({ 'schema.json': {}, ...after })
  expect((await commitsOf(a, b))[1]?.[1]).toEqual({ added: 1, removed: 0 })
})

test(
  'The command loads Git data of archives only to list commits, and counts them on one line where they are',
  THOROUGH,
  async () => {
    const [a, b] = await Promise.all([
      repositoryWith(['First', 'Second']),
      repositoryWith(['First', 'Third']),
    ])
    inFolder({ 'a.tar.gz': tarGzOf(a), 'b.tar.gz': tarGzOf(b) })
    const lines = async (...words: string[]) =>
      (await run(['diff', 'a.tar.gz', 'b.tar.gz', ...words])).stdout.split('\n')
    expect(await lines()).not.toContain('    commits: +1 -1')
    const listed = await lines('--git', 'commits')
    expect(listed.slice(-4)).toEqual([
      '    commits: +1 -1',
      expect.stringMatching(/^ {6}- [0-9a-f]{10} Second$/),
      expect.stringMatching(/^ {6}\+ [0-9a-f]{10} Third$/),
      '',
    ])
    expect(await lines('--git', 'commits', '--summary')).toContain(
      '~ refs acme/tools refs/heads/main (oid, commits: +1 -1)',
    )
    expect(await lines('--git', 'none')).toEqual([''])
  },
)

test('Once many commits were read, those of further refs are not counted', async () => {
  const [a, b] = await pair()
  const oidOf = (database: Database) => ({
    oid: String(
      database.prepare(`SELECT oid FROM refs WHERE name = 'refs/heads/main'`).pluck().get(),
    ),
    target: null,
  })
  const ref = { repository: 'acme/tools', name: 'x', before: oidOf(a), after: oidOf(b) }
  const countsWithin = (most: number) => {
    const commitsOfRef = createMovedCommits([a, b], 'count', most)
    return [1, 2, 3].map(() => commitsOfRef(ref))
  }
  const counted = { added: 2, removed: 1 }
  expect(countsWithin(1000)).toEqual([counted, counted, counted])
  expect(countsWithin(1)).toEqual([counted, undefined, undefined])
})
