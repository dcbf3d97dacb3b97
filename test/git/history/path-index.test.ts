import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openDatabase } from '../../../src/database/open-database.ts'
import { createPathIndex } from '../../../src/git/history/path-index.ts'
import { repositoryOf } from '../../support/build-pack.ts'
import { loaded } from '../../support/load.ts'

const oidAt = (i: number) => i.toString(16).padStart(40, 'a')

const commits = fc.array(
  fc.record({
    // Many at one time, some before their parents.
    seconds: fc.oneof(fc.constant(5), fc.nat({ max: 1e9 })),
    parents: fc.array(fc.nat({ max: 99 }).map(oidAt), { maxLength: 3 }),
    changed: fc.boolean(),
  }),
  { minLength: 1, maxLength: 100 },
)

test('Commits are found whatever their times are, and in any order', async () => {
  const { path } = await loaded(repositoryOf('o/r', {}))
  const database = openDatabase(path, { readonly: false })
  const others = [
    'author_name, author_email, author_zone, committer_name, committer_email, committer_zone',
    'subject, message, files',
  ]
  const addCommit = database.prepare(
    `INSERT INTO commits (repository, oid, tree, parents, committed_at, ${others})
     VALUES (?, ?, ?, ?, strftime('%FT%TZ', ?, 'unixepoch'), '', '', '', '', '', '', '', '', 1)`,
  )
  const addFile = database.prepare(
    `INSERT INTO commits_files (repository, oid, path, status) VALUES ('o/r', ?, 'src/kettle', 'M')`,
  )
  const store = { has: () => true, placeOf: () => undefined }
  fc.assert(
    fc.property(commits, fc.array(fc.nat({ max: 99 })), (all, order) => {
      database.exec('DELETE FROM commits; DELETE FROM commits_files')
      for (const [i, { parents, seconds, changed }] of all.entries()) {
        const oid = oidAt(i)
        addCommit.run('o/r', oid, oidAt(1000 + i), JSON.stringify(parents), seconds)
        if (changed) addFile.run(oid)
        addCommit.run('o/s', oid, oidAt(2000), '[]', seconds)
      }
      const index = createPathIndex(database, 'o/r', store, ['src'])
      const asked = [...all.keys(), ...order]
      expect(asked.map((i) => index?.(oidAt(i)))).toEqual(
        asked.map((i) => {
          const commit = all[i]
          if (!commit) return undefined
          const { parents, seconds, changed } = commit
          return { links: { oid: oidAt(i), tree: oidAt(1000 + i), parents, seconds }, changed }
        }),
      )
    }),
  )
  // Such a name may stand for several that are not UTF-8.
  expect(createPathIndex(database, 'o/r', store, ['src', 'caf\ufffd'])).toBeUndefined()
  database.close()
})
