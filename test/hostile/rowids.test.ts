/** SQL may give a row any 64-bit rowid: none keeps a command from ending, or changes what it answers. */

import { copyFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findUploadLinks } from '../../src/attachments/upload-links.ts'
import { checkDatabase } from '../../src/conformance/checks/check-database.ts'
import type { Database } from '../../src/database/open-database.ts'
import { openDatabase } from '../../src/database/open-database.ts'
import { quoteName } from '../../src/database/quote.ts'
import { recordTables } from '../../src/database/rows/read-record.ts'
import { listObjectFiles } from '../../src/git/objects/repository-files.ts'
import { readRefs } from '../../src/git/refs/read-refs.ts'
import { loadArchive } from '../../src/load/load-archive.ts'
import { readTimeline } from '../../src/reading/threads/timeline.ts'
import { COMMAND_LINES, tryDatabase } from '../fuzz/try-database.ts'
import { examineAt } from '../support/by-path.ts'
import { folderOf } from '../support/folder.ts'
import { BARE, loaded, recordFile, sourceOf } from '../support/load.ts'
import { ROOT, run, shareFolder } from '../support/run-command.ts'
import { everyDay, firstOfEach, THOROUGH } from '../support/thorough.ts'

const HELLO = readFileSync(join(ROOT, 'samples/hello.tar.gz'))

/** Where rows of a table are moved to, in the same order. */
const PLACES = {
  'beyond 2⁵³': '+ 9007199254740992',
  'up to the largest': '+ 9223372036854775000',
  'from the smallest': '- 9223372036854775807 - 2',
}
const move = (database: Database, table: string, to: string, column = 'rowid') =>
  database.exec(`UPDATE ${quoteName(table)} SET ${column} = ${column} ${to}`)

const REPOSITORY = 'mona-lindqvist/tea-timer'
/** Ways to read records and refs: of a thread, a file, a url, a repository, and of all that there is. */
const QUESTIONS: readonly (readonly string[])[] = [
  ['show', 'it.db', `${REPOSITORY}#3`, '--format', 'json'],
  ['cat', 'it.db', 'issues_000001.json'],
  ['cat', 'it.db', `https://github.com/${REPOSITORY}/issues/1`],
  ['repo', 'refs', 'it.db', REPOSITORY],
  ['build', 'it.db', '-o', '-'],
]
const MORE_QUESTIONS: typeof QUESTIONS = [
  ...QUESTIONS,
  ['check', 'it.db', '--format', 'json'],
  ['attachments', 'list', 'it.db', '--format', 'json'],
  ['show', 'it.db', `${REPOSITORY}#2`],
  ['attachments', 'check', 'it.db'],
  ['repo', 'log', 'it.db', REPOSITORY],
  ['repo', 'fsck', 'it.db'],
  ['doctor', 'it.db'],
  ['inspect', 'it.db'],
  ['build', 'it.db', '-o', '-', '--repo', REPOSITORY],
]

describe('D6: records and refs with rowids that a number cannot hold', () => {
  shareFolder({})
  const answers = async (questions: typeof QUESTIONS) => {
    const found: Record<string, unknown> = {}
    for (const line of questions) {
      const { stderr, ...answer } = await run(line)
      found[line.join(' ')] = { ...answer, stderr: stderr.replace(/[\d.]+ m?s\b/, '') }
    }
    return found
  }
  const answered = (questions: typeof QUESTIONS) => async (where: keyof typeof PLACES) => {
    const { path } = await loaded(HELLO)
    copyFileSync(path, 'it.db')
    const before = await answers(questions)
    const database = openDatabase('it.db', { readonly: false })
    for (const table of [...recordTables(database), 'refs']) {
      move(database, table, PLACES[where])
    }
    database.close()
    expect(await answers(questions)).toEqual(before)
  }
  const places = Object.keys(PLACES) as (keyof typeof PLACES)[]
  test.each(places.slice(0, 1))(
    'are answered as before by these ways to read them, moved %s',
    answered(QUESTIONS),
  )
  test.each(places)(
    'are answered as before by every command, moved %s',
    THOROUGH,
    answered(MORE_QUESTIONS),
  )
})

/** Of the commands, those that read all files, and those that write. */
const WRITERS = COMMAND_LINES.filter(([first]) =>
  /^(?:build|attachments|doctor|load)$/.test(first ?? ''),
)
/** One of each. */
const [[FEW_WRITERS]] = firstOfEach(WRITERS, ([first]) => first)

const OWN_TABLES = ['archives', 'entries', 'files', 'chunks', 'tar_headers']

describe('D6: rows of our own tables with such ids', () => {
  const reported = (lines?: typeof COMMAND_LINES) => async (to: string) => {
    const { database, path } = await loaded(HELLO)
    for (const table of OWN_TABLES) move(database, table, to, 'id')
    const { faults } = examineAt(path)
    const tables = faults.filter(({ code }) => code === 'value-invalid')
    expect(tables.map(({ where }) => where)).toEqual(OWN_TABLES)
    expect(faults.map(({ code }) => code)).not.toContain('pages-damaged')
    await tryDatabase(database.serialize(), HELLO, await folderOf(), lines)
  }
  const places = Object.values(PLACES)
  test.each(places.slice(0, 1))(
    'are reported by doctor, and builds, loads and lists of uploads do not repeat themselves or fail on them (%s)',
    reported(FEW_WRITERS),
  )
  test.each(places)(
    'are reported by doctor, and no command repeats itself or fails on them (%s)',
    THOROUGH,
    reported(),
  )

  test.each(OWN_TABLES)('in %s alone keep no command from ending', THOROUGH, async (table) => {
    const { database } = await loaded(HELLO)
    move(database, table, PLACES['beyond 2⁵³'], 'id')
    await tryDatabase(database.serialize(), HELLO, await folderOf(), WRITERS)
  })

  everyDay(1)(['archives', 'files', 'chunks', 'tar_headers'])(
    'a load refuses %s in which new rows would get random ids',
    async (table) => {
      const { database, path } = await loaded(HELLO)
      database.exec(`UPDATE ${table} SET id = 9223372036854775807 WHERE id = 1`)
      const more = sourceOf({ ...BARE, 'attachments/9/a.txt': 'new' })
      await expect(loadArchive([more], path)).rejects.toEqual(
        expect.objectContaining({ code: 'database-damaged' }),
      )
    },
  )
})

/** Puts many more rows like the first into a table, with rowids beyond 2⁵³ one after the other. */
const multiply = (
  database: Database,
  table: string,
  columns: Record<string, string>,
  count: number,
) =>
  database.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
    INSERT INTO ${table} (rowid, ${Object.keys(columns)}) SELECT 9007199254740992 + i, ${Object.values(columns)} FROM n`)

const A = 'a'.repeat(40)
const ISSUE = 'https://github.com/a/b/issues/1'

describe('D6: more such rows than a page has', () => {
  test('are each an item of a timeline', async () => {
    const { database } = await loaded(recordFile('issues', { type: 'issue', url: ISSUE }))
    const url = `'${ISSUE}#issuecomment-' || i`
    multiply(database, 'issue_comments', { url, issue: `'${ISSUE}'`, body: "'x' || i" }, 450)
    const bodies = [...readTimeline(database, ISSUE)].map((item) => 'body' in item && item.body)
    expect(bodies).toEqual(Array.from({ length: 450 }, (_, i) => `x${i + 1}`))
  })

  test('are each searched for links to uploads', THOROUGH, async () => {
    const { database } = await loaded(recordFile('issues', { type: 'issue', url: ISSUE }))
    const link = 'https://github.com/user-attachments/files/'
    multiply(
      database,
      'issue_comments',
      { url: 'i', body: `'[x](${link}' || i || '/x.txt)'` },
      2100,
    )
    const links = [...findUploadLinks(database)].map((each) => each.link)
    expect(links).toEqual(Array.from({ length: 2100 }, (_, i) => `${link}${i + 1}/x.txt`))
  })

  test('are each checked for their commits', THOROUGH, async () => {
    const { database } = await loaded(HELLO)
    const repository = `https://github.com/${REPOSITORY}`
    const columns = {
      url: `'${repository}/commit/x#' || i`,
      repository: `'${repository}'`,
      commit_id: `'${'b'.repeat(40)}'`,
    }
    multiply(database, 'commit_comments', columns, 10_050)
    const { findings } = await checkDatabase(database, { only: ['comment-commit'] })
    expect(findings.map(({ count }) => count)).toEqual([10_050])
  })

  test('are each a ref', THOROUGH, async () => {
    const { database } = await loaded({ 'repositories/a/b.git/HEAD': 'ref: refs/heads/main\n' })
    const columns = {
      archive: '1',
      repository: "'a/b'",
      name: "printf('refs/heads/%05d', i)",
      oid: `'${A}'`,
      packed: '0',
    }
    multiply(database, 'refs', columns, 2_100)
    expect([...readRefs(database, 'a/b', 'refs/')]).toHaveLength(2_100)
  })

  test('are each a file of a repository, refused one by one', async () => {
    const { database } = await loaded({ 'repositories/a/b.git/HEAD': 'ref: refs/heads/main\n' })
    const columns = {
      archive: '1',
      role: "'git'",
      repository: "'a/b'",
      size: '0',
      sha256: "''",
      mode: '420',
      modified_at: "''",
      stored: '1',
      path: "printf('repositories/a/b.git/objects/info/%05d', i)",
    }
    multiply(database, 'files', columns, 1_100)
    expect([...listObjectFiles(database, 'a/b')]).toEqual([])
  })
})
