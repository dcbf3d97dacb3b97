import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { smallArchive } from '../../support/archives.ts'
import { damagePage } from '../../support/damage-page.ts'
import { databaseOf } from '../../support/load-once.ts'
import { inFolder, run } from '../../support/run-command.ts'
import { THOROUGH } from '../../support/thorough.ts'

const small = smallArchive()

async function withDatabase(harm = '') {
  inFolder({ 'a.tar.gz': small, 'a.db': await databaseOf(small) })
  const database = new Sqlite('a.db')
  database.exec(harm)
  database.close()
}

test('reports an unchanged database', async () => {
  await withDatabase()
  const outcome = await run(['doctor', 'a.db'])
  expect(outcome).toEqual({
    code: 0,
    stdout: 'a.db is unchanged since it was loaded.\n',
    stderr: '',
  })
})

test('lists repairable damage, and repairs it', THOROUGH, async () => {
  await withDatabase('DROP VIEW threads; DROP INDEX issues_by_url')
  const found = await run(['doctor', 'a.db'])
  expect(found.code).toBe(1)
  expect(found.stdout).toMatch(
    /^Damaged\n {2}view-changed threads: .*\n {2}index-missing|^Damaged\n/,
  )
  expect(found.stdout).toMatch(/\na\.db can be repaired with: --repair\n$/)
  const repaired = await run(['doctor', 'a.db', '--repair'])
  expect(repaired.code).toBe(0)
  expect(repaired.stdout).toMatch(
    /^Repaired\n[\s\S]*view-changed threads[\s\S]*is unchanged since it was loaded/,
  )
})

test('lists damage that only the archive can repair', THOROUGH, async () => {
  await withDatabase('DELETE FROM file_chunks')
  const { code, stdout } = await run(['doctor', 'a.db', '--repair'])
  expect(code).toBe(1)
  expect(stdout).toMatch(/file-incomplete[\s\S]*load the archives again/)
})

test('lists edits by kind and count, with exit code 1', THOROUGH, async () => {
  await withDatabase(`UPDATE issues SET title = 'changed'; INSERT INTO issues (url) VALUES ('new');
    DELETE FROM files WHERE role = 'attachment'`)
  expect(await run(['doctor', 'a.db'])).toEqual({
    code: 1,
    stdout: `Edited
  issues             3 changed, 1 added
  files: attachment  1 removed
a.db was edited since it was loaded, but is not damaged.
`,
    stderr: '',
  })
  expect(JSON.parse((await run(['doctor', 'a.db', '--json'])).stdout)).toMatchObject({
    count: 0,
    edits: [
      { what: 'records', kind: 'issues', changed: 3, added: 1, removed: 0 },
      { what: 'files', kind: 'attachment', changed: 0, added: 0, removed: 1 },
    ],
  })
})

test('refuses damaged and foreign databases', async () => {
  await withDatabase()
  damagePage('a.db')
  const { code, stdout } = await run(['doctor', 'a.db', '--repair'])
  expect(code).toBe(3)
  expect(stdout).toMatch(/pages-damaged[\s\S]*Nothing was written to it/)
  expect(await run(['doctor', 'a.tar.gz'])).toEqual({
    code: 2,
    stdout: '',
    stderr:
      'marc: a.tar.gz: expected a database, found something else\nCheck an archive with: marc check a.tar.gz\n',
  })
  expect((await run(['doctor', 'none.db'])).code).toBe(2)
})
