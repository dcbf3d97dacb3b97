import { expect, test } from 'vitest'
import { openDatabase } from '../../../src/database/open-database.ts'
import { createChangedFiles } from '../../../src/git/history/changed-files.ts'
import { createPathIndex } from '../../../src/git/history/path-index.ts'
import { readCommit } from '../../../src/git/history/walk-commits.ts'
import { openRepository } from '../../../src/git/open-repository.ts'
import { commitOf, looseOf, oidOf, repositoryOf, treeOf } from '../../support/build-pack.ts'
import { loaded } from '../../support/load.ts'

const blob = Buffer.from('one\ntwo\n')
const folder = treeOf(['100644', 'a%b', oidOf('blob', blob)])
const tree = treeOf(
  ['100644', 'bin', oidOf('blob', Buffer.from('\0'))],
  ['40000', 'src', oidOf('tree', folder)],
)
const commit = commitOf(oidOf('tree', tree), 'First\n')
const broken = commitOf('a'.repeat(40), 'Its tree is lost\n')
const oid = oidOf('commit', commit)

test('A commit that cannot be compared has no files, and paths are not patterns', async () => {
  const { path } = await loaded(
    repositoryOf('ada/kettle', {
      ...looseOf('tree', tree),
      ...looseOf('tree', folder),
      ...looseOf('blob', blob),
      ...looseOf('blob', Buffer.from('\0')),
      ...looseOf('commit', commit),
      ...looseOf('commit', broken),
    }),
  )
  const database = openDatabase(path, { readonly: false })
  const { objects } = openRepository(database, 'ada/kettle')
  const columns = `tree, parents, author_name, author_email, author_zone, committer_name, committer_email,
    committer_zone, subject, message, committed_at, files`
  const insert = database.prepare(
    `INSERT INTO commits (repository, oid, ${columns}) VALUES ('ada/kettle', ?, '', '[]', '', '', '', '', '', '', '', '', '2024-01-01T00:00:00Z', ?)`,
  )
  expect(createPathIndex(database, 'ada/kettle', objects, ['src'])).toBeUndefined()
  const files = createChangedFiles(database, 'ada/kettle', objects)
  for (const [content, count] of [
    [commit, 2],
    [broken, undefined],
  ] as const) {
    const found = files.add(readCommit(objects, oidOf('commit', content)))
    expect(found).toBe(count)
    insert.run(oidOf('commit', content), found)
  }
  const rows = database.prepare('SELECT path, status, inserted, deleted FROM commits_files').raw()
  expect(rows.all()).toEqual([
    ['bin', 'A', null, null],
    ['src/a%b', 'A', 2, 0],
  ])
  const changed = (...paths: string[]) =>
    createPathIndex(database, 'ada/kettle', objects, paths)?.(oid)?.changed
  expect(changed('src')).toBe(true)
  expect(changed('./src//a%b')).toBe(true)
  expect(changed('sr')).toBe(false)
  expect(changed('src/a_b')).toBe(false)
  expect(changed('none', 'bin')).toBe(true)
  expect(changed('')).toBeUndefined()
  expect(
    createPathIndex(database, 'ada/kettle', objects, ['src'])?.(oidOf('commit', broken)),
  ).toBeUndefined()
  database.exec("UPDATE commits SET parents = '[1]'")
  expect(changed('src')).toBeUndefined()
  database.close()
})
